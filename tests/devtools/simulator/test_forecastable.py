"""The planted crossings can be dated from the simulated history alone."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

from devtools.simulator.facility.coupling_facility import simulate_coupling_facility
from devtools.simulator.queue_manager import simulate_queue_manager, simulated_period
from devtools.simulator.spec import sample_spec
from devtools.simulator.timeline import Grid, date_of
from devtools.simulator.truth import CrossingClass, planted_truths
from devtools.simulator.workload import Float64s
from forecasting import ForecastOptions, forecast_series

_LAST = date(2026, 11, 21)
_TOLERANCE_DAYS = 35
"""Weekly pattern and month end decide within a few weeks which day is the first one."""


def _daily_peaks(grid: Grid, interval_values: Float64s) -> dict[date, float]:
    days, places = np.unique(grid.local_day, return_inverse=True)
    peaks = np.zeros(len(days))
    np.maximum.at(peaks, places, interval_values)
    return {date_of(day): peak for day, peak in zip(days.tolist(), peaks.tolist(), strict=True)}


def _history(metric: str, name: str) -> dict[date, float]:
    spec = sample_spec()
    plex = spec.sysplexes[0]
    span = simulated_period(spec, _LAST - timedelta(days=399), _LAST)
    if metric == "cf_busy_pct":
        facility = next(item for item in plex.cfs if item.name == name)
        cf = simulate_coupling_facility(plex, facility, span)
        assert cf is not None
        return _daily_peaks(cf.grid, 100 * cf.busy_ratio)
    qmgr = next(item for item in plex.qmgrs if item.name == name)
    made = simulate_queue_manager(plex, qmgr, span)
    assert made is not None
    if metric == "log_growth_mib_per_s":
        return _daily_peaks(made.grid, made.log_bytes / 2**20 / made.grid.seconds)
    return _daily_peaks(made.grid, 100 * made.storage.used_31bit_mib / qmgr.chinit.region_31bit_mib)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("metric", "name"),
    [("log_growth_mib_per_s", "CSQ1"), ("cf_busy_pct", "CF01"), ("chinit_31bit_used_pct", "CSQ2")],
)
def test_a_forecast_dates_the_planted_crossing(metric: str, name: str) -> None:
    spec = sample_spec()
    span = simulated_period(spec, _LAST - timedelta(days=399), _LAST)
    truth = next(
        item
        for item in planted_truths(spec, span)
        if item.metric == metric and item.subject.split("/")[1] == name
    )
    assert truth.crossing_class is CrossingClass.crosses_within_90_days
    assert truth.first_crossing_date is not None
    rows = pd.DataFrame(
        {
            "series_id": f"{metric}/{truth.subject}",
            "statistic": "peak",
            "site_date": day,
            "value": peak,
            "ceiling": float("nan"),
            "country": "DK",
        }
        for day, peak in _history(metric, name).items()
    )
    [forecast] = forecast_series(rows, ForecastOptions(horizon_days=180), _LAST)
    over = [point.site_date for point in forecast.points if point.expected > truth.limit]
    assert abs((over[0] - truth.first_crossing_date).days) <= _TOLERANCE_DAYS
