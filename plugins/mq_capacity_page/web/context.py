"""What every page begins with: settings and store of this process, and the head of the page."""

import gc
from datetime import date
from functools import cache
from types import SimpleNamespace
from typing import NamedTuple

from sqlalchemy import Engine

from mqcap.domain.estate import Estate
from mqcap.domain.subject import Subject
from mqcap.settings import Settings, load_settings
from mqcap.store.database import open_store
from mqcap.store.findings import latest_site_date, next_findings_date, previous_findings_date


class PageContext(NamedTuple):
    """The settings and the store that every view reads."""

    settings: Settings
    engine: Engine

    @property
    def estate(self) -> Estate:
        """The estate with its look-ups."""
        return self.settings.complete_estate()

    def timezone_of(self, subject: str) -> str:
        """Return the zone of a subject's calendar days: its sysplex's, else the site's."""
        return self.estate.zones().get(Subject(subject).sysplex) or self.settings.site.timezone


@cache
def current_context() -> PageContext:
    """Return the context of this process; a failure is not cached, so the next request retries.

    Raises:
        ConfigurationError: the settings are wrong.
        ServiceUnavailable: the store does not answer.
    """
    settings = load_settings()
    _freeze_loaded_objects()
    return PageContext(settings, open_store(settings.store.url.get_secret_value()))


@cache
def _freeze_loaded_objects() -> None:
    """Exclude what is loaded by now from garbage collection, once per process.

    Airflow with its plugins are some 400,000 objects that live as long as the process. The
    collector looked through all of them at every fifth overview or so, which took longer than the
    page itself (370 ms of 600, measured). Airflow's own executors do the same before they fork.
    """
    gc.collect()
    gc.freeze()


class View(SimpleNamespace):
    """What a template prints, by name."""


def page_frame(context: PageContext, day: date | None, current: str) -> View:
    """Return the head of every page: site, the day asked for, else the latest, and its neighbours.

    ``current`` is the entry of the navigation that is highlighted; ``day`` is ``None`` in a store
    without findings.
    """
    latest = latest_site_date(context.engine)
    shown = day or latest
    return View(
        site_name=context.settings.site.name,
        current=current,
        day=shown,
        earlier=previous_findings_date(context.engine, shown) if shown else None,
        later=next_findings_date(context.engine, shown) if shown else None,
        latest=latest,
    )
