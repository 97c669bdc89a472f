"""Data of the what-if chart."""

from __future__ import annotations

import pytest

from mq_capacity_page.pages.whatif.chart_data import whatif_chart_data
from mq_capacity_page.pages.whatif.view import WhatifRequest
from mq_capacity_page.web.context import PageContext
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import Statistic
from tests.plugins import builder

SUBJECT = "PLEX1/CSQ1"


def request(series: str = "", start: str = "", **fields: str) -> WhatifRequest:
    return WhatifRequest(SUBJECT, builder.DAY, start, series, fields)


def test_the_chart_has_the_series_and_what_the_scenario_makes_of_it(context: PageContext) -> None:
    data = whatif_chart_data(
        context, request(builder.LOG, growth="20-60", logsize="4096"), Statistic.peak
    )
    assert data is not None
    series, overlay = data
    assert series.unit == "MiB/s"
    assert len(overlay.forecasts) == 2
    assert list(overlay.limits) == pytest.approx([4_096 / 1_800] * 2)
    assert overlay.start is None


@pytest.mark.parametrize(
    ("statistic", "limit"),
    [
        (Statistic.peak, 4_096 / 1_800),  # LOG-FILL-30MIN
        (Statistic.p95, 7 * 4_096 / (12 * 3_600)),  # LOG-RUNWAY-12H
        (Statistic.mean, 7 * 4_096 / (24 * 3_600)),  # LOG-DAY-ACTIVE
    ],
)
def test_limits_are_those_of_the_rules_that_watch_the_drawn_statistic(
    context: PageContext, statistic: Statistic, limit: float
) -> None:
    data = whatif_chart_data(context, request(builder.LOG, logsize="4096", logs="8"), statistic)
    assert data is not None
    assert list(data[1].limits) == pytest.approx([limit])


def test_an_unknown_series_has_no_chart(context: PageContext) -> None:
    assert whatif_chart_data(context, request("none"), Statistic.peak) is None


def test_a_chart_of_an_invalid_scenario_is_an_error(context: PageContext) -> None:
    with pytest.raises(ConfigurationError, match="is not a number"):
        whatif_chart_data(context, request(builder.LOG, growth="x"), Statistic.peak)
