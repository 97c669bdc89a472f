"""Digests of what forecasts depend on."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from mqcap.lake import forecast_inputs as module
from mqcap.lake.forecast_inputs import (
    INPUTS,
    ForecastInputs,
    SeriesInputs,
    forecast_basis,
    read_inputs,
    write_inputs,
)
from mqcap.lake.location import Location
from mqcap.settings import ForecastSettings
from tests.memory_lake import memory_lake

DAY = date(2026, 10, 15)
OPTIONS = ForecastSettings()
MADE = ForecastInputs(
    "basis", (SeriesInputs("a/P/C", "mean", "1"), SeriesInputs("a/P/C", "peak", "2"))
)


@pytest.fixture(params=["folder", "object store"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Location:
    """A folder in either kind of lake."""
    return tmp_path if request.param == "folder" else memory_lake() / "export"


def test_what_is_written_is_read_back(folder: Location) -> None:
    assert read_inputs(folder) is None
    inputs = replace(MADE, stored=frozenset({1}))
    write_inputs(folder, inputs)
    assert read_inputs(folder) == inputs


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"basis": "b", "series": [["a", "peak"]], "stored": []}']
)
def test_what_cannot_be_read_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / INPUTS).write_text(text, encoding="utf-8")
    assert read_inputs(tmp_path) is None


def test_a_series_is_stored_where_the_digest_is_the_same() -> None:
    mean, peak = MADE.digests().items()
    assert MADE.to_fit() == [0, 1]
    assert MADE.with_stored(dict([mean, peak])).to_fit() == []
    assert MADE.with_stored(dict([mean])).to_fit() == [1]
    assert MADE.with_stored({mean[0]: peak[1], peak[0]: None}).to_fit() == [0, 1]


def test_the_digest_is_of_rows_and_basis() -> None:
    digests = set(MADE.digests().values())
    assert len(digests) == 2
    other = replace(MADE, basis="other")
    assert digests.isdisjoint(other.digests().values())


def test_the_basis_changes_with_all_that_figures_depend_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = [forecast_basis(OPTIONS, DAY), forecast_basis(OPTIONS, date(2026, 10, 16))]
    others = {
        "final_fit": "fast", "interval_width": 0.9, "horizon_days": 90,
        "crossing_days": 90, "min_history_days": 90, "lookback_days": 90,
    }  # fmt: skip
    assert set(others) | module.NOT_OF_A_FIT == set(ForecastSettings.model_fields)
    for name, value in others.items():
        made.append(forecast_basis(OPTIONS.model_copy(update={name: value}), DAY))
    for name in ("hash_of", "_libraries"):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, lambda *_: "other")
            made.append(forecast_basis(OPTIONS, DAY))
    assert len(set(made)) == len(made)


def test_the_basis_is_the_same_without_a_change_or_with_one_of_how_a_run_is_cut() -> None:
    for name in module.NOT_OF_A_FIT:
        options = OPTIONS.model_copy(update={name: 3})
        assert forecast_basis(options, DAY) == forecast_basis(OPTIONS, DAY)
