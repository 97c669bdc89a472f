"""What machines, adapters and groups allow between two queue managers."""

from __future__ import annotations

from typing import Any

import pytest

from mqcap.domain.estate import Sysplex
from mqcap.domain.estate.systems import SystemFacts
from mqcap.transports.channel_move import CandidateState, Transport, TransportCandidate
from mqcap.transports.estate_facts import End, allowed, end_of, transport_now
from mqcap.transports.traffic import Member
from tests.mqcap.transports.builders import estate_of, machines, sysplex, traffic

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
    smc: tuple[Any, Any],
    cpcs: tuple[str | None, ...],
    now: Transport | None,
    keys: tuple[str, ...],
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
