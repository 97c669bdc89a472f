"""Parts of queues, channels, facilities and messages."""

from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest

from mqcap.domain.attribution import PartKind
from sizing.rulebook.registry import get
from spark_apps.attribution.channels import buffer_bytes, buffers
from spark_apps.attribution.parts import part_rows
from spark_apps.attribution.queues import elements_per_message
from tests.spark_apps.attribution.parts import parts_of, put, values
from tests.spark_apps.rows import HALF_HOUR, START, between

CLIENT, SENDER = 7, 1
SHARED: dict[str, Any] = {"qqstqsgn": "QSG", "qqstcfst": "APPL1", "qqstbpid": -1}
DAY = date(2026, 3, 10)


@pytest.mark.thorough
def test_log_bytes_of_a_queue_are_those_of_the_formula_for_its_persistent_messages() -> None:
    # 1800 messages of 1000 bytes, and 1800 of 9000 bytes in three pages
    queues = [put("SMALL", 1_800), put("LARGE", 1_800, 9_000), put("NP", 9, qqstppt=0, qqstppb=0)]
    rows = parts_of(section_qqst=queues, section_qjst=[{"qjstbffl": 460_800}])
    mib = 2**20
    assert values(rows, "log_growth_mib_per_s") == {
        "whole": 1.0,
        "SMALL": round(2_300 / mib, 9),
        "LARGE": round((9_000 + 1_300 + 3 * 150) / mib, 9),
    }


@pytest.mark.thorough
def test_depths_of_shared_queues_are_entries_of_their_structure_once() -> None:
    queues = [
        put("PAY", 5, qqstdpth=100, **SHARED),
        put("PAY", 5, qqstdpth=120, qmgr="CSQ2", smfid="SYS2", **SHARED),
        put("ORDER", 5, qqstdpth=40, **SHARED),
    ]
    entries = [{"r744snam": "QSG@APPL1", "r744slel": 1_000, "r744slem": 200, "r744ssrc": 1.0}]
    rows = parts_of(section_qqst=queues, section_r744s=entries)
    assert values(rows, "structure_entries_used_pct") == {"whole": 20.0, "PAY": 12.0, "ORDER": 4.0}


@pytest.mark.thorough
def test_a_buffer_pool_is_divided_by_bytes_put_and_got() -> None:
    queues = [
        put("A", 3, 100, qqstgetb=300, qqstbpid=1),
        put("B", 1, 100, qqstgetb=100, qqstbpid=1),
        put("C", 9, 100, qqstbpid=2),
    ]
    pool = [{"qpstpool": 1, "qpstnbuf": 100, "qpstcbsl": 60}]
    rows = parts_of(section_qqst=queues, section_qpst=pool)
    assert values(rows, "buffer_pool_used_pct") == {"whole": 40.0, "A": 30.0, "B": 10.0}


@pytest.mark.thorough
def test_the_highest_rate_of_a_private_queue_names_the_busiest() -> None:
    later: dict[str, Any] = between(START + HALF_HOUR, START + 2 * HALF_HOUR)
    queues = [
        put("STEADY", 5_400),
        put("STEADY", 5_400, **later),
        put("BURST", 9_000),
        put("SHARED", 90_000, qqstqsgn="QSG1", qqstcfst="APPL1"),
    ]
    rows = parts_of(section_qqst=queues)
    assert values(rows, "private_queue_messages_per_s") == {"BURST": 5.0, "STEADY": 3.0}


@pytest.mark.thorough
def test_messages_of_shared_queues_are_elements_by_the_mean_length_that_all_members_put() -> None:
    member: dict[str, Any] = {"qmgr": "CSQ2", "smfid": "SYS2"}
    queues = [
        put("PAY", 3, 200, qqstdpth=100, **SHARED),
        put("PAY", 1, 1_400, qqstdpth=100, **member, **SHARED),  # 500 bytes in the mean
        put("OLD", 0, qqstdpth=10, **SHARED),
    ]
    use = {"r744slel": 1_000, "r744slem": 200, "r744smae": 2_000, "r744scue": 1_000}
    structures = [
        {"r744snam": "QSG@APPL1", "r744ssrc": 1.0, **use},
        {"r744snam": "QSG@LOCK1", "r744ssrc": 1.0, "r744smae": 0, "r744scue": 0},
    ]
    rows = parts_of(section_qqst=queues, section_r744s=structures)
    assert values(rows, "structure_elements_used_pct") == {"whole": 50.0, "PAY": 20.0, "OLD": 1.0}


@pytest.mark.thorough
def test_a_structure_with_many_millions_of_elements_is_divided_like_any_other() -> None:
    day: dict[str, Any] = between(START, START + 24 * 2 * HALF_HOUR)
    million = 10**6
    queues = [put("PAY", 9, 60_000, qqstdpth=10 * million, **SHARED, **day)]
    use = {"r744slel": 40 * million, "r744slem": 20 * million}
    elements = {"r744smae": 9_440 * million, "r744scue": 4_720 * million}
    structures = [{"r744snam": "QSG@APPL1", "r744ssrc": 1.0, **use, **elements, **day}]
    rows = parts_of(section_qqst=queues, section_r744s=structures)
    for metric in ("structure_entries_used_pct", "structure_elements_used_pct"):
        assert values(rows, metric) == {"whole": 50.0, "PAY": 25.0}


@pytest.mark.thorough
def test_channels_are_counted_by_instances_and_their_storage_by_the_book() -> None:
    quarter = timedelta(minutes=15)
    channels: list[Any] = [{"qcstchnm": "A.TO.B", "qcstcnnm": name} for name in ("1", "2")]
    channels.append({"qcstchnm": "APP.SVRCONN", **between(START, START + quarter)})
    control = [{"qcctnocc": 4, "qcctstus": 100}]
    rows = parts_of(section_qcst=channels, section_qcct=control)
    assert values(rows, "channels_current_count", "channel") == {
        "whole": 4.0,
        "A.TO.B": 2.0,
        "APP.SVRCONN": 0.5,
    }
    assert values(rows, "chinit_31bit_used_mib", "channel") == {
        "whole": 100.0,
        "A.TO.B": round(2 * 90 / 1_024, 9),
        "APP.SVRCONN": round(45 / 1_024 + 1e-12, 9),
    }


@pytest.mark.thorough
def test_client_channels_are_divided_above_the_bar_by_their_message_buffers() -> None:
    client: dict[str, Any] = {"qcstchty": 7, "mq_level": "9.4.0", "qcstcscv": 1}
    channels = [
        {"qcstchnm": "APP", "qcstcnnm": "1", **client, "qcstnmsg": 9, "qcstnbyt": 9 * 300_000},
        {"qcstchnm": "APP", "qcstcnnm": "2", **client, "qcstcscv": 0},
        {"qcstchnm": "SMALL", "qcstcnnm": "3", **client, "qcstcscv": 10},
        {"qcstchnm": "A.TO.B", "qcstcnnm": "4", **client, "qcstchty": 1},
        {"qcstchnm": "OLD", "qcstcnnm": "5", "qmgr": "CSQ2", **client, "mq_level": "9.3.5"},
    ]
    control = [{"qcctnocc": 4, "qcctstus": 100, "qcctstab": 80}]
    rows = parts_of(section_qcst=channels, section_qcct=control)
    assert values(rows, "chinit_64bit_used_mib", "channel") == {
        "whole": 80.0,
        "APP": 1.5,  # three buffers of 512 KiB
        "SMALL": round(11 * 4 / 1_024, 9),
    }


@pytest.mark.thorough
def test_a_facility_is_divided_by_requests_and_their_service_time() -> None:
    structures = [
        {"r744snam": "QSG1APPL1", "r744ssrc": 900.0, "r744sarc": 100.0, "r744sstm": 9_000},
        {"r744snam": "QSG1APPL1", "smfid": "SYS2", "r744ssrc": 1_000.0, "r744sstm": 10_000},
        {"r744snam": "ISGLOCK", "r744ssrc": 4_000.0, "r744sarc": 0.0, "r744sstm": 16_000},
        {"r744snam": "ASYNC", "r744ssrc": 0.0, "r744sarc": 590.0, "r744sstm": 0},
    ]
    busy = [{"r744pnum": 0, "r744pbsy": 400_000, "r744pwai": 600_000, "r744ptyp": 0}]
    rows = parts_of(section_r744s=structures, section_r744p=busy, section_r744f=[{"r744fflg": 0}])
    # weights: 2000 x 10 us, 4000 x 4 us, 590 at the mean of the facility (35000 / 5900 us)
    assert values(rows, "cf_busy_pct", "structure") == {
        "whole": 40.0,
        "QSG1APPL1": round(40 * 20_000 / 39_500, 9),
        "ISGLOCK": round(40 * 16_000 / 39_500, 9),
        "ASYNC": round(40 * 3_500 / 39_500, 9),
    }


def instance(level: str | None, kind: int, conversations: int) -> pl.DataFrame:
    values = {"mq_level": level, "qcstchty": kind, "qcstcscv": conversations}
    return pl.DataFrame(
        {name: [value] for name, value in values.items()}, schema_overrides={"mq_level": pl.String}
    )


@pytest.mark.parametrize("conversations", [0, 1, 2, 10])
@pytest.mark.parametrize(
    "length", [0, 1_024, 3_596, 3_597, 32_768, 1_048_076, 1_048_077, 5_242_880]
)
def test_a_client_channel_takes_the_storage_of_the_book(conversations: int, length: int) -> None:
    client = instance("9.4.0", CLIENT, conversations).with_columns(
        messages=pl.lit(4), message_bytes=pl.lit(4 * length)
    )
    [(found,)] = client.select(buffers() * buffer_bytes()).rows()
    shared = {"sharecnv": min(conversations, 1) * 10, "curshcnv": max(conversations, 1)}
    book = get("CHI-SVRCONN-64").answer({"message_bytes": length, **shared})
    assert found == pytest.approx(book["bytes_per_channel"])


@pytest.mark.parametrize(
    ("level", "kind", "has_buffers"),
    [
        ("9.3.5", CLIENT, False),
        ("9.4.0", CLIENT, True),
        ("9.4.5", CLIENT, True),
        ("10.0.0", CLIENT, True),
        (None, CLIENT, False),
        ("", CLIENT, False),
        ("9.4.0", SENDER, False),
    ],
)
def test_only_clients_from_9_4_have_buffers_above_the_bar(
    level: str | None, kind: int, *, has_buffers: bool
) -> None:
    [(found,)] = instance(level, kind, 1).select(buffers()).rows()
    assert (found is not None) is has_buffers


def elements(puts: int, put_bytes: int) -> int:
    rows = pl.DataFrame({"puts": [puts], "put_bytes": [put_bytes]})
    found = rows.select(elements_per_message(pl.col("puts"), pl.col("put_bytes")))
    return int(found.item())


@pytest.mark.parametrize("length", [0, 10, 140, 141, 300, 5_000, 16_384, 64_512])
def test_a_message_in_the_structure_takes_the_elements_of_the_book(length: int) -> None:
    book = get("CFS-ELEMENTS").answer({"message_bytes": length})
    assert elements(3, 3 * length) == book["elements"]


@pytest.mark.parametrize(
    ("puts", "put_bytes", "expected"),
    [(0, 0, 2), (1, 64_511, 254), (1, 64_512, 254), (1, 64_513, 2), (2, 129_025, 2)],
)
def test_of_offloaded_messages_and_unknown_lengths_the_header_stays(
    puts: int, put_bytes: int, expected: int
) -> None:
    assert elements(puts, put_bytes) == expected


@pytest.mark.thorough
def test_dynamic_queues_are_one_part() -> None:
    unique = ("CSQ.DA12F0C4B3E5D7A1", "CSQ.DA12F0C4B3E5D7FF", "REPLY.DA12F0C4B3E5")
    queues = [put(name, 5) for name in (*unique, "CSQ.DA12F0C4B3E")]
    rows = parts_of(section_qqst=queues, section_qmst=[{"qmstput": 14, "qmstput1": 0}])
    names = values(rows, "messages_put_per_s").keys()
    assert names == {"whole", "CSQ.*", "CSQ.DA12F0C4B3E", "REPLY.*"}


def test_a_part_has_a_subject_an_amount_above_zero_and_a_name_or_is_another() -> None:
    table = pl.LazyFrame(
        {"name": ["PAY.IN", " ", None, "B", "C"], "of": [*["PLEX1/CSQ1"] * 4, None],
         "counted": [1, 1, 1, 0, 1], "hour_date": [DAY] * 5, "site_date": [DAY] * 5}
    )  # fmt: skip
    figure = ("example_count", pl.col("of"), "counted")
    rows = part_rows(table, PartKind.queue, pl.col("name"), figure)
    made = rows.select("metric", "breakdown", "kind", "part", "amount").collect().rows()
    assert made == [
        ("example_count", "queue", kind, part, 1)
        for kind, part in (("queue", "PAY.IN"), ("other", "no queue"), ("other", "no queue"))
    ]
