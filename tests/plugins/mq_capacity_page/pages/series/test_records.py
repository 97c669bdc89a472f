"""From a point of a chart to hours and records, as a model."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from mq_capacity_page.pages.series.sub_daily import (
    day_figures,
    missing_hours,
    parse_moment,
    records_view,
)
from mq_capacity_page.web.context import PageContext, View
from mqcap.lake.readers import HourValue
from tests.plugins import builder, lake


@pytest.fixture
def with_lake(context: PageContext, tmp_path: Path) -> PageContext:
    lake.fill(tmp_path)
    lake.know_files(tmp_path)
    return context


def view_of(context: PageContext, at: str) -> View:
    view = records_view(context, builder.LOG, at)
    assert view is not None
    return view


@pytest.mark.parametrize(
    ("at", "day", "hour"),
    [
        ("2026-01-05", date(2026, 1, 5), None),
        ("2026-01-05T06:00Z", date(2026, 1, 5), datetime(2026, 1, 5, 6, tzinfo=UTC)),
        ("2026-01-05T06:59Z", date(2026, 1, 5), datetime(2026, 1, 5, 6, tzinfo=UTC)),
        ("2026-01-05T23:30Z", date(2026, 1, 6), datetime(2026, 1, 5, 23, tzinfo=UTC)),
        ("2026-01-05T06:30+02:00", date(2026, 1, 5), datetime(2026, 1, 5, 4, tzinfo=UTC)),
    ],
    ids=["day", "hour", "minute", "next-day-in-the-zone", "offset"],
)
def test_an_address_is_a_site_day_or_an_hour(at: str, day: date, hour: datetime | None) -> None:
    assert parse_moment(at, "Europe/Copenhagen") == (day, hour)


@pytest.mark.parametrize("at", ["", "x", "2026-13-01", "2026-01-31T09:00", "yesterday!"])
def test_anything_else_is_refused(at: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_moment(at, "UTC")


def test_a_day_shows_the_records_of_its_busiest_hour(with_lake: PageContext) -> None:
    view = view_of(with_lake, str(builder.DAY))
    assert view.busiest == "2026-01-31T09:00Z"
    assert view.hour.at == view.busiest
    assert view.until == lake.BUSIEST + timedelta(hours=1)
    first, again = view.lineage.records
    assert (first.what, first.smfid, first.repeated, again.repeated) == (
        "115.1 QJST 1",
        "SYS1",
        False,
        True,
    )


def test_an_hour_shows_its_own_records_and_its_day(with_lake: PageContext) -> None:
    view = view_of(with_lake, "2026-01-30T23:00Z")
    assert view.day == builder.DAY
    assert view.hour.at == "2026-01-30T23:00Z"
    assert len(view.hours) == 23
    assert view.missing == [lake.GAP]


def test_an_hour_that_was_not_measured_has_no_records(with_lake: PageContext) -> None:
    view = view_of(with_lake, "2026-01-31T04:00Z")
    assert (view.hour, view.until, view.lineage) == (None, None, None)


def test_a_day_without_hours_still_has_its_figures(with_lake: PageContext) -> None:
    view = view_of(with_lake, "2026-01-05")
    assert [figure.name for figure in view.figures] == [
        "Daily peak",
        "95th percentile",
        "Daily mean",
    ]
    assert (view.hours, view.missing) == ([], [])


def test_figures_of_a_day_state_how_they_are_computed() -> None:
    [newest] = builder.history(builder.LOG, 1)
    peak, p95, mean = day_figures(newest, "MiB/s")
    assert (str(peak.value), peak.value.note) == ("9,000 MB/hour", "2.5 MiB/s")
    assert peak.method.endswith("in the hour of 31 Jan 2026 09:00 UTC")
    assert p95.method == "of the means of the measured hours, linear"
    assert mean.method == "of 24 hours measured, weighted by covered time"


def test_hours_are_missing_only_beside_measured_ones() -> None:
    begin = datetime(2026, 1, 31, tzinfo=UTC)
    hour = HourValue(hour_utc=begin + timedelta(hours=1), value=1.0, peak=1.0,
                     peak_interval_start_utc=begin, covered_seconds=3_600.0,
                     interval_count=1)  # fmt: skip
    end = begin + timedelta(hours=3)
    assert missing_hours([hour], begin, end) == [begin, begin + timedelta(hours=2)]
    assert missing_hours([], begin, end) == []
