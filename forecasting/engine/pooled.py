"""Figures pooled over many series, for files whose series show too little of their own errors.

``pooled.csv`` has a row for each step of time, and one for days and weeks of histories too short
for a back-test; ``python -m devtools.benchmarks.forecast.pooled`` computes them, and the coverage
that each series gets from the figures of the others. Sources: ``infra_dev`` for hours,
``crossing_dev`` for days and, as means of seven of them, for weeks.
"""

from __future__ import annotations

import csv
import importlib.resources
from functools import cache
from typing import NamedTuple


class PooledFigures(NamedTuple):
    """What the errors of a step's series have in common.

    ``lower`` and ``upper`` hold 95 % of the errors in units of the scale of their series, which
    grows with the steps ahead to ``growth_power``; ``own_to_naive`` is the median of that scale
    by the mean absolute seasonal difference, 1 without a back-test, where there is no other scale.
    ``series`` and ``origins`` are the numbers behind.
    """

    step: str
    has_backtest: bool
    series: int
    origins: int
    lower: float
    upper: float
    own_to_naive: float
    growth_power: float


def pooled_figures(step: str) -> PooledFigures:
    """The figures of series with one of the steps h, D and W."""
    return _table()[step, True]


def untested_figures(step: str) -> PooledFigures | None:
    """The figures of series of that step without a back-test; ``None`` for hours.

    Of eighteen series of hours a few err by thirty times their mean difference: ends that hold 95 %
    of all would be eighteen times as wide as what the others do.
    """
    return _table().get((step, False))


@cache
def _table() -> dict[tuple[str, bool], PooledFigures]:
    text = importlib.resources.files(__package__).joinpath("pooled.csv").read_text("utf-8")
    rows = map(_figures, csv.DictReader(text.splitlines()))
    return {(row.step, row.has_backtest): row for row in rows}


def _figures(row: dict[str, str]) -> PooledFigures:
    return PooledFigures(
        step=row["step"],
        has_backtest=row["has_backtest"] == "yes",
        series=int(row["series"]),
        origins=int(row["origins"]),
        lower=float(row["lower"]),
        upper=float(row["upper"]),
        own_to_naive=float(row["own_to_naive"]),
        growth_power=float(row["growth_power"]),
    )
