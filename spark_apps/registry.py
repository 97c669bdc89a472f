"""Registry of metrics: declared in the catalogue, made by the modules of ``metrics``."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name

import polars as pl

from mqcap.domain.metric import Metric
from spark_apps import metrics
from spark_apps.attribution.by_date import DATASETS
from spark_apps.catalogue import catalogue
from spark_apps.transforms.intervals import Sections


@dataclass(frozen=True)
class MetricFamily:
    """The metrics of one function, which yields their interval rows."""

    metrics: tuple[Metric, ...]
    intervals: Callable[[Sections], pl.LazyFrame]


@cache
def families() -> tuple[MetricFamily, ...]:
    """Return the metrics of every function that makes some, in order of module and name."""
    return tuple(
        MetricFamily(several, resolve_name(f"{metrics.__name__}.{made_by}"))
        for made_by, several in sorted(catalogue().items())
    )


def all_metrics() -> tuple[Metric, ...]:
    """Return every declared metric, in order of its name."""
    declared = (metric for family in families() for metric in family.metrics)
    return tuple(sorted(declared, key=lambda metric: metric.name))


def datasets_read() -> tuple[str, ...]:
    """Return the names of the datasets that any metric, or attribution, reads, in order."""
    return tuple(sorted({*(name for metric in all_metrics() for name in metric.reads), *DATASETS}))
