"""The program gets what Prophet gives it, and answers alike."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from forecasting.model import ModelFailure
from forecasting.specification import Configuration
from forecasting.stan import backend, program
from tests.forecasting.stan.by_prophet import AHEAD, SERIES, by_prophet, history, ours


@pytest.mark.thorough
@pytest.mark.parametrize("name", SERIES)
def test_data_and_answer_are_those_of_prophet_to_the_bit(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs: list[Any] = []
    mine: list[Any] = []
    text, written = program.data_text, backend._written

    def of_prophet(content: dict[str, Any], path: Path) -> str:
        theirs.append(content)
        return written(content, path)

    def of_ours(data: Any) -> str:
        mine.append(json.loads(text(data)))
        return text(data)

    monkeypatch.setattr(backend, "_written", of_prophet)
    monkeypatch.setattr(program, "data_text", of_ours)
    model = by_prophet(*SERIES[name])
    made = json.loads(ours(*SERIES[name]).stored)
    assert mine == theirs[:1]
    assert made["params"] == {key: found.tolist() for key, found in model.params.items()}


def test_a_program_that_finds_nothing_is_a_failure_of_the_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(program, "_program", lambda: "/bin/false")
    with pytest.raises(ModelFailure):
        ours(*SERIES["half a year"])


@pytest.mark.parametrize(("count", "solved"), [(2, False), (3, True), (4, True)])
def test_a_slope_that_cannot_change_is_a_failure_of_the_model(count: int, solved: bool) -> None:
    series = history(20).until(count)
    if solved:
        assert len(ours(series, Configuration()).expected) == AHEAD
    else:
        with pytest.raises(ModelFailure, match="too few"):
            ours(series, Configuration())


@pytest.mark.thorough
def test_neither_prophet_nor_cmdstanpy_is_imported() -> None:
    code = (
        "import sys; from tests.forecasting.builders import forecast, noise;"
        "made = forecast(40.0 + noise()); assert made.model == 'prophet' and not made.refusal;"
        "sys.exit(any(name in sys.modules for name in ('prophet', 'cmdstanpy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
