"""Forecasts that are in the store already are not stored again, so that notes on them stay."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.domain.metric import Statistic
from mqcap.lake.layout import COMPLETE
from mqcap.settings import Settings
from mqcap.steps import runner
from mqcap.store.database import Store
from mqcap.store.forecasts import read_forecasts, replace_data_notes, replace_forecasts
from tests.mqcap.steps.test_forecast import DAY, SERIES, result
from tests.stores import new_store

NOTES = {(SERIES, Statistic.peak): "3 days are incomplete"}


@pytest.fixture
def engine(tmp_path: Path) -> Store:
    return new_store(tmp_path / "store.db")


@pytest.fixture
def settings(tmp_path: Path, engine: Store) -> Settings:
    return Settings.model_validate({
        "estate": [],
        "lake": str(tmp_path / "lake"),
        "store": {"url": str(engine.url)},
    })  # fmt: skip


def stored(settings: Settings, engine: Store) -> tuple[dict[str, int], list[str | None]]:
    """Counts of the step, and the notes of the day's forecasts after it."""
    counts = runner.store_forecasts(settings, DAY)
    return counts, [each.data_note for each in read_forecasts(engine, DAY)]


def test_a_replay_leaves_notes_and_one_after_another_forecast_does_not(
    settings: Settings, engine: Store
) -> None:
    folder = result(Path(settings.lake), DAY)
    counts, notes = stored(settings, engine)
    assert (counts, notes) == ({"forecasts": 0, "refused": 1}, [None])
    replace_data_notes(engine, DAY, NOTES)
    assert stored(settings, engine) == (counts, list(NOTES.values()))
    shutil.rmtree(folder)
    result(Path(settings.lake), DAY, model='{"growth": "flat"}')
    assert stored(settings, engine) == (counts, [None])


def test_forecasts_that_are_missing_or_different_in_the_store_are_stored(
    settings: Settings, engine: Store
) -> None:
    result(Path(settings.lake), DAY)
    stored(settings, engine)
    [made] = read_forecasts(engine, DAY)
    for other in ([], [made.model_copy(update={"refusal": "other"})]):
        replace_forecasts(engine, DAY, other)
        stored(settings, engine)
        assert read_forecasts(engine, DAY) == [made]


def test_results_that_are_incomplete_or_gone_are_an_error_on_a_replay_too(
    settings: Settings, engine: Store
) -> None:
    folder = result(Path(settings.lake), DAY)
    stored(settings, engine)
    (folder / COMPLETE).unlink()
    with pytest.raises(InputError, match="no complete forecasts"):
        stored(settings, engine)


def test_results_of_rolling_origins_are_stored_on_a_replay_too(
    settings: Settings, engine: Store
) -> None:
    result(Path(settings.lake), DAY)
    stored(settings, engine)
    origin = Path(settings.lake) / f"hold_out_result/cutoff_date={DAY - timedelta(days=30)}"
    origin.mkdir(parents=True)
    replace_data_notes(engine, DAY, NOTES)
    assert stored(settings, engine)[1] == [None]
