"""The fixed properties of hourly, daily and weekly series fit together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from forecasting.engine.kinds import (
    DAILY,
    HOURLY,
    KINDS,
    LONG_DAILY,
    SHORT_HOURLY,
    WEEKLY,
    Candidate,
    SeriesKind,
    kind_for,
)

ALL: Final = (HOURLY, SHORT_HOURLY, DAILY, WEEKLY, LONG_DAILY)
every_kind = pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.name)
PLAIN: Final = Candidate(log=True)


@pytest.mark.parametrize(("frequency", "hours"), [("h", 1), ("D", 24), ("W", 168)])
def test_the_letter_of_pandas_selects_the_kind_with_that_step(frequency: str, hours: int) -> None:
    assert (KINDS[frequency].step, KINDS[frequency].step_hours) == (frequency, hours)


def test_daily_files_get_the_short_horizon_unless_dates_are_asked_for() -> None:
    assert KINDS["D"] is DAILY


@pytest.mark.parametrize(
    ("changed", "shared"),
    [
        ({"log": False}, True),
        ({"tau": 0.5}, True),
        ({"damping": 0.97}, True),
        ({"rich": True}, False),
        ({"share": 0.95}, False),
        ({"flat": True}, False),
        ({"half_life": 90.0}, False),
    ],
)
def test_candidates_share_columns_unless_a_column_or_weight_differs(
    changed: dict[str, Any], shared: bool
) -> None:
    assert (replace(PLAIN, **changed).group == PLAIN.group) is shared


@every_kind
def test_no_candidate_is_listed_twice(kind: SeriesKind) -> None:
    assert len(set(kind.candidates)) == len(kind.candidates)


@every_kind
def test_the_shortest_history_holds_every_lag_and_three_median_profiles(kind: SeriesKind) -> None:
    assert kind.shortest > max(kind.lags)
    assert kind.shortest >= 3 * kind.profile


@every_kind
def test_every_harmonic_has_two_steps_at_least(kind: SeriesKind) -> None:
    """A shorter one cannot be distinguished from one of a longer period."""
    for season in (*kind.plain, *kind.rich):
        assert season.period / season.order >= 2


@pytest.mark.parametrize(
    ("count", "kind"), [(647, SHORT_HOURLY), (648, HOURLY), (649, HOURLY)], ids=str
)
def test_hours_count_as_short_while_they_leave_less_than_three_origins(
    count: int, kind: SeriesKind
) -> None:
    assert kind_for(HOURLY, count, 48) is kind


def test_hours_count_as_short_in_a_worker_process_too() -> None:
    """A kind that was sent to another process is equal, not the same object."""
    assert kind_for(replace(HOURLY), 288, 48) is SHORT_HOURLY


@pytest.mark.parametrize("kind", [DAILY, WEEKLY])
def test_other_kinds_are_the_same_for_any_length(kind: SeriesKind) -> None:
    assert kind_for(kind, 30, 14) is kind
