from __future__ import annotations

from spark_apps.metrics import local_queues
from tests.spark_apps.rows import levels, sections

CSQ1 = "PLEX1/CSQ1"


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
