"""Metrics that are one field of one section: their rows in the catalogue say all.

An amount per hour or second is counted in the interval; any other unit is that of the field.
"""

from collections import defaultdict
from typing import Final

import polars as pl

from mqcap.domain.metric import Metric, SubjectKind
from mqcap.domain.units import SECONDS_PER_HOUR
from spark_apps.catalogue import catalogue
from spark_apps.transforms.intervals import (
    Counter,
    Gauge,
    Sections,
    interval_rows,
    numbered,
    path,
    union,
)

MADE_BY: Final = "one_field.intervals"
_MANAGER: Final = path("sysplex", "qmgr")
_SUBJECTS: Final = {
    SubjectKind.queue_manager: _MANAGER,
    SubjectKind.channel_initiator: path(_MANAGER, pl.lit("CHINIT")),
    SubjectKind.buffer_pool: path(_MANAGER, numbered("BP", "qpstpool")),
    SubjectKind.page_set: path(_MANAGER, numbered("PS", "qis1psno")),
}
_AMOUNT_PER_UNIT: Final = {"count/h": 1 / SECONDS_PER_HOUR, "count/s": 1.0}


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, subject and statistics interval."""
    figures = defaultdict(list)
    for metric in catalogue()[MADE_BY]:
        [dataset] = metric.reads
        figures[dataset, metric.subject_kind].append(_figure(metric))
    return union(
        *(
            interval_rows(sections[dataset], _SUBJECTS[kind], *several)
            for (dataset, kind), several in figures.items()
        )
    )


def _figure(metric: Metric) -> Gauge | Counter:
    [field] = metric.fields
    column = pl.col(field.lower())
    amount = _AMOUNT_PER_UNIT.get(metric.unit)
    return Gauge(metric.name, column) if amount is None else Counter(metric.name, column, amount)
