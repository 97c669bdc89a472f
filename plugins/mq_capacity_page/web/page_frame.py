"""The base of all views, and the head that every page has."""

from datetime import date

from pydantic import BaseModel

from mq_capacity_page.web.context import PageContext
from mqcap.store.findings import (
    latest_site_date,
    next_findings_date,
    previous_findings_date,
)


class ViewModel(BaseModel, frozen=True, arbitrary_types_allowed=True):
    """Base of what templates print: frozen, and made from the rows of the store."""


class PageFrame(ViewModel):
    """The head of every page: site, day, its neighbours."""

    site_name: str
    current: str
    """Name of the navigation entry that is highlighted."""
    day: date | None
    """The site day shown; ``None`` in a store without findings."""
    earlier: date | None
    """The nearest earlier day with findings."""
    later: date | None
    latest: date | None


def page_frame(context: PageContext, day: date | None, current: str) -> PageFrame:
    """Return the head of a page for the day asked for, else for the latest evaluated one."""
    latest = latest_site_date(context.engine)
    shown = day or latest
    return PageFrame(
        site_name=context.settings.site.name,
        current=current,
        day=shown,
        earlier=previous_findings_date(context.engine, shown) if shown else None,
        later=next_findings_date(context.engine, shown) if shown else None,
        latest=latest,
    )
