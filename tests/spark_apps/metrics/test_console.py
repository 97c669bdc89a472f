"""Counts and events of the console."""

from datetime import timedelta
from decimal import Decimal

import pytest

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


def test_the_end_of_a_recovery_is_foreseen_as_in_the_report() -> None:
    places = [(0, "3E022000"), (120, "2E39A11D"), (240, "1E686466"), (1_000, "0EAB6000")]
    events = [
        {
            "message_id": "CSQR032I",
            "event_utc": START - timedelta(seconds=1),
            "start_rba": Decimal(int("3E022000", 16)),
            "end_rba": Decimal(int("08561B58", 16)),
        },
        *(
            {
                "message_id": "CSQR033I",
                "event_utc": START + timedelta(seconds=after),
                "start_rba": Decimal(int(place, 16)),
            }
            for after, place in places
        ),
    ]
    by_subject = levels(console.recovery_time(sections(console_event=events)))
    [(key, remaining)] = by_subject.items()
    assert key == ("recovery_remaining_s", CSQ1)
    assert remaining == pytest.approx([288.069, 167.447], abs=0.001)
