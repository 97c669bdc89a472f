"""Local queues: depths, puts, and what waits."""

from spark_apps.metrics import local_queues
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


def test_puts_of_both_calls_are_counted_by_the_second() -> None:
    rows = [{"qmstput": 3_000, "qmstput1": 600}]
    assert levels(local_queues.messages_put(sections(section_qmst=rows))) == {
        ("messages_put_per_s", "PLEX1/CSQ1"): [2.0]
    }


def test_the_busiest_private_queue_and_empty_gets_of_shared_queues_are_measured() -> None:
    puts = {"qqstcfst": " ", "qqstput1": 0, "qqstpt1b": 0}
    rows = [
        {**puts, "qqstqnam": "A", "qqstputs": 1_800, "qqstput1": 1_800, "qqstputb": 7_200},
        {**puts, "qqstqnam": "B", "qqstputs": 10, "qqstputb": 9_999},
        {
            **puts,
            "qqstqnam": "S",
            "qqstcfst": "APPL1",
            "qqstputs": 99_999,
            "qqstgets": 10,
            "qqstnmag": 25,
        },
    ]
    assert levels(local_queues.queues(sections(section_qqst=rows))) == {
        ("private_queue_messages_per_s", CSQ1): [2.0],
        ("private_queue_message_bytes", CSQ1): [2.0],
        ("shared_empty_gets_per_get", CSQ1): [2.5],
    }
