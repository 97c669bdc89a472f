"""Tables of the store (SQLAlchemy 2). Every date is a site date, every instant is UTC."""

from __future__ import annotations

from store.tables.base import Base, UtcDateTime
from store.tables.forecast import CrossingScoreRow, ForecastPointRow, ForecastRow, ForecastScoreRow
from store.tables.judged import CrossingRow, FindingRow, ProblemDate, ProblemRow
from store.tables.measured import FeedDayRow, ObservationDaily, ObservedHourDate, Series, SourceFile
from store.tables.told import (
    AnnotationRow,
    Delivery,
    ProblemMark,
    SavedScenario,
    StepRun,
    TicketRow,
)

__all__ = [
    "AnnotationRow",
    "Base",
    "CrossingRow",
    "CrossingScoreRow",
    "Delivery",
    "FeedDayRow",
    "FindingRow",
    "ForecastPointRow",
    "ForecastRow",
    "ForecastScoreRow",
    "ObservationDaily",
    "ObservedHourDate",
    "ProblemDate",
    "ProblemMark",
    "ProblemRow",
    "SavedScenario",
    "Series",
    "SourceFile",
    "StepRun",
    "TicketRow",
    "UtcDateTime",
]
