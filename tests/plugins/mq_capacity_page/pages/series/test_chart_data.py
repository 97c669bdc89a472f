"""Data of the chart of days, read from the store."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mq_capacity_page.pages.series import chart_data
from mq_capacity_page.pages.series.chart_data import series_chart_data
from mq_capacity_page.web.context import PageContext
from mqcap.domain.metric import Statistic
from tests.plugins import builder


def test_the_chart_has_history_forecast_and_limits_of_one_statistic(context: PageContext) -> None:
    data = series_chart_data(context, builder.LOG, builder.DAY, Statistic.peak)
    assert data is not None
    assert len(data.days) == builder.HISTORY_DAYS - 1
    assert data.forecast is not None
    assert [crossing.rule_id for crossing in data.crossings] == ["LOG-FILL-30MIN"]
    p95 = series_chart_data(context, builder.LOG, builder.DAY, Statistic.p95)
    assert p95 is not None
    assert (p95.forecast, list(p95.crossings)) == (None, [])


def test_an_unknown_series_has_no_chart(context: PageContext) -> None:
    assert series_chart_data(context, "none/PLEX1", builder.DAY, Statistic.peak) is None


def test_nothing_after_the_day_shown_is_drawn(context: PageContext) -> None:
    earlier = builder.DAY - timedelta(days=30)
    data = series_chart_data(context, builder.LOG, earlier, Statistic.peak)
    assert data is not None
    assert max(day.site_date for day in data.days) == earlier
    assert data.forecast is None


def test_without_planned_changes_a_limit_has_no_steps(context: PageContext) -> None:
    data = series_chart_data(context, builder.LOG, builder.DAY, Statistic.peak)
    assert data is not None
    assert dict(data.limit_steps) == {}


def test_a_limit_of_a_time_is_drawn_as_the_rate_and_named_as_the_time(
    context: PageContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = series_chart_data(context, builder.LOG, builder.DAY, Statistic.peak)
    lasting = builder.finding(limit_value=30, unit="min", series_limit=2.25)
    monkeypatch.setattr(chart_data, "findings_below", lambda *_: [lasting])
    stated = series_chart_data(context, builder.LOG, builder.DAY, Statistic.peak)
    assert plain is not None
    assert stated is not None
    assert (dict(plain.rule_limits), dict(stated.rule_limits)) == ({}, {"LOG-FILL-30MIN": "30 min"})
