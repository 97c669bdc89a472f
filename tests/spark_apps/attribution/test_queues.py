"""Log, messages, pools and structures are divided by queue."""

from __future__ import annotations

from typing import Any

import pytest

from tests.spark_apps.attribution.parts import parts_of, put, values
from tests.spark_apps.rows import HALF_HOUR, START, between


@pytest.mark.thorough
def test_log_bytes_of_a_queue_are_those_of_the_formula_for_its_persistent_messages() -> None:
    # 1800 messages of 1000 bytes, and 1800 of 9000 bytes in three pages
    queues = [put("SMALL", 1_800), put("LARGE", 1_800, 9_000), put("NP", 9, qqstppt=0, qqstppb=0)]
    rows = parts_of(section_qqst=queues, section_qjst=[{"qjstbffl": 460_800}])
    mib = 2**20
    assert values(rows, "log_growth_mib_per_s") == {
        ("", "whole", ""): 1.0,
        ("queue", "queue", "SMALL"): round(2_300 / mib, 9),
        ("queue", "queue", "LARGE"): round((9_000 + 1_300 + 3 * 150) / mib, 9),
    }


@pytest.mark.thorough
def test_depths_of_shared_queues_are_entries_of_their_structure_once() -> None:
    shared: dict[str, Any] = {"qqstqsgn": "QSG", "qqstcfst": "APPL1", "qqstbpid": -1}
    queues = [
        put("PAY", 5, qqstdpth=100, **shared),
        put("PAY", 5, qqstdpth=120, qmgr="CSQ2", smfid="SYS2", **shared),
        put("ORDER", 5, qqstdpth=40, **shared),
    ]
    entries = [{"r744snam": "QSG@APPL1", "r744slel": 1_000, "r744slem": 200, "r744ssrc": 1.0}]
    rows = parts_of(section_qqst=queues, section_r744s=entries)
    assert values(rows, "structure_entries_used_pct") == {
        ("", "whole", ""): 20.0,
        ("queue", "queue", "PAY"): 12.0,
        ("queue", "queue", "ORDER"): 4.0,
    }


@pytest.mark.thorough
def test_a_buffer_pool_is_divided_by_bytes_put_and_got() -> None:
    queues = [
        put("A", 3, 100, qqstgetb=300, qqstbpid=1),
        put("B", 1, 100, qqstgetb=100, qqstbpid=1),
        put("C", 9, 100, qqstbpid=2),
    ]
    pool = [{"qpstpool": 1, "qpstnbuf": 100, "qpstcbsl": 60}]
    rows = parts_of(section_qqst=queues, section_qpst=pool)
    assert values(rows, "buffer_pool_used_pct") == {
        ("", "whole", ""): 40.0,
        ("queue", "queue", "A"): 30.0,
        ("queue", "queue", "B"): 10.0,
    }


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
    assert values(rows, "private_queue_messages_per_s") == {
        ("queue", "queue", "BURST"): 5.0,
        ("queue", "queue", "STEADY"): 3.0,
    }


@pytest.mark.thorough
def test_messages_of_shared_queues_are_elements_by_the_mean_length_that_all_members_put() -> None:
    shared: dict[str, Any] = {"qqstqsgn": "QSG", "qqstcfst": "APPL1", "qqstbpid": -1}
    member: dict[str, Any] = {"qmgr": "CSQ2", "smfid": "SYS2"}
    queues = [
        put("PAY", 3, 200, qqstdpth=100, **shared),
        put("PAY", 1, 1_400, qqstdpth=100, **member, **shared),  # 500 bytes in the mean
        put("OLD", 0, qqstdpth=10, **shared),
    ]
    use = {"r744slel": 1_000, "r744slem": 200, "r744smae": 2_000, "r744scue": 1_000}
    structures = [
        {"r744snam": "QSG@APPL1", "r744ssrc": 1.0, **use},
        {"r744snam": "QSG@LOCK1", "r744ssrc": 1.0, "r744smae": 0, "r744scue": 0},
    ]
    rows = parts_of(section_qqst=queues, section_r744s=structures)
    assert values(rows, "structure_elements_used_pct") == {
        ("", "whole", ""): 50.0,
        ("queue", "queue", "PAY"): 20.0,
        ("queue", "queue", "OLD"): 1.0,
    }


@pytest.mark.thorough
def test_a_structure_with_many_millions_of_elements_is_divided_like_any_other() -> None:
    shared: dict[str, Any] = {"qqstqsgn": "QSG", "qqstcfst": "APPL1", "qqstbpid": -1}
    day: dict[str, Any] = between(START, START + 24 * 2 * HALF_HOUR)
    million = 10**6
    queues = [put("PAY", 9, 60_000, qqstdpth=10 * million, **shared, **day)]
    use = {"r744slel": 40 * million, "r744slem": 20 * million}
    elements = {"r744smae": 9_440 * million, "r744scue": 4_720 * million}
    structures = [{"r744snam": "QSG@APPL1", "r744ssrc": 1.0, **use, **elements, **day}]
    rows = parts_of(section_qqst=queues, section_r744s=structures)
    for metric in ("structure_entries_used_pct", "structure_elements_used_pct"):
        assert values(rows, metric) == {("", "whole", ""): 50.0, ("queue", "queue", "PAY"): 25.0}
