"""Registry of metrics: every module of ``spark_apps.metrics`` is loaded.

A module declares ``METRICS`` and ``intervals(sections)``, whose rows are described in
``spark_apps.transforms.intervals``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import polars as pl

from mqcap.domain.discovery import load_all
from mqcap.domain.metric import Metric
from spark_apps import metrics
from spark_apps.attribution.by_date import DATASETS
from spark_apps.transforms.intervals import Sections


@dataclass(frozen=True)
class MetricFamily:
    """The metrics of one module, with the transform that yields their interval rows."""

    metrics: tuple[Metric, ...]
    intervals: Callable[[Sections], pl.LazyFrame]


@cache
def families() -> tuple[MetricFamily, ...]:
    """Return the metric family of every module of ``spark_apps.metrics``, in order of its name."""
    modules: tuple[Any, ...] = load_all(metrics)
    return tuple(MetricFamily(module.METRICS, module.intervals) for module in modules)


def all_metrics() -> tuple[Metric, ...]:
    """Return every declared metric, in order of its name."""
    declared = (metric for family in families() for metric in family.metrics)
    return tuple(sorted(declared, key=lambda metric: metric.name))


def datasets_read() -> tuple[str, ...]:
    """Return the names of the datasets that any metric, or attribution, reads, in order."""
    return tuple(sorted({*(name for metric in all_metrics() for name in metric.reads), *DATASETS}))
