"""Figures pooled over many series, for files whose series show too little of their own errors.

``pooled.csv`` has a row for each step of time; ``python -m devtools.benchmarks.forecast.pooled``
computes it, and the coverage that each series gets from the figures of the others. Sources:
``infra_dev`` for hours, ``crossing_dev`` for days and, as means of seven of them, for weeks.
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
    by the mean absolute seasonal difference. ``series`` and ``origins`` are the numbers behind.
    """

    step: str
    series: int
    origins: int
    lower: float
    upper: float
    own_to_naive: float
    growth_power: float


def pooled_figures(step: str) -> PooledFigures:
    """The figures of series with one of the steps h, D and W."""
    return _table()[step]


@cache
def _table() -> dict[str, PooledFigures]:
    text = importlib.resources.files(__package__).joinpath("pooled.csv").read_text("utf-8")
    rows = csv.DictReader(text.splitlines())
    return {row["step"]: _figures(row) for row in rows}


def _figures(row: dict[str, str]) -> PooledFigures:
    return PooledFigures(
        step=row["step"],
        series=int(row["series"]),
        origins=int(row["origins"]),
        lower=float(row["lower"]),
        upper=float(row["upper"]),
        own_to_naive=float(row["own_to_naive"]),
        growth_power=float(row["growth_power"]),
    )
