from __future__ import annotations

from datetime import timedelta

from spark_apps.metrics import console
from tests.spark_apps.rows import START, levels, sections

CSQ1 = "PLEX1/CSQ1"


def test_messages_are_counted_in_the_hours_that_have_them() -> None:
    events = [
        {"message_id": text, "event_utc": START + timedelta(minutes=after)}
        for text, after in (("CSQW133E", 1), ("CSQW133E", 2), ("CSQJ160I", 3), ("CSQW133E", 61))
    ]
    by_subject = levels(console.message_counts(sections(console_event=events)))
    assert {key: sorted(counted) for key, counted in by_subject.items()} == {
        ("trace_lost_count", CSQ1): [1.0, 2.0],
        ("long_unit_of_work_count", CSQ1): [1.0],
    }
