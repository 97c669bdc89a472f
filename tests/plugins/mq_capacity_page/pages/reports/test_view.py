"""The reports that are offered."""

from __future__ import annotations

from mq_capacity_page.pages.reports.view import ReportsView
from mqcap.reports.document import ReportFormat, ReportKind


def test_every_kind_of_report_is_offered_once_in_every_format() -> None:
    view = ReportsView()
    assert [option.kind for option in view.options] == list(ReportKind)
    assert set(view.formats) == set(ReportFormat)
    assert all(option.title and option.description.endswith(".") for option in view.options)
