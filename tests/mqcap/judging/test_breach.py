"""Since when a limit has been passed."""

from datetime import date, timedelta

import pytest

from mqcap.domain.crossing import SINCE_DATA_BEGINS, Crossing
from mqcap.judging.ledger import days_in_breach, episode_start, with_first_day
from mqcap.settings import load_settings
from mqcap.store.database import Store
from tests.factories import crossing
from tests.mqcap.rulebook.builders import DAY, LOG, QUEUE_MANAGER, observe

PASSED = crossing(QUEUE_MANAGER, cutoff_date=DAY, series_id=LOG, limit_value=2.0)


def back(*days: int) -> list[date]:
    return [DAY - timedelta(days=number) for number in days]


def dated(engine: Store, peaks: dict[int, float], *, strict: bool = True) -> Crossing:
    """The limit with its first day, after peaks so many days back."""
    values = {DAY - timedelta(days=number): peak for number, peak in peaks.items()}
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, values)
    return with_first_day(engine, PASSED, strict, load_settings())


@pytest.mark.parametrize(
    ("days", "start"),
    [
        ((), 0),
        ((0,), 0),
        ((0, 5, 10), 10),
        ((3, 8), 8),
        ((0, 6), 0),
        ((6,), 0),
        ((0, 5, 11, 12), 5),
    ],
)
def test_an_episode_reaches_back_by_steps_of_at_most_the_gap(
    days: tuple[int, ...], start: int
) -> None:
    assert episode_start(back(*days), DAY, gap_days=5) == DAY - timedelta(days=start)


@pytest.mark.parametrize(("strict", "start"), [(True, 10), (False, 30)])
def test_a_day_exactly_at_the_limit_counts_where_the_rule_says_so(
    engine: Store, strict: bool, start: int
) -> None:
    made = dated(engine, {0: 3.0, 10: 3.0, 30: 2.0, 200: 9.0}, strict=strict)
    assert made.breached_since == DAY - timedelta(days=start)


@pytest.mark.parametrize(("before", "reason"), [(3.0, SINCE_DATA_BEGINS), (1.0, None)])
def test_a_breach_on_the_first_measured_day_is_one_since_the_data_begins(
    engine: Store, before: float, reason: str | None
) -> None:
    assert dated(engine, {**dict.fromkeys(range(5), 3.0), 5: before}).reason == reason


def test_without_a_day_in_breach_the_episode_starts_today(engine: Store) -> None:
    made = dated(engine, {})
    assert (made.breached_since, made.reason) == (DAY, None)


def test_days_in_breach_are_those_between_two_days_whose_value_passed_the_limit(
    engine: Store,
) -> None:
    dated(engine, {0: 3.0, 1: 2.0, 2: 1.9, 3: 2.1, 9: 9.0})
    assert days_in_breach(engine, PASSED, DAY - timedelta(days=8), DAY) == [*back(3), DAY]
