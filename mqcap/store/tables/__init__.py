"""Tables of the store (SQLAlchemy 2). Dates are site dates, instants are in UTC."""

from __future__ import annotations

from mqcap.store.tables.base import Base, UtcDateTime
from mqcap.store.tables.findings import (
    CrossingRow,
    FindingRow,
    HoldOutCrossingRow,
    LossRow,
    PlanRow,
    ProblemDateRow,
    ProblemRow,
    SiteCorrectionRow,
)
from mqcap.store.tables.notifications import (
    AcknowledgementRow,
    AnnotationRow,
    DeliveryRow,
    SavedScenarioRow,
    StepRunRow,
    TicketRow,
)
from mqcap.store.tables.observations import (
    ConsoleStateRow,
    CrossingScoreRow,
    FeedDayRow,
    ForecastPointRow,
    ForecastRow,
    ForecastScoreRow,
    ObservationRow,
    ObservedHourDateRow,
    SeriesRow,
    SourceFileRow,
)

__all__ = [
    "AcknowledgementRow",
    "AnnotationRow",
    "Base",
    "ConsoleStateRow",
    "CrossingRow",
    "CrossingScoreRow",
    "DeliveryRow",
    "FeedDayRow",
    "FindingRow",
    "ForecastPointRow",
    "ForecastRow",
    "ForecastScoreRow",
    "HoldOutCrossingRow",
    "LossRow",
    "ObservationRow",
    "ObservedHourDateRow",
    "PlanRow",
    "ProblemDateRow",
    "ProblemRow",
    "SavedScenarioRow",
    "SeriesRow",
    "SiteCorrectionRow",
    "SourceFileRow",
    "StepRunRow",
    "TicketRow",
    "UtcDateTime",
]
