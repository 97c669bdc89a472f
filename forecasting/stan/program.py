"""Prophet's compiled Stan program without Prophet's data frames around it.

Prophet takes twice as long to prepare the data of a fit, through pandas, as Stan takes to fit it.
Here the program gets the same numbers, as text that is made once for all series of the same days;
tests hold what it gets, and what it answers, against Prophet itself.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from forecasting.arrays import FloatArray, IndexArray
from forecasting.engine.design import Season
from forecasting.model import ModelFailure
from forecasting.stan.prophet_data import ProphetData

ALGORITHM: Final = "LBFGS"
ITERATIONS: Final = 10_000
"""Prophet's own, both."""
WRITTEN_RATIO: Final = 1e-7
"""Relative difference of equal numbers: the program writes eight digits."""
Start = Mapping[str, float | list[float]]
"""Where the optimiser starts: ``k, m, delta, beta, sigma_obs``."""


def data_text(data: ProphetData) -> str:
    """Return the data as the program reads them."""
    count, regressor_count = data.regressors.shape
    seasons = tuple(data.seasons.values())
    features = _feature_text(
        data.epoch_days.tobytes(), seasons, data.regressors.tobytes(), regressor_count
    )
    priors = [season.prior for season in data.seasons.values() for _ in range(2 * season.order)] + [
        data.regressor_prior
    ] * regressor_count
    head = {
        "T": count,
        "S": len(data.bends),
        "K": len(priors),
        "tau": data.configuration.changepoint_prior,
        "trend_indicator": 0,
        "y": data.scaled.tolist(),
        "t": data.times.tolist(),
        "cap": [0.0] * count,
        "t_change": data.times[data.bends].tolist(),
        "s_a": [1] * len(priors),
        "s_m": [0] * len(priors),
    }
    return f'{json.dumps(head)[:-1]}, "X": [[{features}]], "sigmas": {json.dumps(priors)}}}'


def optimised(data: ProphetData, start: Start, seed: int) -> dict[str, list[float]]:
    """Return the parameters at the maximum of the posterior, searched from ``start``.

    By Prophet's two methods in its order. L-BFGS ends with an error where no step from the start is
    better: the start is then the answer, as it would be Newton's after two Hessians. Newton's
    method follows where L-BFGS has failed elsewhere.

    Raises:
        ModelFailure: the program found none.
    """
    with TemporaryDirectory(prefix="mqcap-stan-") as folder:
        data_file, start_file, answer = (
            Path(folder) / name for name in ("data.json", "start.json", "answer.csv")
        )
        data_file.write_text(data_text(data))
        start_file.write_text(json.dumps(start))
        given = ["random", f"seed={seed}", "data", f"file={data_file}", f"init={start_file}"]
        given += ["output", f"file={answer}", "method=optimize"]
        first = _ended([*given, f"algorithm={ALGORITHM.lower()}", f"iter={ITERATIONS}"])
        found = _parameters(answer)
        if found and (not first.returncode or _is_start(found, start)):
            return found
        second = _ended([*given, "algorithm=newton", f"iter={ITERATIONS}"])
        if second.returncode:
            raise ModelFailure(second.stdout.decode(errors="replace"))
        return _parameters(answer)


def _ended(arguments: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    """Run the program to its end."""
    return subprocess.run(  # noqa: S603 - the program of the package, and files of ours
        [_program(), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )


def _parameters(answer: Path) -> dict[str, list[float]]:
    """Return the values of each parameter: those with an index after the point are one list.

    Empty where the program has left no complete answer.
    """
    text = answer.read_text() if answer.is_file() else ""
    rows = [line for line in text.splitlines() if line and not line.startswith("#")]
    if len(rows) != 2:  # names and values
        return {}
    counts = _value_counts(rows[0])
    values = [float(value) for value in rows[1].split(",")]
    if len(values) != counts.total():
        return {}
    following = iter(values)
    return {name: list(islice(following, count)) for name, count in counts.items()}


@lru_cache(maxsize=64)
def _value_counts(names: str) -> Counter[str]:
    """Return how many values each parameter has, in their order; those of one are together."""
    return Counter(name.partition(".")[0] for name in names.split(","))


def _is_start(found: Mapping[str, list[float]], start: Start) -> bool:
    """Return true if an answer is where the search began, to the digits that the program writes."""
    return all(
        np.allclose(found[name], values, rtol=WRITTEN_RATIO, atol=0)
        for name, values in start.items()
    )


def fourier(epoch_days: IndexArray, season: Season) -> FloatArray:
    """Return the columns of a season by Prophet's formula, whose last bits are its own."""
    angle = np.pi * 2 * epoch_days.astype(np.float64)
    columns = np.empty((len(epoch_days), 2 * season.order))
    for index in range(season.order):
        harmonic = (index + 1) / season.period * angle
        columns[:, 2 * index] = np.sin(harmonic)
        columns[:, 2 * index + 1] = np.cos(harmonic)
    return columns


@lru_cache(maxsize=32)
def _feature_text(
    epoch_days: bytes, seasons: tuple[Season, ...], regressors: bytes, regressor_count: int
) -> str:
    """Return the rows of the features as JSON without its outer brackets, some 150 KB."""
    blocks = [_season_texts(epoch_days, season) for season in seasons]
    if regressor_count:
        blocks.append(_row_texts(np.frombuffer(regressors).reshape(-1, regressor_count)))
    return "], [".join(map(", ".join, zip(*blocks, strict=True)))


@lru_cache(maxsize=64)
def _season_texts(epoch_days: bytes, season: Season) -> tuple[str, ...]:
    """Return the columns of a season as text, row by row, for all series of the same days."""
    return _row_texts(fourier(np.frombuffer(epoch_days, dtype=np.int64), season))


def _row_texts(rows: FloatArray) -> tuple[str, ...]:
    """Return the elements of each row as a JSON list without its brackets; one column at least."""
    return tuple(json.dumps(rows.tolist())[2:-2].split("], ["))


@cache
def _program() -> str:
    """Return the path of the program; the package is found without importing it, which is slow."""
    package = find_spec("prophet")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("No module named 'prophet'", name="prophet")
    return str(Path(package.origin).parent / "stan_model" / "prophet_model.bin")
