"""Tables of the store (SQLAlchemy 2). Every date is a site date, every instant is UTC."""

from __future__ import annotations

from mqcap.store.tables.base import Base, UtcDateTime
from mqcap.store.tables.findings import CrossingRow, FindingRow, ProblemDate, ProblemRow
from mqcap.store.tables.forecasts import (
    CrossingScoreRow,
    ForecastPointRow,
    ForecastRow,
    ForecastScoreRow,
)
from mqcap.store.tables.notifications import (
    AnnotationRow,
    Delivery,
    ProblemMark,
    SavedScenario,
    StepRun,
    TicketRow,
)
from mqcap.store.tables.observations import (
    FeedDayRow,
    ObservationDaily,
    ObservedHourDate,
    Series,
    SourceFile,
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
