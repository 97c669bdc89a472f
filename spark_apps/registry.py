"""Registry of metrics: declared in ``metrics/catalogue.csv``, made by the modules of ``metrics``.

A module has ``intervals(sections)``, with rows as in ``spark_apps.transforms.intervals``; the
catalogue has a row for each metric, with the name of that module as its file.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import polars as pl

from mqcap.domain.discovery import load_all
from mqcap.domain.metric import Direction, Metric
from spark_apps import metrics
from spark_apps.attribution.by_date import DATASETS
from spark_apps.site_figure_placement import known_metrics
from spark_apps.transforms.intervals import Sections

CATALOGUE: Final = Path(__file__).with_name("metrics") / "catalogue.csv"
_SITE_FIGURES: Final = "site_figures"
"""Its metrics are those that the domain knows."""


@dataclass(frozen=True)
class MetricFamily:
    """The metrics of one module, with the transform that yields their interval rows."""

    metrics: tuple[Metric, ...]
    intervals: Callable[[Sections], pl.LazyFrame]


@cache
def families() -> tuple[MetricFamily, ...]:
    """Return the metric family of every module of ``spark_apps.metrics``, in order of its name."""
    modules: tuple[Any, ...] = load_all(metrics)
    declared = {**catalogue(), _SITE_FIGURES: known_metrics()}
    names = [module.__name__.rpartition(".")[2] for module in modules]
    return tuple(
        MetricFamily(declared[name], module.intervals)
        for name, module in zip(names, modules, strict=True)
    )


@cache
def catalogue() -> Mapping[str, tuple[Metric, ...]]:
    """Return the metrics of the catalogue by module, in their order."""
    found = defaultdict(list)
    with CATALOGUE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found[row.pop("file")].append(Metric(**dict(_fields(row))))
    return {name: tuple(several) for name, several in found.items()}


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
