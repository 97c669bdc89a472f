"""The program gets what Prophet gives it, and answers alike."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from forecasting.model import ModelFailure
from forecasting.specification import Configuration
from forecasting.stan import backend, program
from forecasting.stan.prophet_data import ProphetData
from tests.forecasting.stan.by_prophet import AHEAD, SERIES, by_prophet, history, ours


@pytest.mark.thorough
@pytest.mark.parametrize("name", SERIES)
def test_data_are_those_of_prophet_to_the_bit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
    by_prophet(*SERIES[name])
    ours(*SERIES[name])
    assert mine == theirs[:1]


def test_a_program_that_finds_nothing_is_a_failure_of_the_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(program, "_program", lambda: "/bin/false")
    with pytest.raises(ModelFailure):
        ours(*SERIES["half a year"])


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ("1,2", {}),
        ("1,2,3.5", {"k": [1.0], "delta": [2.0, 3.5]}),
        ("1,2,3.5,4", {}),
    ],
)
def test_an_answer_with_another_number_of_values_than_names_is_none(
    values: str, found: dict[str, list[float]], tmp_path: Path
) -> None:
    answer = tmp_path / "answer.csv"
    answer.write_text(f"# of the program\nk,delta.1,delta.2\n{values}\n")
    assert program._parameters(answer) == found


@pytest.mark.parametrize(("first_ends", "asked"), [(True, ["lbfgs"]), (False, ["lbfgs", "newton"])])
def test_newtons_method_follows_where_the_first_one_leaves_no_answer(
    first_ends: bool, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    methods: list[str] = []
    run = program._ended

    def ended(arguments: list[str]) -> subprocess.CompletedProcess[bytes]:
        methods.append(arguments[-2].partition("=")[2])
        if methods[-1] == "lbfgs" and not first_ends:
            return subprocess.CompletedProcess(arguments, 1, b"")
        return run(arguments)

    wanted = ours(*SERIES["half a year"]).expected
    monkeypatch.setattr(program, "_ended", ended)
    assert np.allclose(ours(*SERIES["half a year"]).expected, wanted, rtol=1e-9)
    assert methods == asked


def test_a_start_beside_the_maximum_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    found, begun = [], []
    run = program.optimised

    def beside(data: ProphetData, start: dict[str, Any], seed: int) -> dict[str, list[float]]:
        begun.append(start["m"])
        found.append(run(data, start | {"m": start["m"] + 0.1}, seed)["m"][0])
        return run(data, start, seed)

    monkeypatch.setattr("forecasting.models.prophet.optimised", beside)
    ours(*SERIES["half a year"])
    assert found == pytest.approx(begun, abs=0.01)


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
