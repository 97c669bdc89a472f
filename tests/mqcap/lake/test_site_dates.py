"""Rows are read by site date, wherever their UTC dates are."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pyarrow.compute as pc

from mqcap.domain.datasets import METRIC_PART
from mqcap.lake.parts import rows_of_site_dates
from tests.mqcap.lake.parts import FIRST, row, write_parts

DAY = timedelta(days=1)


def test_rows_of_neighbouring_utc_dates_count_by_their_site_date(tmp_path: Path) -> None:
    pieces = [
        row(FIRST - DAY, value=1.0, hour_date=FIRST),
        row(FIRST, value=2.0, hour_date=FIRST - DAY),
        row(FIRST, value=3.0, hour_date=FIRST + DAY),
        row(FIRST + DAY, value=4.0, hour_date=FIRST),
    ]
    write_parts(tmp_path, pieces)
    found = rows_of_site_dates(tmp_path, METRIC_PART, FIRST, FIRST, ["value"])
    assert sorted(each["value"] for each in found) == [2.0, 3.0]
    large = pc.field("value") > 2.0
    assert rows_of_site_dates(tmp_path, METRIC_PART, FIRST, FIRST, ["value"], large) == [
        {"value": 3.0}
    ]


def test_a_lake_without_the_dataset_has_no_rows(tmp_path: Path) -> None:
    assert rows_of_site_dates(tmp_path, METRIC_PART, FIRST, FIRST, ["value"]) == []


def test_a_long_range_has_the_rows_of_a_short_one(tmp_path: Path) -> None:
    last = FIRST + 40 * DAY
    write_parts(tmp_path, [row(FIRST + number * DAY, value=float(number)) for number in range(41)])
    for days in (0, 11, 12, 39):
        first = last - days * DAY
        found = rows_of_site_dates(tmp_path, METRIC_PART, first, last, ["value"])
        assert [each["value"] for each in found] == [float(40 - days + n) for n in range(days + 1)]
