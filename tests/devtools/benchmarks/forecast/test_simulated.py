"""Simulated metrics with limits and truth."""

from __future__ import annotations

import numpy as np
import pytest

from devtools.benchmarks.forecast.simulated import (
    LENGTHS,
    Simulated,
    history_of,
    limits_of,
    simulated,
)


@pytest.fixture(scope="module")
def items() -> list[Simulated]:
    return simulated(12, seed=4)


def test_a_seed_gives_the_same_metrics(items: list[Simulated]) -> None:
    again = simulated(3, seed=4)
    assert [one.unique_id for one in again] == [one.unique_id for one in items[:3]]
    assert np.array_equal(again[2].observed, items[2].observed, equal_nan=True)
    assert simulated(1, seed=5)[0].threshold != items[0].threshold


def test_each_limit_is_above_the_last_weeks_and_dated_by_what_comes(
    items: list[Simulated],
) -> None:
    for item in items:
        assert len(item.observed) in LENGTHS
        assert item.threshold > item.recent
        over = item.coming >= item.threshold
        assert np.isnan(item.days) == (not over.any())
        if over.any():
            assert over[int(item.days) - 1]
            assert not over[: int(item.days) - 1].any()


def test_percentages_end_at_one_hundred(items: list[Simulated]) -> None:
    percent = [one for one in items if one.metric != "log_mb_hour"]
    assert percent
    assert all(np.nanmax(one.observed) <= 100 and one.threshold < 100 for one in percent)


def test_further_limits_are_drawn_for_each_metric(items: list[Simulated]) -> None:
    truth = limits_of(items, 3, seed=1)
    assert truth["unique_id"].value_counts().max() == 3
    assert truth["unique_id"].iloc[:12].tolist() == [one.unique_id for one in items]
    assert limits_of(items, 1, seed=1)["threshold"].tolist() == [one.threshold for one in items]


def test_missing_days_are_absent_rows(items: list[Simulated]) -> None:
    history = history_of(items)
    assert len(history) == sum(int(np.isfinite(one.observed).sum()) for one in items)
