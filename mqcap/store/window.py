"""The daily values of a window of days, for the rules."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from sqlalchemy import Engine, select

from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.store import tables
from mqcap.store.database import reading


class WindowDay(NamedTuple):
    """One measured day of one series, with the words a rule needs."""

    metric: str
    subject: str
    subject_kind: SubjectKind
    unit: str
    site_date: date
    mean: float
    p95: float
    peak: float

    def value(self, statistic: Statistic) -> float:
        """The day's figure of that statistic."""
        return float(getattr(self, statistic.value))


def window(engine: Engine, first: date, last: date) -> list[WindowDay]:
    """All observations between the two days (included), by series and day."""
    day, facts = tables.ObservationDaily, tables.Series
    question = (
        select(
            facts.metric,
            facts.subject,
            facts.subject_kind,
            facts.unit,
            day.site_date,
            day.mean,
            day.p95,
            day.peak,
        )
        .join(facts, facts.series_id == day.series_id)
        .where(day.site_date.between(first, last))
        .order_by(facts.metric, facts.subject, day.site_date)
    )
    with reading(engine) as connection:
        return [
            WindowDay(**{**row, "subject_kind": SubjectKind(row["subject_kind"])})
            for row in connection.execute(question).mappings()
        ]
