"""Replaying a range of days: order of the steps, progress, and ranges that are refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.settings import Settings
from mqcap.steps import backfill as module
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
    def kept_session() -> Iterator[None]:
        made.append(("session kept", date.min))
        yield
        made.append(("session ended", date.max))

    monkeypatch.setattr(runner, "LOAD", (step("land"), step("observe")))
    monkeypatch.setattr(runner, "JUDGE", (step("fit"), step("size")))
    monkeypatch.setattr(runner, "alert", step("alert"))
    monkeypatch.setattr(module, "kept_session", kept_session)
    return made


def test_all_is_loaded_once_and_then_every_day_is_replayed_in_one_session(
    calls: list[tuple[str, date]],
) -> None:
    backfill(Settings(), FIRST, FIRST + timedelta(days=1), lambda _line: None)
    second = FIRST + timedelta(days=1)
    assert calls == [
        ("session kept", date.min), ("land", date.min), ("observe", date.min),
        ("fit", FIRST), ("size", FIRST), ("alert replay", FIRST),
        ("fit", second), ("size", second), ("alert replay", second),
        ("session ended", date.max),
    ]  # fmt: skip


def test_the_progress_has_a_line_for_each_step_of_the_load_and_for_each_day(
    calls: list[tuple[str, date]],
) -> None:
    lines: list[str] = []
    backfill(Settings(), FIRST, FIRST, lines.append)
    assert [line.partition(": ")[0] for line in lines] == ["land", "observe", "2026-03-01"]
    counts = json.loads(lines[-1].partition(": ")[2])
    assert counts["rows"] == 6
    assert list(counts["seconds"]) == ["fit", "size", "alert"]


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
    assert len(calls) == 4 + 3 * MAX_DAYS
