"""Replaying a range of days: order of the steps, progress, and ranges that are refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable
from mqcap.settings import Settings
from mqcap.steps import runner
from mqcap.steps.backfill import MAX_DAYS, backfill

FIRST = date(2026, 3, 1)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, date]]:
    """Steps that note their calls and sessions, in order."""
    made: list[tuple[str, date]] = []

    def step(name: str) -> Any:
        def noted(_settings: Settings, day: date, *, replay: bool = False) -> dict[str, Any]:
            made.append((f"{name} replay" if replay else name, day))
            return {"rows": len(made)}

        noted.__name__ = name
        return noted

    @contextmanager
    def one_session() -> Iterator[None]:
        made.append(("session kept", date.min))
        yield
        made.append(("session ended", date.max))

    forecast = tuple(map(step, ("export_training", "fit", "store_forecasts")))
    monkeypatch.setattr(runner, "LOAD", (step("land"), step("observe")))
    monkeypatch.setattr(runner, "FORECAST", forecast)
    for each in (*forecast, step("size"), step("alert")):
        monkeypatch.setattr(runner, each.__name__, each)
    monkeypatch.setattr(runner, "one_session", one_session)
    return made


def of_day(calls: list[tuple[str, date]], day: date) -> list[str]:
    """The steps of a day in their order."""
    return [name for name, of in calls if of == day]


def test_all_is_loaded_once_and_then_every_day_is_replayed_in_one_session(
    calls: list[tuple[str, date]],
) -> None:
    days = [FIRST + timedelta(days=number) for number in range(3)]
    backfill(Settings(), days[0], days[-1], lambda _line: None)
    assert of_day(calls, date.min) == ["session kept", "land", "observe"]
    for day in days:
        assert of_day(calls, day) == [
            "export_training", "fit", "store_forecasts", "size", "alert replay",
        ]  # fmt: skip
    assert [of for name, of in calls if name == "size"] == days
    assert calls[-1] == ("session ended", date.max)


def test_a_day_is_complete_before_the_failure_of_the_next_ones_forecasts_is_raised(
    calls: list[tuple[str, date]], monkeypatch: pytest.MonkeyPatch
) -> None:
    second = FIRST + timedelta(days=1)
    noted = runner.FORECAST[0]

    def fails(settings: Settings, day: date) -> dict[str, Any]:
        if day == second:
            raise ServiceUnavailable("no answer")
        return noted(settings, day)

    fails.__name__ = noted.__name__
    monkeypatch.setattr(runner, "FORECAST", (fails, *runner.FORECAST[1:]))
    lines: list[str] = []
    with pytest.raises(ServiceUnavailable, match="no answer"):
        backfill(Settings(), FIRST, second, lines.append)
    assert of_day(calls, FIRST)[-1] == "alert replay"
    assert lines[-1].startswith("2026-03-01: ")
    assert of_day(calls, second) == []


def test_the_progress_has_a_line_for_each_step_of_the_load_and_for_each_day(
    calls: list[tuple[str, date]],
) -> None:
    lines: list[str] = []
    backfill(Settings(), FIRST, FIRST, lines.append)
    assert [line.partition(": ")[0] for line in lines] == ["land", "observe", "2026-03-01"]
    assert re.fullmatch(rf"2026-03-01: {len(calls) - 1} daily figures; [0-9.]+ s", lines[-1])


@pytest.mark.parametrize("days", [-1, MAX_DAYS])
def test_an_empty_or_endless_range_is_refused_before_anything_runs(
    calls: list[tuple[str, date]], days: int
) -> None:
    with pytest.raises(ConfigurationError, match="invalid range of days") as raised:
        backfill(Settings(), FIRST, FIRST + timedelta(days=days), lambda _line: None)
    assert f"at most {MAX_DAYS} days" in str(raised.value)
    assert calls == []


def test_the_longest_range_is_ten_years(calls: list[tuple[str, date]]) -> None:
    backfill(Settings(), FIRST, FIRST + timedelta(days=MAX_DAYS - 1), lambda _line: None)
    assert len(calls) == 4 + 5 * MAX_DAYS
