"""Metrics of one field, as the catalogue says: an amount per hour or second, else a level."""

from collections import defaultdict
from typing import Any, Final

import polars as pl

from mqcap.domain.metric import SubjectKind
from mqcap.domain.units import SECONDS_PER_HOUR
from spark_apps.catalogue import catalogue
from spark_apps.transforms.intervals import (
    CHINIT_SUBJECT,
    MANAGER_SUBJECT,
    Counter,
    Gauge,
    Sections,
    interval_rows,
    numbered,
    path,
    union,
)

MADE_BY: Final = "one_field.intervals"
_SUBJECTS: Final = {
    SubjectKind.queue_manager: MANAGER_SUBJECT,
    SubjectKind.channel_initiator: CHINIT_SUBJECT,
    SubjectKind.buffer_pool: path(MANAGER_SUBJECT, numbered("BP", "qpstpool")),
    SubjectKind.page_set: path(MANAGER_SUBJECT, numbered("PS", "qis1psno")),
}
_AMOUNT_PER_UNIT: Final = {"count/h": 1 / SECONDS_PER_HOUR, "count/s": 1.0}


def intervals(sections: Sections) -> pl.LazyFrame:
    """Return one row per metric, subject and statistics interval."""
    figures: dict[Any, list[Gauge | Counter]] = defaultdict(list)
    for metric in catalogue()[MADE_BY]:
        [dataset], [field] = metric.reads, metric.fields
        amount = _AMOUNT_PER_UNIT.get(metric.unit)
        figures[dataset, metric.subject_kind].append(
            Counter(metric.name, field.lower(), amount)
            if amount
            else Gauge(metric.name, field.lower())
        )
    return union(
        *(
            interval_rows(sections[dataset], _SUBJECTS[kind], *several)
            for (dataset, kind), several in figures.items()
        )
    )
