"""The catalogue of metrics (``metrics/catalogue.csv``): all about a metric but its formula."""

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from mqcap.domain.distributed.site_figure import LOWEST_SUFFIX, DeclaredFigure
from mqcap.domain.metric import Direction, Metric, SubjectKind

CATALOGUE: Final = Path(__file__).with_name("metrics") / "catalogue.csv"
SITE_FIGURES: Final = "site_figures.intervals"
"""Makes the metrics of the figures that a site sends."""


@cache
def catalogue() -> Mapping[str, tuple[Metric, ...]]:
    """Return the metrics by the function that makes them: ``logs.growth``."""
    found = defaultdict(list)
    for row in _rows():
        given = {
            name: text
            for name, text in row.items()
            if name in Metric.model_fields and (text or name == "unit")
        }
        several = {name: row[name].split() for name in ("reads", "fields", "uncertain")}
        found[row["made_by"]].append(Metric.model_validate(given | several))
    found[SITE_FIGURES] += list(_lowest_hours(found[SITE_FIGURES]))
    return {name: tuple(rows) for name, rows in found.items()}


@cache
def metrics_of_load() -> frozenset[str]:
    """Return the metrics that grow with the load; sizes, limits and numbers of engines do not."""
    return frozenset(row["name"] for row in _rows() if row["grows"] == "with load")


@cache
def made_of() -> Mapping[str, str]:
    """Return what the growth is made of, a sentence by metric of which some subjects lack parts."""
    return {row["name"]: row["made_of"] for row in _rows() if row["made_of"]}


def _rows() -> Iterator[dict[str, str]]:
    with CATALOGUE.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _lowest_hours(metrics: Iterable[Metric]) -> Iterator[Metric]:
    """Yield the metric of the lowest hour of a day for each metric of which low is bad."""
    for metric in metrics:
        if metric.direction is Direction.downward:
            yield metric.model_copy(
                update={
                    "name": f"{metric.name}{LOWEST_SUFFIX}",
                    "label": f"{metric.label}, lowest hour",
                    "description": f"{metric.description} The lowest hourly mean of the day.",
                    "lowest_of": metric.name,
                }
            )


def declared_metrics(declared: Iterable[DeclaredFigure]) -> tuple[Metric, ...]:
    """Return the metrics of the figures that the settings declare."""
    measured = tuple(
        Metric(
            name=figure.metric,
            label=figure.label,
            unit=figure.unit,
            subject_kind=SubjectKind.site_object,
            description=f"Site figure {figure.figure}, declared in the settings.",
            reads=("site_sample",),
            forecast=figure.limit is not None,
            direction=figure.direction,
        )
        for figure in declared
    )
    return (*measured, *_lowest_hours(measured))
