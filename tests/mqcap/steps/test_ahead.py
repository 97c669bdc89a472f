"""Forecasts of days in succession: what is made beside the judgement of a day, and what in turn."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.settings import Settings, StoreSettings
from mqcap.steps import ahead, runner
from mqcap.steps.ahead import forecast_days

FIRST = date(2026, 3, 1)
SECOND = FIRST + timedelta(days=1)
CHECKOUT = Path(__file__).parents[3]
JUDGED = "judged"


class InThisProcess:
    """Runs what the process beside would, at once and in order."""

    def __init__(self, count: int, niceness: int) -> None:
        assert (count, niceness) == (1, ahead.NICENESS)

    def results(self, tasks: Sequence[Callable[[], Any]]) -> Iterator[Any]:
        return iter([task() for task in tasks])

    def close(self) -> None:
        """There is none."""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, date]]:
    """Steps that note their calls, in order."""
    made: list[tuple[str, date]] = []

    def step(name: str) -> Any:
        def noted(_settings: Settings, day: date) -> dict[str, Any]:
            made.append((name, day))
            return {}

        noted.__name__ = name
        return noted

    forecast = tuple(map(step, ("export_training", "fit", "store_forecasts")))
    monkeypatch.setattr(runner, "FORECAST", forecast)
    for each in forecast:
        monkeypatch.setattr(runner, each.__name__, each)
    monkeypatch.setattr(ahead, "WorkerProcesses", InThisProcess)
    return made


def judged(calls: list[tuple[str, date]], days: Sequence[date]) -> list[list[str]]:
    """Forecast and judge the days; return the names of the steps of each."""
    with forecast_days(Settings(), days) as forecasts:
        for day, seconds in zip(days, forecasts, strict=True):
            assert sorted(seconds) == ["export_training", "fit", "store_forecasts"]
            calls.append((JUDGED, day))
    return [[name for name, of in calls if of == day] for day in days]


def fits(monkeypatch: pytest.MonkeyPatch, counts: dict[str, int] | None) -> None:
    """Let the fit without Spark have these counts."""
    monkeypatch.setattr(runner, "without_spark", lambda *_: counts)


def test_a_day_is_forecast_when_the_forecasts_of_the_day_before_are_stored(
    calls: list[tuple[str, date]], monkeypatch: pytest.MonkeyPatch
) -> None:
    fits(monkeypatch, {"series": 1})
    steps = ["export_training", "store_forecasts", JUDGED]
    assert judged(calls, [FIRST, SECOND]) == [steps, steps]
    assert calls.index(("store_forecasts", FIRST)) < calls.index(("export_training", SECOND))


@pytest.mark.parametrize(
    ("counts", "in_turn"),
    [(None, "fit"), ({"series": 1, "hold_out_days": 1}, "store_forecasts")],
    ids=["what needs Spark", "rolling origins"],
)
def test_some_steps_wait_until_the_day_before_is_judged(
    calls: list[tuple[str, date]],
    monkeypatch: pytest.MonkeyPatch,
    counts: dict[str, int] | None,
    in_turn: str,
) -> None:
    fits(monkeypatch, counts)
    for steps in judged(calls, [FIRST, SECOND]):
        assert steps[0] == "export_training"
        assert steps[-2:] == ["store_forecasts", JUDGED]
        assert ("fit" in steps) == (in_turn == "fit")
    assert calls.index((JUDGED, FIRST)) < calls.index((in_turn, SECOND))


def test_a_single_day_needs_no_process_beside(
    calls: list[tuple[str, date]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "WorkerProcesses", None)
    assert judged(calls, [FIRST]) == [["export_training", "fit", "store_forecasts", JUDGED]]


@pytest.mark.thorough
def test_an_error_of_the_process_beside_is_that_of_the_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is a real one: it has an environment of its own, and ends with the block."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(CHECKOUT), str(CHECKOUT / "plugins")]))
    settings = Settings(lake=str(tmp_path), store=StoreSettings(url="mysql://x/y"))
    with (
        pytest.raises(ConfigurationError, match="store"),
        forecast_days(settings, [FIRST, SECOND]) as forecasts,
    ):
        next(forecasts)
