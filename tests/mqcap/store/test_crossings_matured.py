"""Site corrections by day, and the probabilities that they rest on, in both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine

from mqcap.domain.metric import Direction
from mqcap.domain.score import SiteCorrection
from mqcap.store.crossings import (
    find_site_correction,
    matured_probabilities,
    origin_dates,
    replace_crossings,
    replace_site_correction,
)
from mqcap.store.fetch import fetch_values
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.observations import replace_observations
from mqcap.store.series import upsert_series
from tests.factories import DAY, crossing, forecast, observation, series_facts

LATER = DAY + timedelta(days=30)


def test_the_last_correction_of_a_day_is_the_stored_one(engine: Engine) -> None:
    assert find_site_correction(engine, DAY) is None
    for shift in (0.1, -0.2):
        made = SiteCorrection(cutoff_date=DAY, shift=shift, limit_count=50, case_count=70)
        replace_site_correction(engine, made)
        assert find_site_correction(engine, DAY) == made
    assert find_site_correction(engine, LATER) is None


def test_the_first_evaluated_day_of_each_month_is_an_origin(engine: Engine) -> None:
    days = [DAY + timedelta(days=number) for number in (-40, -39, 0, 1, 2, 29)]
    for day in days:
        replace_site_correction(engine, SiteCorrection(cutoff_date=day))
    found = fetch_values(engine, origin_dates(DAY + timedelta(days=90)))
    assert sorted(found) == [min(days), DAY]


@pytest.mark.parametrize(("direction", "furthest"), [("upward", 7.0), ("downward", 3.0)])
def test_a_matured_probability_has_the_figure_furthest_towards_its_limit(
    engine: Engine, direction: str, furthest: float
) -> None:
    stated = crossing(direction=Direction(direction), probability_30_days=0.3)
    upsert_series(engine, [series_facts(series_id=stated.series_id)])
    measured = {DAY: 9.0, DAY + timedelta(days=1): 3.0, LATER: 7.0, LATER + timedelta(days=1): 1.0}
    rows = [
        observation(series_id=stated.series_id, site_date=day, peak=value, p95=value, mean=value)
        for day, value in measured.items()
    ]
    replace_observations(engine, measured, rows, {})
    replace_forecasts(
        engine, DAY, [forecast(series_id=stated.series_id, statistic=stated.statistic)]
    )
    replace_crossings(engine, DAY, [stated])
    replace_site_correction(engine, SiteCorrection(cutoff_date=DAY, shift=0.1))
    [found] = matured_probabilities(engine, LATER)
    assert (found.probability, found.shift, found.furthest) == (0.3, 0.1, furthest)
    assert (found.rule_id, found.subject) == (stated.rule_id, stated.subject)
    assert list(matured_probabilities(engine, LATER - timedelta(days=1))) == []
