"""The candidates of the engine."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from forecasting.engine.build import series_of
from forecasting.engine.candidates import REFERENCE, forecasts, method_count, method_names
from forecasting.engine.kinds import DAILY, HOURLY, LONG_DAILY, SHORT_HOURLY, WEEKLY, SeriesKind

ALL: Final = (HOURLY, SHORT_HOURLY, DAILY, WEEKLY, LONG_DAILY)
every_kind = pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.name)


@every_kind
def test_every_method_has_its_own_name(kind: SeriesKind) -> None:
    names = method_names(kind)
    assert len(set(names)) == len(names) == method_count(kind)


@every_kind
def test_the_rows_are_the_methods_and_the_reference_is_where_its_kind_has_one(
    kind: SeriesKind,
) -> None:
    values = 50 + np.random.default_rng(7).normal(0, 1, 130)
    paths = forecasts(series_of(values, np.datetime64("2025-01-01T00", "h"), kind, 5), 130, 5)
    assert paths.shape == (method_count(kind), 5)
    assert bool(np.isfinite(paths[REFERENCE]).all()) is (kind.reference is not None)
    assert method_names(kind)[REFERENCE] == (kind.reference or "none")


@every_kind
def test_smoothed_profiles_are_computed_where_they_can_be_chosen(kind: SeriesKind) -> None:
    values = 50 + np.random.default_rng(7).normal(0, 1, 130)
    paths = forecasts(series_of(values, np.datetime64("2025-01-01T00", "h"), kind, 5), 130, 5)
    is_known = np.isfinite(paths[1:REFERENCE]).all(axis=1)
    assert is_known.tolist() == [kind is not LONG_DAILY] * 2


def test_medians_stand_between_the_reference_and_the_models() -> None:
    names = method_names(SHORT_HOURLY)
    assert names[REFERENCE + 1 : REFERENCE + 6] == (
        *("median[1]", "median[24]", "median[72]"),
        *("median_cycle[7]", "median_cycle[14]"),
    )
    values = np.r_[np.zeros(120), np.full(10, 8.0)]
    first = np.datetime64("2025-01-01T00", "h")
    paths = forecasts(series_of(values, first, SHORT_HOURLY, 2), 130, 2)
    assert paths[REFERENCE + 1 : REFERENCE + 4, 0].tolist() == [8.0, 0.0, 0.0]


def test_a_rich_candidate_is_left_out_where_its_seasons_are_those_of_a_plain_one() -> None:
    values = 50 + np.random.default_rng(7).normal(0, 1, 130)
    paths = forecasts(series_of(values, np.datetime64("2025-01-01"), DAILY, 5), 130, 5)
    missing = [
        name for name, path in zip(method_names(DAILY), paths, strict=True) if np.isnan(path).all()
    ]
    assert missing == [
        "prophet[log,tau=0.05,range=0.8,rich]",
        "prophet[linear,tau=0.05,range=0.8,rich]",
    ]
