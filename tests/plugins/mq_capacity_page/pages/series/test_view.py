"""A series as a model."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from mq_capacity_page.pages.series.list_view import series_list_view
from mq_capacity_page.pages.series.view import (
    RECENT_DAYS,
    default_statistic,
    highest,
    lines_of_series,
    months_ahead,
    probabilities,
    recent_days,
    series_view,
)
from mq_capacity_page.queries import fleet_lines_on
from mq_capacity_page.web.context import PageContext
from mqcap.domain.crossing import CrossingState
from mqcap.domain.metric import Statistic
from mqcap.store.crossings import replace_crossings
from tests.plugins import builder


def test_a_series_has_its_findings_limit_and_forecast(context: PageContext) -> None:
    view = series_view(context, builder.LOG, builder.DAY)
    assert view is not None
    assert view.statistic is Statistic.peak
    assert [line.finding.rule_id for line in view.lines] == ["LOG-FILL-30MIN"]
    assert view.other_count == 1
    assert [crossing.rule_id for crossing in view.crossings] == ["LOG-FILL-30MIN"]
    assert view.peak is not None
    assert (view.peak.value, view.peak.site_date) == (2.5, builder.DAY)
    assert view.zone == "Europe/Copenhagen"
    assert view.has_chart


def test_a_series_that_was_never_measured_has_no_chart(context: PageContext) -> None:
    view = series_view(context, builder.QUIET, builder.DAY)
    assert view is not None
    assert not view.has_chart
    assert (view.peak, view.last, view.recent, view.months) == (None, None, [], [])


@pytest.mark.parametrize(
    ("name", "day"), [("log_growth_mib_per_s/PLEX1/NONE", builder.DAY), (builder.LOG, None)]
)
def test_an_unknown_series_and_a_store_without_days_have_no_view(
    context: PageContext, name: str, day: date | None
) -> None:
    assert series_view(context, name, day) is None


def test_a_refused_forecast_gives_the_reason_and_no_months(context: PageContext) -> None:
    view = series_view(context, builder.LOG_TEST, builder.DAY)
    assert view is not None
    assert view.refusal == "only 12 days were measured; 60 are needed"
    assert view.months == []


def test_only_findings_of_the_series_are_listed_with_it(context: PageContext) -> None:
    lines = fleet_lines_on(context, builder.DAY, "PLEX1")
    own = lines_of_series(lines, builder.facts(builder.LOG))
    assert [line.finding.series_id for line in own] == [builder.LOG]


def test_the_statistic_is_that_of_the_most_urgent_limit_else_the_peak(
    context: PageContext,
) -> None:
    mean = builder.crossing(statistic=Statistic.mean)
    replace_crossings(context.engine, builder.DAY, [mean])
    lines = fleet_lines_on(context, builder.DAY)
    assert default_statistic(lines, builder.LOG) is Statistic.mean
    assert default_statistic(lines, builder.CF) is Statistic.peak


@pytest.mark.parametrize("shown", list(Statistic))
def test_the_reason_of_the_first_date_stands_with_every_statistic_and_is_of_that_of_its_limit(
    context: PageContext, shown: Statistic
) -> None:
    expected = builder.crossing(
        state=CrossingState.will_cross,
        breached_since=None,
        expected_date=builder.DAY + timedelta(days=9),
    )
    replace_crossings(context.engine, builder.DAY, [expected])
    view = series_view(context, builder.LOG, builder.DAY, shown)
    assert view is not None
    reason = dict(view.forecast_text)["Why this date"]
    assert reason.startswith("About half of the simulated courses of the daily peak have passed")


def test_probabilities_are_stated_by_date_and_absent_ones_left_out(context: PageContext) -> None:
    crossing = builder.dated()[1].model_copy(
        update={"probability_30_days": 0.25, "probability_90_days": 0.5}
    )
    replace_crossings(context.engine, builder.DAY, [crossing])
    lines = fleet_lines_on(context, builder.DAY)
    assert probabilities(lines, builder.CF) == [
        ("CF-BUSY-1", [(date(2026, 3, 2), "25 %"), (date(2026, 5, 1), "50 %")])
    ]
    assert probabilities(lines, builder.LOG) == []


def test_recent_days_are_the_newest_ones_newest_first() -> None:
    days = sorted(builder.history(builder.LOG), key=lambda day: day.site_date)
    rows = recent_days(days, "MiB/s")
    assert len(rows) == RECENT_DAYS
    assert rows[0].site_date == builder.DAY
    assert (str(rows[0].peak), rows[0].covered_hours) == ("9,000 MB/hour", "24")
    assert rows[0].busiest == "2026-01-31 09:00 UTC"


def test_a_month_shows_its_highest_expected_day_with_its_bounds() -> None:
    rows = months_ahead(builder.forecast(builder.CF), "%")
    assert [row.month for row in rows] == ["Feb 2026", "Mar 2026", "Apr 2026", "May 2026"]
    assert (rows[0].lower.text, rows[0].expected.text, rows[0].upper.text) == (
        "2.54",
        "2.78",
        "3.02",
    )
    assert months_ahead(None, "%") == []


def test_the_peak_of_the_window_ignores_earlier_days() -> None:
    days = builder.history(builder.LOG)
    high = [
        day.model_copy(update={"peak": 99.0}) if day.site_date == min(d.site_date for d in days)
        else day
        for day in days
    ]  # fmt: skip
    peak = highest(high, builder.DAY - timedelta(days=29))
    assert peak is not None
    assert (peak.value, peak.site_date) == (2.5, builder.DAY)
    assert highest(high, builder.DAY + timedelta(days=1)) is None


def test_the_list_repeats_the_search_and_counts_all_series(context: PageContext) -> None:
    view = series_list_view(context, None, "CF01")
    assert (view.find, len(view.matches), view.total) == ("CF01", 2, 4)
