"""The list of all series, and the search in it."""

from __future__ import annotations

from datetime import date

from mq_capacity_page.queries import search_series
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.store.models import SeriesFacts


class SeriesListView(ViewModel):
    """The series that match a search."""

    find: str
    matches: list[SeriesFacts]
    total: int
    """Number of series, matching or not."""


def series_list_view(context: PageContext, day: date | None, find: str) -> SeriesListView:
    """Return the series known on the day whose id or label contains ``find``."""
    matches, total = search_series(context, find, day)
    return SeriesListView(find=find, matches=matches, total=total)
