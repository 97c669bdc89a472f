"""Fit and check ``forecasting/engine/recalibration.csv``.

``python -m devtools.benchmarks.forecast.recalibrate DATA [--series N] [--seed S]`` prints the
figures, fitted to N simulated metrics (``simulated``, three limits each) and to ``crossing_dev``,
how good alerts are, with standard errors by bootstrap over series, and how far stated probabilities
are from outcomes, by slices: of ``crossing_dev`` with figures fitted without the tenth that is
judged, of simulated metrics with those fitted to other ones.
Simulated metrics have a level of their own in the fit: how often what nobody can foresee happens
there is ours. With ``--check`` the figures of the file are judged instead, and none are fitted.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from devtools.benchmarks.forecast.measures import PROBABILITY_DAYS, Alerts, reliability
from devtools.benchmarks.forecast.simulated import history_of, limits_of, simulated
from devtools.benchmarks.forecast.slices import (
    alert_scores,
    cases_of,
    date_error_days,
    slice_table,
    worst_gap,
)
from forecasting.arrays import FloatArray
from forecasting.batch_csv import outlooks_of
from forecasting.engine.dating import HORIZON_DAYS
from forecasting.engine.recalibration import Recalibration, shipped, terms

FITTED_DAYS: Final = (15, 30, 45, 60, 75, 90, 120, 150, 180)
"""Days ahead at which outcomes are fitted: more than are judged, for the dates between (ours)."""
EVERY_DAY: Final = range(1, HORIZON_DAYS + 1)
FOLDS: Final = 10
LIMITS: Final = 3
DEV_WEIGHT: Final = 4.0
"""Weight of a case of ``crossing_dev``; simulated ones have three to a series (ours)."""
RIDGE: Final = 2.0
"""Penalty on the distance from no correction, in units of the log likelihood (ours)."""
UNCHANGED: Final = Recalibration(1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
OWN_TERMS: Final = slice(1, 4)
"""Terms of which each set has figures of its own: sharp slope, level and days ahead (ours)."""
OWN_RIDGE: Final = 1_000.0
"""Penalty on the difference of these between the sets (ours).

Each limit of ``crossing_dev`` counts 36 times in the fit: nine times ahead, a weight of 4."""


def main() -> None:
    """Print the figures and the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--series", type=int, default=1_400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    ours = _simulated(arguments.series, arguments.seed, arguments.processes)
    dev = _crossing_dev(arguments.data, arguments.processes)
    _print("crossing_dev, uncorrected", dev)
    _print("simulated, uncorrected", ours)
    if arguments.check:
        _print("crossing_dev, figures of the file", corrected(dev, shipped()))
        _print("simulated, figures of the file", corrected(ours, shipped()))
        return
    print("figure,value")
    for name, value in fitted(dev, ours)[0]._asdict().items():
        print(f"{name},{value:.3g}")
    _print("crossing_dev, held out", held_out(dev, ours, judged=0))
    _print("simulated, held out, at their own level", held_out(dev, ours, judged=1))


def fitted(dev: pd.DataFrame, ours: pd.DataFrame) -> tuple[Recalibration, Recalibration]:
    """Return the figures of ``crossing_dev`` and those of the simulated metrics.

    Both have the same figures but for ``OWN_TERMS``.
    """
    dev, ours = (part[part["days"].isin(FITTED_DAYS)] for part in (dev, ours))
    mine, theirs = _terms(dev), _terms(ours)
    none = np.zeros_like(mine[:, OWN_TERMS])
    rows = np.vstack([np.hstack([mine, none]), np.hstack([theirs, theirs[:, OWN_TERMS]])])
    came = np.concatenate([dev["came"], ours["came"]]).astype(np.float64)
    weights = np.concatenate([np.full(len(dev), DEV_WEIGHT), np.ones(len(ours))])
    start = np.concatenate([UNCHANGED, np.zeros(rows.shape[1] - len(UNCHANGED))])
    penalties = np.where(np.arange(rows.shape[1]) < len(UNCHANGED), RIDGE, OWN_RIDGE)
    figures = logistic(rows, came, weights, start, penalties)
    shared, more = figures[: len(UNCHANGED)], figures[len(UNCHANGED) :]
    simulated_figures = shared.copy()
    simulated_figures[OWN_TERMS] += more
    return Recalibration(*shared.tolist()), Recalibration(*simulated_figures.tolist())


def held_out(dev: pd.DataFrame, ours: pd.DataFrame, *, judged: int) -> pd.DataFrame:
    """Return one of the sets (0: ``dev``), corrected with figures that have not seen its series."""
    sets = [dev, ours]
    names = sorted(sets[judged]["series"].unique())
    fold = sets[judged]["series"].map({name: index % FOLDS for index, name in enumerate(names)})
    parts = []
    for index in range(FOLDS):
        others = [*sets]
        others[judged] = sets[judged][fold != index]
        figures = fitted(others[0], others[1])[judged]
        parts.append(corrected(sets[judged][fold == index], figures))
    return pd.concat(parts)


def corrected(cases: pd.DataFrame, figures: Recalibration) -> pd.DataFrame:
    """Return the cases with corrected probabilities."""
    return cases.assign(stated=1 / (1 + np.exp(-_terms(cases) @ np.array(figures))))


def _terms(cases: pd.DataFrame) -> FloatArray:
    names = ("stated", "sharp", "days", "distance", "history_days")
    return terms(*(cases[name].to_numpy(np.float64) for name in names))


def logistic(
    rows: FloatArray,
    came: FloatArray,
    weights: FloatArray,
    start: FloatArray,
    penalties: float | FloatArray = RIDGE,
) -> FloatArray:
    """Penalised maximum likelihood by Newton's method, towards ``start``: no correction.

    ``penalties`` is one for all figures or one for each.
    """
    figures = start.copy()
    for _ in range(30):
        stated = 1 / (1 + np.exp(-rows @ figures))
        slope = rows.T @ (weights * (came - stated)) - penalties * (figures - start)
        curvature = (rows.T * (weights * stated * (1 - stated))) @ rows
        step = np.linalg.solve(curvature + penalties * np.eye(len(figures)), slope)
        figures = figures + step
        if np.abs(step).max() < 1e-8:
            break
    return figures


def _simulated(count: int, seed: int, processes: int) -> pd.DataFrame:
    items = simulated(count, seed)
    return _cases(history_of(items), limits_of(items, LIMITS, seed), processes, FITTED_DAYS)


def _crossing_dev(data: Path, processes: int) -> pd.DataFrame:
    folder = data / "crossing_dev"
    history = pd.read_csv(folder / "history.csv.gz")
    return _cases(history, pd.read_csv(folder / "truth.csv"), processes, EVERY_DAY)


def _cases(
    history: pd.DataFrame, truth: pd.DataFrame, processes: int, times: Sequence[int]
) -> pd.DataFrame:
    outlooks, _ = outlooks_of(history, truth, processes=processes)
    return cases_of(truth, outlooks, times)


def _print(title: str, cases: pd.DataFrame) -> None:
    if set(EVERY_DAY) <= set(cases["days"]):
        print(f"{title}: dates are off by {date_error_days(cases):.1f} days in the median")
    named = zip(Alerts._fields, *alert_scores(cases), strict=True)
    scores = (f"{name} {score:.3f} +- {error:.3f}" for name, score, error in named)
    print(f"{title}: alerts: {', '.join(scores)}")
    cases = cases[cases["days"].isin(PROBABILITY_DAYS)]
    table = slice_table(cases)
    stated, came = cases["stated"].to_numpy(), cases["came"].to_numpy()
    bins = reliability(stated, came)
    ece = float((bins["share"] * (bins["stated"] - bins["came"]).abs()).sum())
    print(f"{title}: Brier {np.square(stated - came).mean():.4f}, ECE {ece:.4f}, ", end="")
    print(f"largest gap of a slice {worst_gap(table):.3f}")
    print(table.round(3).to_string())


if __name__ == "__main__":
    main()
