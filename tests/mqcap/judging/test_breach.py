from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from mqcap.judging.breach import episode_start, first_day_of_breach
from tests.factories import crossing
from tests.mqcap.rulebook.builders import DAY, LOG, QUEUE_MANAGER, new_store, observe, settings_of


def back(*days: int) -> list[date]:
    return [DAY - timedelta(days=number) for number in days]


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
    tmp_path: Path, strict: bool, start: int
) -> None:
    engine = new_store(tmp_path)
    peaks = {0: 3.0, 10: 3.0, 30: 2.0, 200: 9.0}
    values = {DAY - timedelta(days=number): peak for number, peak in peaks.items()}
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, values)
    made = crossing(QUEUE_MANAGER, cutoff_date=DAY, series_id=LOG, limit_value=2.0)
    first = first_day_of_breach(engine, made, strict, settings_of(tmp_path))
    assert first == DAY - timedelta(days=start)


def test_without_a_day_in_breach_the_episode_starts_today(tmp_path: Path) -> None:
    engine = new_store(tmp_path)
    made = crossing(QUEUE_MANAGER, cutoff_date=DAY, series_id=LOG, limit_value=2.0)
    assert first_day_of_breach(engine, made, True, settings_of(tmp_path)) == DAY
