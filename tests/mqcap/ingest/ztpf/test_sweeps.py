"""Sweeps of one file."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from mqcap.domain.source import SourceSummary
from mqcap.ingest.ztpf.sweeps import Sweeps

EMPTY = SourceSummary(
    framing="text",
    content_bytes=1,
    decoded_bytes=1,
    skipped_bytes=0,
    quarantined_bytes=0,
    record_count=0,
    rows_by_dataset={},
)
LOCAL = datetime(2026, 7, 9, 23, 59, 59, tzinfo=ZoneInfo("America/New_York"))


def test_sweeps_of_one_second_are_apart_by_their_sequence() -> None:
    sweeps = Sweeps("f" * 64)
    for queue in ("A", "B", "A"):
        sweeps.add("TPF1", queue, LOCAL)
    assert len(sweeps) == 3
    assert sweeps.table().to_pylist()[2] == {
        "system": "TPF1",
        "queue": "A",
        "local_date": "2026-07-09",
        "local_time": "23.59.59",
        "sequence": 2,
        "file_sha256": "f" * 64,
    }


def test_a_summary_counts_sweeps_and_has_their_times_and_the_dates_around_them() -> None:
    sweeps = Sweeps("f" * 64)
    assert sweeps.added_to(EMPTY) is EMPTY
    sweeps.add("TPF1", "A", LOCAL)
    made = sweeps.added_to(EMPTY)
    assert (made.record_count, made.rows_by_dataset) == (1, {"ztpf_sweep": 1})
    assert str(made.first_interval_utc) == "2026-07-10 03:59:59+00:00"
    assert str(made.last_interval_utc) == "2026-07-10 04:00:00+00:00"
    assert [day.day for day in made.hour_dates] == [8, 9, 10]
