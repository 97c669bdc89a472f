"""The application of a day: its steps in one session, and the exit code of what is refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError, InputError, ServiceUnavailable
from mqcap.settings import Settings
from mqcap.steps import runner
from mqcap.steps.on_spark import REFUSED, main

DAY = date(2026, 11, 20)


def steps(monkeypatch: pytest.MonkeyPatch, fit: Callable[[], dict[str, Any]]) -> list[str]:
    """Steps that note their names; ``fit`` does what it is given."""
    made: list[str] = []

    def step(name: str) -> Any:
        def noted(_settings: Settings, day: date) -> dict[str, Any]:
            assert day == DAY
            made.append(name)
            return fit() if name == "fit" else {"rows": 2}

        noted.__name__ = name
        return noted

    monkeypatch.setattr(runner, "LOAD", tuple(map(step, ("land", "decode_and_aggregate"))))
    monkeypatch.setattr(runner, "FORECAST", tuple(map(step, ("fit", "store_forecasts"))))
    return made


def test_all_steps_from_decoding_to_forecasts_run_and_have_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = steps(monkeypatch, lambda: {"series": 3})
    assert main(["--day", f"{DAY}"]) == 0
    assert made == ["decode_and_aggregate", "fit", "store_forecasts"]
    assert "fit: 3 series" in capsys.readouterr().err.splitlines()


def test_what_is_refused_ends_with_its_own_code_and_a_fault_is_raised(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused() -> dict[str, Any]:
        raise InputError("no training data for this day")

    made = steps(monkeypatch, refused)
    assert main(["--day", f"{DAY}"]) == REFUSED
    assert made == ["decode_and_aggregate", "fit"]
    assert "fit: no training data for this day" in capsys.readouterr().err

    def lost() -> dict[str, Any]:
        raise ServiceUnavailable("Spark has lost its workers")

    steps(monkeypatch, lost)
    with pytest.raises(ServiceUnavailable):
        main(["--day", f"{DAY}"])


def test_the_application_needs_a_day() -> None:
    with pytest.raises(ConfigurationError, match="--day"):
        main([])
