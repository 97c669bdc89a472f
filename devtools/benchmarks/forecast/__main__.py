"""How true forecasts are: probabilities of passing limits, and accuracy, on public data.

``python -m devtools.benchmarks.forecast DATA [--every N] [--fit]`` prints scores of
the shipped figures by set and kind, with standard errors over entities; with ``--fit`` those of
figures that have not seen the entity, and that have not seen the kind, and the figures of
``forecasting/probability.csv`` with their errors.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from devtools.benchmarks.forecast.outcomes import (
    FITTED_DAYS,
    SOURCES,
    cases_of,
    fitted,
    held_out,
    print_scores,
    scores,
    standard_errors,
    stated_by,
    with_date_errors,
)
from devtools.benchmarks.ratios import StepCost, measured, tell
from forecasting.probability import Figures, shipped

RATIO = "Brier score of real limits : constant base rate"


def main() -> int:
    """Read the arguments and print the tables; 1 when the ratio is worse than the release's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1, help="every N-th limit of a set")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    every = (arguments.every, arguments.processes)
    costs: list[StepCost] = []
    with measured(costs, "forecast"):
        parts = [cases_of(arguments.data, source, *every) for source in SOURCES]
    cases = pd.concat(parts, ignore_index=True)
    count = sum(part["unique_id"].nunique() for part in parts)
    each_ms = 1_000 * costs[0].cpu_seconds / count
    print(f"{count} forecasts, {each_ms:.0f} ms of CPU each, {costs[0].seconds:.1f} s in all")
    stated = stated_by(cases, np.array(shipped()))
    ours = with_date_errors(cases.assign(stated=stated))
    _print("shipped", ours)
    if arguments.fit:
        _print("entities held out", cases.assign(stated=held_out(cases)))
        _print("kinds held out", cases.assign(stated=held_out(cases, "kind", 99)))
        some = cases[cases["days"].isin(FITTED_DAYS)]
        errors = standard_errors(some, fitted, count=40)
        found = zip(Figures._fields, fitted(cases), errors, strict=True)
        print("figure,value,standard_error")
        for name, value, error in found:
            print(f"{name},{value:.2f},{error:.2f}")
    real = scores(ours[ours["set"] == SOURCES[0].name])
    return tell("forecast", {RATIO: real.brier / real.base_brier})


def _print(title: str, cases: pd.DataFrame) -> None:
    for name in (source.name for source in SOURCES):
        print_scores(f"{title}, {name}", cases[cases["set"] == name])


if __name__ == "__main__":
    raise SystemExit(main())
