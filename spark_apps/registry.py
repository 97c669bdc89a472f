"""Registry of metrics: declared in ``metrics/catalogue.csv``, made by the modules of ``metrics``.

A row of the catalogue names the function of the sections that makes the metric, with rows as in
``spark_apps.transforms.intervals``; a module has the functions of one subject.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

import polars as pl

from mqcap.domain.metric import Direction, Metric
from spark_apps import metrics
from spark_apps.attribution.by_date import DATASETS
from spark_apps.site_figure_placement import known_metrics
from spark_apps.transforms.intervals import Sections

CATALOGUE: Final = Path(__file__).with_name("metrics") / "catalogue.csv"
_SITE_FIGURES: Final = "site_figures.intervals"
"""Its metrics are those that the domain knows."""


@dataclass(frozen=True)
class MetricFamily:
    """The metrics of one function, which yields their interval rows."""

    metrics: tuple[Metric, ...]
    intervals: Callable[[Sections], pl.LazyFrame]


@cache
def families() -> tuple[MetricFamily, ...]:
    """Return the metrics of every function that makes some, in order of module and name."""
    return tuple(
        MetricFamily(several, _function(made_by))
        for made_by, several in sorted(catalogue().items())
    )


@cache
def catalogue() -> Mapping[str, tuple[Metric, ...]]:
    """Return the metrics by the function that makes them: ``logs.growth``."""
    found = defaultdict(list)
    with CATALOGUE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found[row.pop("made_by")].append(Metric(**dict(_fields(row))))
    return {_SITE_FIGURES: known_metrics(), **{name: tuple(rows) for name, rows in found.items()}}


def _function(made_by: str) -> Callable[[Sections], pl.LazyFrame]:
    module, _, name = made_by.partition(".")
    made: Callable[[Sections], pl.LazyFrame] = getattr(
        import_module(f"{metrics.__name__}.{module}"), name
    )
    return made


def _fields(row: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    """Yield the fields of a metric; several names in one are divided by blanks."""
    for name, text in row.items():
        if name in {"reads", "fields", "uncertain"}:
            yield name, tuple(text.split())
        elif name == "forecast":
            yield name, text == "yes"
        elif name == "ceiling":
            yield name, float(text) if text else None
        elif name == "direction":
            yield name, Direction(text or Direction.upward)
        else:
            yield name, text


def all_metrics() -> tuple[Metric, ...]:
    """Return every declared metric, in order of its name."""
    declared = (metric for family in families() for metric in family.metrics)
    return tuple(sorted(declared, key=lambda metric: metric.name))


def datasets_read() -> tuple[str, ...]:
    """Return the names of the datasets that any metric, or attribution, reads, in order."""
    return tuple(sorted({*(name for metric in all_metrics() for name in metric.reads), *DATASETS}))
