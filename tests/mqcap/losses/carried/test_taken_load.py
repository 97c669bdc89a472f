"""A survivor's series with the load of a lost part."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic, series_id
from mqcap.judging.known import Known
from mqcap.losses.carried.taken_load import (
    HourlySum,
    TakenLoad,
    has_common_hours,
    highest,
    with_taken_loads,
)
from tests import factories
from tests.mqcap.judging.observations import with_series
from tests.mqcap.whatif.sharing_group import (
    CF01,
    CF02,
    CSQ1,
    CSQ2,
    DAY,
    LOG,
    facts_of,
    hours,
    peak_of,
)

HOURS = {
    (LOG, CSQ1): hours((1.0, 2.0), (0.5, 1.0), (0.5, 0.5)),
    (LOG, CSQ2): hours((0.5, 0.5), (2.0, 3.0), None),
}
"""Only two hours are of both."""
LOGS = TakenLoad((LOG, CSQ1), (LOG, CSQ2), 1.0, (), by_hour=True)
BUSY = TakenLoad(("cf_busy_pct", CF01), ("cf_busy_pct", CF02), 3.0, ())


def forecast_of(metric: str, subject: str, *line: float) -> Forecast:
    """A forecast of one day: lower, expected, upper."""
    day = (line[0], line[1], line[2])
    return factories.forecast(series_id=series_id(metric, subject), cutoff_date=DAY, lines=[day])


def test_log_rates_are_added_hour_by_hour_and_not_peak_to_peak(tmp_path: Path) -> None:
    """2 + 0.5 in the first hour and 1 + 3 in the second, where the peaks are 2 and 3."""
    facts = with_taken_loads(facts_of(tmp_path, by_hour=HOURS), [LOGS])
    assert peak_of(facts, LOG, CSQ1) == 4.0
    [day] = facts.observed.days(LOG, CSQ1)
    assert (day.mean, day.p95) == pytest.approx((2.0, 1.5 + 0.95))


def test_only_hours_that_both_have_are_added(tmp_path: Path) -> None:
    summed = HourlySum(facts_of(tmp_path, by_hour=HOURS), LOGS).hours()
    assert summed.hour_count == 2
    assert summed.curve.volumes_mib == (2.5 * 3_600, 4.0 * 3_600)


def test_the_states_of_a_day_that_share_hours_share_their_sum(tmp_path: Path) -> None:
    """One whose own hours are others has another sum."""
    facts = facts_of(tmp_path, by_hour=HOURS)._replace(known=Known())
    states = [facts._replace(observed=facts.observed.replaced({})) for _ in range(2)]
    first, second = (HourlySum(each, LOGS) for each in states)
    assert first.hours() is second.hours()
    assert first.days() is second.days()
    own = facts.observed.hours[LOG, CSQ1]
    other = facts.observed.replaced({}, {(LOG, CSQ1): own._replace})
    third = HourlySum(facts._replace(observed=other), LOGS)
    assert third.hours() is not first.hours()
    assert third.hours() == first.hours()


def test_without_hours_nothing_is_added_to_a_log(tmp_path: Path) -> None:
    known = facts_of(tmp_path, by_hour={})
    facts = with_taken_loads(known, [LOGS])
    assert peak_of(facts, LOG, CSQ1) == peak_of(known, LOG, CSQ1) == 2.0


def test_hours_without_a_day_of_the_daily_roll_up_are_not_added(tmp_path: Path) -> None:
    known = facts_of(tmp_path)
    without = with_series(known.observed, {(LOG, CSQ1): []})
    assert has_common_hours(known, LOGS)
    assert not has_common_hours(known._replace(observed=without), LOGS)


def test_other_loads_count_at_their_highest(tmp_path: Path) -> None:
    facts = with_taken_loads(facts_of(tmp_path), [BUSY])
    assert peak_of(facts, "cf_busy_pct", CF01) == pytest.approx(26.48 + 3 * 34.282)


def test_a_forecast_grows_by_the_forecast_of_the_lost_part(tmp_path: Path) -> None:
    own, other = (
        forecast_of("cf_busy_pct", each, *line)
        for each, line in ((CF01, (26, 27, 28)), (CF02, (34, 35, 37)))
    )
    facts = with_taken_loads(facts_of(tmp_path, forecasts=(own, other)), [BUSY])
    raised = facts.forecasts[own.series_id, own.statistic].points[-1]
    last, lost = own.points[-1], other.points[-1]
    assert raised.expected == pytest.approx(last.expected + 3 * lost.expected)
    assert raised.upper == pytest.approx(last.upper + 3 * lost.upper)
    assert facts.forecasts[other.series_id, other.statistic] == other


def test_states_of_a_day_with_the_same_load_share_days_and_forecast(tmp_path: Path) -> None:
    """With less of it both are others."""
    own, other = (
        forecast_of("cf_busy_pct", each, *line)
        for each, line in ((CF01, (26, 27, 28)), (CF02, (34, 35, 37)))
    )
    known = facts_of(tmp_path, forecasts=(own, other))._replace(known=Known())
    loads = (BUSY, BUSY, BUSY._replace(factor=2.0))
    first, again, less = (with_taken_loads(known, [load]) for load in loads)
    series, key = ("cf_busy_pct", CF01), (own.series_id, own.statistic)
    assert first.observed.measured(*series) is again.observed.measured(*series)
    assert first.observed.days(*series) != less.observed.days(*series)
    assert first.forecasts[key] is again.forecasts[key]
    assert first.forecasts[key] != less.forecasts[key]


def test_a_load_without_a_forecast_stays_at_its_present_level(tmp_path: Path) -> None:
    own = forecast_of("cf_busy_pct", CF01, 26, 27, 28)
    facts = with_taken_loads(facts_of(tmp_path, forecasts=(own,)), [BUSY])
    raised = facts.forecasts[own.series_id, own.statistic].points[-1]
    level = highest(facts_of(tmp_path), ("cf_busy_pct", CF02), own.statistic)
    assert raised.expected == pytest.approx(own.points[-1].expected + 3 * level)


def test_forecasts_of_logs_are_added_as_far_as_their_peaks_coincide(tmp_path: Path) -> None:
    """4 of 2 + 3 MiB/s were measured together: four fifths of the sum of the forecasts."""
    own, other = (
        forecast_of(LOG, each, *line) for each, line in ((CSQ1, (1, 2, 3)), (CSQ2, (2, 3, 4)))
    )
    assert own.statistic is Statistic.peak
    facts = with_taken_loads(facts_of(tmp_path, forecasts=(own, other)), [LOGS])
    raised = facts.forecasts[own.series_id, own.statistic].points[0]
    together = 0.8 * (own.points[0].expected + other.points[0].expected)
    assert raised.expected == pytest.approx(together)
