"""SYS-COST and SYS-BANDWIDTH on measured traffic: Table 1 of the blog, within its validity."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest import approx

from mqcap.domain.estate import Sysplex
from mqcap.domain.estate.configured import SystemFacts
from mqcap.settings.analysis import TransportSettings
from mqcap.transports.channel_move import (
    CandidateState,
    ChannelTraffic,
    Transport,
    TransportCandidate,
)
from mqcap.transports.moves import mib_per_s, us_per_message, why_not_applicable
from mqcap.transports.traffic import (
    End,
    Member,
    allowed,
    channel_traffic,
    end_of,
    members,
    transport_now,
)
from tests.mqcap.transports.builders import (
    HOUR_MESSAGES,
    NOON,
    channel,
    data_of,
    estate_of,
    machines,
    sysplex,
    traffic,
)

SETTINGS = TransportSettings()
PERSISTENT = (
    "5.1 % of the messages are persistent: SYS-COST is of messages that are not; at most 5 %"
)
ONE_SYSTEM = "both queue managers run on SYS1: SYS-COST is of two systems"


@pytest.mark.parametrize(
    ("transport", "cpu_us", "cf_us"),
    [
        (Transport.tcp_ip, 120.9, 0.47),
        (Transport.smc_r, 134.54, 0.14),
        (Transport.smc_d, 132.6, 0.13),
        (Transport.igq, 119.73, 51.1),
        (Transport.shared_queue, 122.34, 48.01),
    ],
)
def test_a_message_costs_half_of_the_printed_transaction(
    transport: Transport, cpu_us: float, cf_us: float
) -> None:
    assert list(us_per_message(transport)) == approx([cpu_us / 2, cf_us / 2], abs=0.01)


def test_the_data_rate_is_that_of_the_blog() -> None:
    # 21,000 a second of 64 KB: 1312.5 MiB/s (SYS-BANDWIDTH).
    messages = 21_000 * 86_400
    assert mib_per_s(traffic(messages=messages, message_bytes=messages * 65_536)) == approx(1_312.5)
    assert mib_per_s(traffic(message_bytes=0)) == 0


@pytest.mark.parametrize(
    ("size", "reasons"), [(1_023, 1), (1_024, 0), (2_048, 0), (4_096, 0), (4_097, 1)]
)
def test_the_table_is_of_about_2_kb(size: int, reasons: int) -> None:
    found = why_not_applicable(traffic(messages=1_000, message_bytes=1_000 * size), SETTINGS)
    assert len(found) == reasons
    assert all("SYS-COST is of 2 KB, used from 1 to 4 KiB" in each for each in found)


@pytest.mark.parametrize(
    ("changed", "reasons"),
    [
        ({"persistent_messages": 0}, ()),
        ({"persistent_messages": 49}, ()),
        ({"persistent_messages": 50}, ()),
        ({"persistent_messages": 51}, (PERSISTENT,)),
        ({"uses_tls": True}, ("the channel uses TLS: SYS-COST is without",)),
        ({"receiver_system": "SYS1"}, (ONE_SYSTEM,)),
        ({"sender_system": None, "receiver_system": None}, ()),
    ],
)
def test_the_table_is_of_messages_that_are_not_persistent_and_without_tls_between_two_systems(
    changed: dict[str, Any], reasons: tuple[str, ...]
) -> None:
    made = traffic(**{"messages": 1_000, "message_bytes": 2_048_000} | changed)
    assert why_not_applicable(made, SETTINGS) == reasons


BOTH_CPC = ("systems: SYS1: cpc", "systems: SYS2: cpc")
BOTH_SMC = ("systems: SYS1: smc", "systems: SYS2: smc")


def ends(*systems: SystemFacts | None, groups: tuple[str | None, ...] = ("QSG1", "QSG1")) -> Any:
    names = ("CSQ1", "CSQ2")
    return [End(*each) for each in zip(names, systems, groups, strict=True)]


def found(transport: Transport, *systems: SystemFacts | None, **more: Any) -> TransportCandidate:
    return allowed(transport, *ends(*systems, **more))


@pytest.mark.parametrize(
    ("cpcs", "state", "reason", "keys"),
    [
        (("CPC1", "CPC1"), "allowed", "", ()),
        (("CPC1", "CPC2"), "refused", "SYS1 is on CPC1, SYS2 on CPC2: not one machine", ()),
        ((None, "CPC2"), "not known", "the machine of a system is not known", BOTH_CPC[:1]),
        ((None, None), "not known", "the machine of a system is not known", BOTH_CPC),
    ],
)
def test_smc_d_needs_one_machine(
    cpcs: tuple[str | None, ...], state: str, reason: str, keys: tuple[str, ...]
) -> None:
    candidate = found(Transport.smc_d, *machines(*cpcs))
    assert (candidate.state, candidate.reason, candidate.missing_keys) == (state, reason, keys)


@pytest.mark.parametrize(
    ("facts", "state", "keys"),
    [
        ({"roce": True}, "allowed", ()),
        ({"smc": ("SMC-R",)}, "allowed", ()),
        ({"roce": False}, "refused", ()),
        ({}, "not known", ("systems: SYS1: roce", "systems: SYS2: roce")),
    ],
)
def test_smc_r_needs_adapters_on_both_systems(
    facts: dict[str, Any], state: str, keys: tuple[str, ...]
) -> None:
    candidate = found(Transport.smc_r, *machines("CPC1", "CPC2", **facts))
    assert (candidate.state, candidate.missing_keys) == (state, keys)


def test_the_system_without_adapters_is_named() -> None:
    here, there = SystemFacts(smfid="SYS1", roce=True), SystemFacts(smfid="SYS2", roce=False)
    assert found(Transport.smc_r, here, there).reason == "SYS2: no RoCE adapters"


@pytest.mark.parametrize("transport", [Transport.smc_r, Transport.smc_d])
def test_nothing_goes_over_a_network_within_a_system(transport: Transport) -> None:
    same = SystemFacts(smfid="SYS1", cpc="CPC1", roce=True)
    candidate = found(transport, same, same)
    assert candidate.reason == "both run on SYS1: nothing goes over a network"


def test_a_queue_manager_without_records_has_no_known_system() -> None:
    [here, _] = machines("CPC1", "CPC1")
    candidate = found(Transport.smc_d, here, None)
    assert candidate.state == CandidateState.not_known
    assert candidate.reason == "no record of CSQ2 tells its system"


@pytest.mark.parametrize(
    ("groups", "state", "reason"),
    [
        (("QSG1", "QSG1"), "allowed", ""),
        (("QSG1", "QSG2"), "refused", "CSQ1 is in QSG1 and CSQ2 is in QSG2: not one group"),
        (("QSG1", ""), "refused", "CSQ2: in no queue sharing group"),
        (("", ""), "refused", "CSQ1 and CSQ2: in no queue sharing group"),
        (("QSG1", None), "not known", "the queue sharing group is not known"),
    ],
)
@pytest.mark.parametrize("transport", [Transport.igq, Transport.shared_queue])
def test_queues_in_a_facility_need_one_group(
    transport: Transport, groups: tuple[str | None, ...], state: str, reason: str
) -> None:
    candidate = found(transport, *machines("CPC1", "CPC2"), groups=groups)
    assert (candidate.state, candidate.reason) == (state, reason)
    expected = ("qmgrs: CSQ2: qsg",) if state == "not known" else ()
    assert candidate.missing_keys == expected


@pytest.mark.parametrize(
    ("smc", "cpcs", "now", "keys"),
    [
        (((), None), ("CPC1", "CPC1"), Transport.tcp_ip, ()),
        ((("SMC-D",), ("SMC-R",)), ("CPC1", "CPC1"), Transport.tcp_ip, ()),
        ((("SMC-D",), ("SMC-D",)), ("CPC1", "CPC1"), Transport.smc_d, ()),
        ((("SMC-D",), ("SMC-D",)), ("CPC1", "CPC2"), Transport.tcp_ip, ()),
        ((("SMC-D", "SMC-R"),) * 2, ("CPC1", "CPC2"), Transport.smc_r, ()),
        ((("SMC-D",), ("SMC-D",)), ("CPC1", None), None, BOTH_CPC[1:]),
        ((("SMC-R",), None), ("CPC1", "CPC1"), None, BOTH_SMC[1:]),
        ((None, None), ("CPC1", "CPC1"), None, BOTH_SMC),
    ],
)
def test_the_transport_of_today_follows_from_what_is_active_on_both(
    smc: tuple[Any, Any], cpcs: tuple[str | None, ...], now: Transport | None, keys: tuple[str, ...]
) -> None:
    systems = [
        each.model_copy(update={"smc": active})
        for each, active in zip(machines(*cpcs), smc, strict=True)
    ]
    assert transport_now(*ends(*systems)) == (now, keys)


def test_within_a_system_and_without_records_the_transport_is_not_known() -> None:
    [here, _] = machines("CPC1", "CPC1", smc=())
    assert transport_now(*ends(here, here)) == (None, ())
    assert transport_now(*ends(here, None)) == (None, ())


@pytest.mark.parametrize(
    ("plex", "record_qsg", "group"),
    [
        (sysplex(), "QSG9", "QSG1"),
        (sysplex(qmgrs=()), "QSG9", "QSG9"),
        (sysplex(qmgrs=()), None, None),
    ],
)
def test_the_group_of_the_estate_counts_before_that_of_records(
    plex: Sysplex, record_qsg: str | None, group: str | None
) -> None:
    records = {} if record_qsg is None else {("PLEX1", "CSQ1"): Member("SYS1", record_qsg, 3_600)}
    end = end_of("CSQ1", traffic(), estate_of(plex), records)
    assert end.qsg == group


def test_a_queue_manager_of_the_estate_without_group_or_records_is_in_none() -> None:
    assert end_of("CSQ8", traffic(receiver="CSQ8"), estate_of(sysplex()), {}).qsg == ""


def measured(folder: Path, rows: list[dict[str, Any]], days: int = 7) -> list[ChannelTraffic]:
    data = data_of(folder, rows)
    return channel_traffic(data, days, members(data, days))


def test_rate_size_and_busiest_interval_are_those_of_all_hours(tmp_path: Path) -> None:
    rows = [
        channel(hours_back=2, messages=HOUR_MESSAGES),
        channel(hours_back=1, messages=3 * HOUR_MESSAGES, message_bytes=1_024),
        channel(hours_back=0, messages=2 * HOUR_MESSAGES, qcstnpmg=HOUR_MESSAGES),
    ]
    [found] = measured(tmp_path, rows)
    assert found.pair == "PLEX1/CSQ1 > CSQ2"
    assert found.messages_per_s == 2
    assert (found.busiest_per_s, found.busiest_start_utc) == (3, NOON - timedelta(hours=2))
    assert found.bytes_per_message == pytest.approx((3 * 2_048 + 3 * 1_024) / 6)
    assert found.persistent_pct == pytest.approx(100 / 6)
    assert (found.sender_system, found.receiver_system) == ("SYS1", "SYS2")


AGAIN = channel()


@pytest.mark.parametrize(
    ("rows", "per_s", "busiest_per_s"),
    [
        ([channel(), channel(hours_back=1, receiver="ELSEWHERE")], 0.5, 1),
        ([channel(), channel()], 2, 2),
        ([AGAIN, dict(AGAIN)], 1, 1),
    ],
    ids=["an hour in which it did not run", "two instances", "a record delivered twice"],
)
def test_the_rate_is_of_all_instances_and_of_all_measured_time(
    tmp_path: Path, rows: list[dict[str, Any]], per_s: float, busiest_per_s: float
) -> None:
    [found] = measured(tmp_path, rows)
    assert (found.messages_per_s, found.busiest_per_s) == (per_s, busiest_per_s)


@pytest.mark.parametrize(
    ("owner", "partner", "kinds"), [("CSQ1", "CSQ2", (1, 2, 9)), ("CSQ2", "CSQ1", (3, 4, 8))]
)
def test_sending_channels_go_from_the_owner_of_the_record_and_receiving_ones_to_it(
    tmp_path: Path, owner: str, partner: str, kinds: tuple[int, ...]
) -> None:
    for kind in kinds:
        row = channel(qmgr=owner, qcstrqmn=partner, qcstchty=kind)
        [found] = measured(tmp_path / str(kind), [row])
        assert (found.sender, found.receiver, found.measured_by) == ("CSQ1", "CSQ2", owner)


def test_of_two_ends_the_sending_one_counts(tmp_path: Path) -> None:
    other = channel("CSQ1", "CSQ2", qmgr="CSQ2", qcstrqmn="CSQ1", qcstchty=3, messages=7)
    [found] = measured(tmp_path, [other, channel()])
    assert (found.measured_by, found.messages) == ("CSQ1", HOUR_MESSAGES)


@pytest.mark.parametrize(
    "row",
    [
        channel(receiver="ELSEWHERE"),
        channel(receiver="CSQ1"),
        channel(qcstchty=7),
        channel(messages=0),
        channel(hours_back=7 * 24),
    ],
    ids=["elsewhere", "itself", "client", "no messages", "too old"],
)
def test_other_channels_are_not_counted(tmp_path: Path, row: dict[str, Any]) -> None:
    assert measured(tmp_path, [row]) == []


ODD = channel(messages=9)


@pytest.mark.parametrize(
    "changed",
    [
        {"qcstnmsg": None, "qcstnbyt": None},
        {"interval_start_utc": None, "interval_end_utc": None},
        {"interval_start_utc": ODD["interval_end_utc"]},
        {"interval_start_utc": ODD["interval_end_utc"], "qcstchnm": "ODD"},
    ],
    ids=["without a field", "without an interval", "of no length", "alone of no length"],
)
def test_a_record_that_cannot_count_leaves_the_others(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    [found] = measured(tmp_path, [ODD | changed, channel()])
    assert (found.messages, found.busiest_per_s) == (HOUR_MESSAGES, 1)
    assert (found.channel, found.bytes_per_message) == ("CSQ1.TO.CSQ2", 2_048)


def test_without_the_first_section_of_its_records_the_measured_time_is_not_known(
    tmp_path: Path,
) -> None:
    rows = [channel(section_index=3), channel("CSQ7", "CSQ1", section_index=3)]
    assert measured(tmp_path, rows) == []


def test_the_system_of_a_queue_manager_is_that_of_its_newest_records(tmp_path: Path) -> None:
    data = data_of(tmp_path, [channel("CSQ2", smfid="SYS1", hours_back=5), channel("CSQ2")])
    assert members(data, 7)["PLEX1", "CSQ2"].system == "SYS2"


def test_tls_in_any_record_is_tls(tmp_path: Path) -> None:
    [found] = measured(tmp_path, [channel(), channel(hours_back=1, qcstslcs=49_199)])
    assert found.uses_tls
