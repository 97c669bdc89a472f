"""Features of a series by its kind, length and country."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import pytest

from forecasting.engine.build import EVENT_PRIOR, series_of
from forecasting.engine.kinds import DAILY, HOURLY, LONG_DAILY, WEEKLY, SeriesKind

NEW_YEAR: Final = np.datetime64("2026-01-01")
WEEK_COLUMNS: Final = 6
"""Three harmonics of the week."""
HORIZON: Final = 40
WITHOUT_EVENTS: Final = replace(DAILY, events=False)


def place(day: str) -> int:
    """Return the row of a day in a series from ``NEW_YEAR`` on."""
    return int((np.datetime64(day) - NEW_YEAR).astype(int))


def test_columns_reach_over_history_and_horizon() -> None:
    series = series_of(np.ones(50), NEW_YEAR, DAILY, HORIZON)
    assert len(series.values) == 50
    assert {len(part.columns) for part in (series.plain, series.rich)} == {50 + HORIZON}


@pytest.mark.parametrize(("lowest", "low"), [(-0.1, -np.inf), (0.0, 0.0), (0.1, 0.0)])
def test_a_series_that_was_never_negative_stays_so(lowest: float, low: float) -> None:
    values = np.array([np.nan, 5.0, lowest, 5.0])
    series = series_of(values, NEW_YEAR, WEEKLY, 1, high=100.0)
    assert (series.low, series.high) == (low, 100.0)


@pytest.mark.parametrize(
    ("kind", "count", "columns"),
    [
        (WITHOUT_EVENTS, 726, WEEK_COLUMNS),  # 1.99 x 365.25 = 726.8
        (WITHOUT_EVENTS, 727, WEEK_COLUMNS + 12),
        (WEEKLY, 103, 0),  # 1.99 x 52.18 = 103.8
        (WEEKLY, 104, 12),
        (HOURLY, 334, 22),  # 1.99 x 168 = 334.3
        (HOURLY, 335, 22 + 48),
        (replace(LONG_DAILY, events=False), 219, WEEK_COLUMNS),  # 0.6 x 365.25 = 219.2
        (replace(LONG_DAILY, events=False), 220, WEEK_COLUMNS + 2),
    ],
    ids=lambda value: value.name if isinstance(value, SeriesKind) else None,
)
def test_a_long_season_needs_enough_of_its_cycles(
    kind: SeriesKind, count: int, columns: int
) -> None:
    rich = series_of(np.ones(count), NEW_YEAR, kind, HORIZON).rich
    assert rich.columns.shape == (count + HORIZON, columns)
    assert len(rich.priors) == columns


def test_each_season_has_its_own_prior_on_all_its_columns() -> None:
    priors = series_of(np.ones(400), NEW_YEAR, HOURLY, 1).rich.priors
    assert priors.tolist() == [1.0] * 48 + [10.0] * 22


@pytest.mark.parametrize(
    ("kind", "step"), [(HOURLY, "h"), (WITHOUT_EVENTS, "D")], ids=["hourly", "daily"]
)
def test_the_phase_of_a_season_does_not_depend_on_where_the_history_begins(
    kind: SeriesKind, step: str
) -> None:
    early = series_of(np.ones(40), NEW_YEAR.astype(f"datetime64[{step}]"), kind, 0)
    later = series_of(np.ones(35), NEW_YEAR.astype(f"datetime64[{step}]") + 5, kind, 0)
    assert early.plain.columns[5:] == pytest.approx(later.plain.columns)


def test_events_that_the_history_has_twice_are_expected_in_the_horizon() -> None:
    plain = series_of(np.ones(90), NEW_YEAR, DAILY, HORIZON).plain  # January to March
    events = plain.columns[:, WEEK_COLUMNS:]
    assert events[place("2026-04-30")].any()  # a last business day, in the horizon
    assert not events[place("2026-04-15")].any()
    assert plain.priors[WEEK_COLUMNS:].tolist() == [EVENT_PRIOR] * events.shape[1]


@pytest.mark.parametrize(("count", "learned"), [(58, False), (59, True)])
def test_an_event_seen_once_teaches_nothing(count: int, learned: bool) -> None:
    """The last day of February is the second end of a month."""
    events = series_of(np.ones(count), NEW_YEAR, DAILY, HORIZON).plain.columns[:, WEEK_COLUMNS:]
    assert bool(events[place("2026-01-31")].any()) is learned


def test_a_missing_value_on_an_event_teaches_nothing() -> None:
    values = np.ones(59)
    values[place("2026-01-31")] = np.nan
    events = series_of(values, NEW_YEAR, DAILY, HORIZON).plain.columns[:, WEEK_COLUMNS:]
    assert not events[place("2026-02-28")].any()


def test_public_holidays_count_where_the_country_is_known() -> None:
    easter = place("2026-04-03")
    plain, danish = (
        series_of(np.ones(140), NEW_YEAR, DAILY, HORIZON, country=country).plain.columns
        for country in (None, "DK")
    )
    assert not plain[easter, WEEK_COLUMNS:].any()
    assert danish[easter, WEEK_COLUMNS:].any()


@pytest.mark.parametrize(("kind", "columns"), [(HOURLY, 12), (WEEKLY, 0)])
def test_hours_and_weeks_have_no_calendar_events(kind: SeriesKind, columns: int) -> None:
    plain = series_of(np.ones(90), NEW_YEAR, kind, HORIZON, country="DK").plain
    assert plain.columns.shape[1] == columns
