"""The deepest shared queue and the deepest queue of the IMS bridge, from rows of 115.216."""

from __future__ import annotations

from spark_apps.metrics.local_queues import PARTIAL, queue_depths
from tests.spark_apps.rows import levels, sections

CSQ1 = "PLEX1/CSQ1"
PRIVATE = {"qqstflag": 0, "qqstcfst": " "}


def test_the_highest_depth_of_the_shared_queues_counts() -> None:
    rows = [
        {"qqstqnam": "A", "qqstcfst": "APPL1", "qqstdphi": 5_000, "qqstdpth": 10, "qqstflag": 0},
        {"qqstqnam": "B", "qqstcfst": "APPL2", "qqstdphi": None, "qqstdpth": 6_001, "qqstflag": 0},
        {"qqstqnam": "C", "qqstcfst": "APPL2", "qqstdphi": 9_999, "qqstflag": PARTIAL},
        {"qqstqnam": "D", "qqstcfst": " ", "qqstdphi": 99_999, "qqstflag": 0},
    ]
    assert levels(queue_depths(sections(section_qqst=rows))) == {
        ("shared_queue_depth_count", CSQ1): [6_001]
    }


def test_only_queues_that_the_estate_names_are_of_the_bridge() -> None:
    rows = [
        {"qqstqnam": "IMS.A", "qqstdphi": 6, **PRIVATE},
        {"qqstqnam": "IMS.B", "qqstdphi": 3, **PRIVATE},
        {"qqstqnam": "OTHER", "qqstdphi": 99, **PRIVATE},
        {"qmgr": "CSQ2", "qqstqnam": "IMS.A", "qqstdphi": 77, **PRIVATE},
    ]
    bridges = {CSQ1: ("IMS.B", "IMS.A")}
    assert levels(queue_depths(sections(bridge_queues=bridges, section_qqst=rows))) == {
        ("bridge_queue_depth_count", CSQ1): [6]
    }
