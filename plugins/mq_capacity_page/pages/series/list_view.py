"""The list of all series, and the search in it."""

from __future__ import annotations

from datetime import date
from typing import Final

from mq_capacity_page.queries import search_series
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.metric import owner_subject_of
from mqcap.store.models import SeriesFacts

OPEN_UP_TO: Final = 40
"""As many series are listed at once; more of them by owner, in parts that open (ours)."""


class SeriesListView(ViewModel):
    """The series that match a search."""

    find: str
    matches: list[SeriesFacts]
    total: int
    """Number of series, matching or not."""

    @property
    def by_owner(self) -> dict[str, list[SeriesFacts]]:
        """The matches by queue manager, coupling facility or system: ``PLEX1/CSQ1``."""
        groups: dict[str, list[SeriesFacts]] = {}
        for facts in self.matches:
            owner = owner_subject_of(facts.subject)
            groups.setdefault(owner, []).append(facts)
        return groups

    @property
    def is_open(self) -> bool:
        """Return whether the parts are open: few series match."""
        return len(self.matches) <= OPEN_UP_TO


def series_list_view(context: PageContext, day: date | None, find: str) -> SeriesListView:
    """Return the series known on the day whose id or label contains ``find``."""
    matches, total = search_series(context, find, day)
    return SeriesListView(find=find, matches=matches, total=total)
