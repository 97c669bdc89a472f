from __future__ import annotations

from spark_apps.metrics import local_queues
from tests.spark_apps.rows import levels, sections


def test_puts_of_both_calls_are_counted_by_the_second() -> None:
    rows = [{"qmstput": 3_000, "qmstput1": 600}]
    assert levels(local_queues.messages_put(sections(section_qmst=rows))) == {
        ("messages_put_per_s", "PLEX1/CSQ1"): [2.0]
    }
