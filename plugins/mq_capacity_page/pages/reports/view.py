"""The reports that can be made about a day."""

from __future__ import annotations

from typing import Final, NamedTuple

from mq_capacity_page.web.page_frame import ViewModel
from mqcap.reports.document import ReportFormat, ReportKind


class ReportOption(NamedTuple):
    """Kind of report as it is offered."""

    kind: ReportKind
    title: str
    description: str


OPTIONS: Final = (
    ReportOption(
        ReportKind.daily,
        "Daily report",
        "Findings to act on and to watch, changes since the day before, and missing data, "
        "for operations in the morning.",
    ),
    ReportOption(
        ReportKind.weekly,
        "Weekly report",
        "Changes of a week, growth and dates of urgent findings with charts, and the accuracy of "
        "past forecasts.",
    ),
    ReportOption(
        ReportKind.monthly,
        "Monthly capacity plan",
        "Every limit with growth, dates, probabilities and lead time, the changes to request, and "
        "the assumptions: for the change advisory board.",
    ),
)


class ReportsView(ViewModel):
    """The kinds of reports, each in every format."""

    options: tuple[ReportOption, ...] = OPTIONS
    formats: tuple[ReportFormat, ...] = tuple(ReportFormat)
