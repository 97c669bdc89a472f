"""Hours and intervals of a series from the lake."""

from __future__ import annotations

from pathlib import Path

import pytest

from mq_capacity_page.pages.series.sub_daily import (
    Resolution,
    sub_daily_chart_data,
    sub_daily_rows,
    sub_daily_values,
)
from mq_capacity_page.web.context import PageContext
from mqcap.domain.metric import Statistic
from mqcap.store.crossings import replace_crossings
from tests.plugins import builder, lake

FACTS = builder.facts(builder.LOG)


@pytest.fixture
def with_lake(context: PageContext, tmp_path: Path) -> PageContext:
    lake.fill(tmp_path)
    return context


def test_hours_span_fourteen_site_days_of_the_sysplex(with_lake: PageContext) -> None:
    data = sub_daily_values(with_lake, FACTS, builder.DAY, Resolution.hourly)
    assert data.begin.isoformat() == "2026-01-17T23:00:00+00:00"
    assert data.end.isoformat() == "2026-01-31T23:00:00+00:00"
    assert len(data.hours) == lake.HOURS - 1
    assert list(data.intervals) == []


def test_intervals_span_three_site_days(with_lake: PageContext) -> None:
    data = sub_daily_values(with_lake, FACTS, builder.DAY, Resolution.interval)
    assert (data.end - data.begin).days == 3
    assert len(data.intervals) == 2 * (lake.HOURS - 1)


def test_days_are_not_read_from_the_lake(with_lake: PageContext) -> None:
    with pytest.raises(ValueError, match="in the store"):
        sub_daily_values(with_lake, FACTS, builder.DAY, Resolution.daily)


def test_a_series_without_hours_is_empty(with_lake: PageContext) -> None:
    data = sub_daily_values(with_lake, builder.facts(builder.CF), builder.DAY, Resolution.hourly)
    assert sub_daily_rows(data) == []


def test_rows_are_printed_newest_first_with_their_address(with_lake: PageContext) -> None:
    hours = sub_daily_rows(sub_daily_values(with_lake, FACTS, builder.DAY, Resolution.hourly))
    assert hours[0].at == "2026-01-31T22:00Z"
    assert (str(hours[0].peak), str(hours[0].mean)) == ("7,200 MB/hour", "5,400 MB/hour")
    assert (hours[0].minutes, hours[0].intervals) == ("60", 2)
    intervals = sub_daily_rows(sub_daily_values(with_lake, FACTS, builder.DAY, Resolution.interval))
    assert intervals[0].at == "2026-01-31T22:30Z"
    assert (intervals[0].minutes, intervals[0].intervals) == ("30", 1)
    assert intervals[0].mean == intervals[0].peak


def test_a_limit_on_daily_means_is_not_drawn_over_hours(with_lake: PageContext) -> None:
    mean = builder.crossing(rule_id="MEAN", statistic=Statistic.mean)
    replace_crossings(with_lake.engine, builder.DAY, [builder.crossing(), mean])
    data = sub_daily_chart_data(with_lake, FACTS, builder.DAY, Resolution.hourly)
    assert [crossing.rule_id for crossing in data.crossings] == ["LOG-FILL-30MIN"]
