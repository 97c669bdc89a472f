"""Members and their sum: groups, and ways of making their forecasts add up."""

from __future__ import annotations

import numpy as np
import pytest

from devtools.benchmarks.forecast.groups import group_of, with_sum
from devtools.benchmarks.forecast.reconciled import ALONE, WAYS, projected, shrunk

EXPECTED = np.array([[3.0, 1.0, 6.0], [5.0, 5.0, 8.0]])
"""Two members and a whole that is two above, and two below, their sum."""
ERRORS = np.random.default_rng(1).normal(0, [1.0, 2.0, 3.0], (200, 3))


@pytest.mark.parametrize("way", [name for name in WAYS if name != ALONE])
def test_reconciled_forecasts_add_up(way: str) -> None:
    made = WAYS[way](EXPECTED, ERRORS)
    assert made[:, :-1].sum(axis=1) == pytest.approx(made[:, -1])


@pytest.mark.parametrize("way", list(WAYS))
def test_what_adds_up_stays(way: str) -> None:
    coherent = with_sum(EXPECTED[:, :-1])
    assert WAYS[way](coherent, ERRORS) == pytest.approx(coherent)


def test_the_gap_goes_to_what_is_least_certain() -> None:
    made = projected(EXPECTED, np.diag([1.0, 1.0, 1e9]))
    assert made == pytest.approx(with_sum(EXPECTED[:, :-1]), abs=1e-6)
    made = projected(EXPECTED, np.diag([1.0, 3.0, 1e-9]))
    assert made == pytest.approx(np.array([[3.5, 2.5, 6.0], [4.5, 3.5, 8.0]]))


def test_bottom_up_leaves_members_and_top_down_the_whole() -> None:
    assert (WAYS["bottom-up"](EXPECTED, ERRORS)[:, :-1] == EXPECTED[:, :-1]).all()
    made = WAYS["top-down"](EXPECTED, ERRORS)
    assert made == pytest.approx(np.array([[4.5, 1.5, 6.0], [4.0, 4.0, 8.0]]))


def test_covariances_of_few_errors_are_drawn_to_nothing() -> None:
    few, many = shrunk(ERRORS[:8]), shrunk(np.repeat(with_sum(ERRORS[:, :2]), 20, axis=0))
    assert np.diag(few) == pytest.approx(ERRORS[:8].var(axis=0, ddof=1))
    drawn = np.abs(few[0, 1]) / np.abs(np.cov(ERRORS[:8].T)[0, 1])
    assert drawn < 0.5
    assert many[0, 2] == pytest.approx(1.0, rel=0.3)  # the whole moves with its member


def test_a_day_without_a_member_has_no_sum() -> None:
    members = np.tile([[2.0, 3.0]], (30, 1))
    members[4, 0] = np.nan
    group = group_of("kind", "name", np.datetime64("2026-01-01"), members)
    assert np.isnan(group.measured[4]).tolist() == [True, False, True]
    assert group.measured[5].tolist() == [2.0, 3.0, 5.0]
    assert np.isnan(group.cleaned[4, 2])


def test_an_outage_is_cleaned_and_stays_measured() -> None:
    members = np.tile([[2.0, 3.0]], (60, 1))
    members[40, 1] = 0.0
    group = group_of("kind", "name", np.datetime64("2026-01-01"), members)
    assert group.measured[40, 2] == 2.0
    assert np.isnan(group.cleaned[40]).tolist() == [False, True, True]
