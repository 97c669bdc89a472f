"""Parts are read by series and by site date."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from mqcap.domain.attribution import PartDay
from mqcap.lake.parts import attributed_series, part_dates, part_days
from tests.mqcap.lake.parts import CSQ1, FIRST, METRIC, row, write_parts

DAY = timedelta(days=1)


def test_a_site_date_in_two_utc_dates_has_the_rows_of_both(tmp_path: Path) -> None:
    pieces = [
        row(FIRST, "A", 2.0, hour_date=FIRST - DAY),
        row(FIRST, "A", 1.0),
        row(FIRST, "B", 9.0, subject="PLEX1/CSQ2"),
        row(FIRST + DAY, "A", 9.0),
        row(FIRST + DAY, "A", 9.0, hour_date=FIRST + 2 * DAY),
    ]
    write_parts(tmp_path, pieces)
    assert part_days(tmp_path, METRIC, CSQ1, FIRST, FIRST) == [
        PartDay(FIRST, "queue", "queue", "A", 1.0, 86_400.0),
        PartDay(FIRST, "queue", "queue", "A", 2.0, 86_400.0),
    ]
    assert len(part_days(tmp_path, METRIC, CSQ1, FIRST, FIRST + DAY)) == 4


def test_series_with_parts_are_those_of_the_days(tmp_path: Path) -> None:
    write_parts(tmp_path, [row(FIRST), row(FIRST + 3 * DAY, subject="PLEX1/CSQ2")])
    assert attributed_series(tmp_path, FIRST, FIRST) == [f"{METRIC}/{CSQ1}"]
    assert part_dates(tmp_path) == [FIRST, FIRST + 3 * DAY]


def test_a_lake_without_parts_has_none(tmp_path: Path) -> None:
    assert part_days(tmp_path, METRIC, CSQ1, FIRST, FIRST) == []
    assert (part_dates(tmp_path), attributed_series(tmp_path, FIRST, FIRST)) == ([], [])
