"""Subject and everything below it: findings and series."""

from __future__ import annotations

from datetime import date

from mq_capacity_page.queries import fleet_lines_on
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.presentation.fleet import FleetLine
from mqcap.store.models import SeriesFacts
from mqcap.store.series import series_as_of, series_below


class SubjectView(ViewModel):
    """Subject on a day."""

    subject: str
    lines: list[FleetLine]
    series: list[SeriesFacts]


def subject_view(context: PageContext, name: str, day: date | None) -> SubjectView | None:
    """Return findings and series of a subject and of what is below it; ``None`` if it has none."""
    below = series_below(context.engine, name)
    view = SubjectView(
        subject=name,
        lines=fleet_lines_on(context, day, name) if day else [],
        series=series_as_of(context.engine, below, day) if day else below,
    )
    return view if view.lines or view.series else None
