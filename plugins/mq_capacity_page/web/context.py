"""Settings and store of this process, opened at the first request and shared by all of them."""

import gc
from functools import cache
from typing import NamedTuple

from sqlalchemy import Engine

from mqcap.domain.estate import Estate
from mqcap.domain.subject import Subject
from mqcap.settings import Settings, load_settings
from mqcap.store.database import open_store


class PageContext(NamedTuple):
    """The settings and the store that every view reads."""

    settings: Settings
    engine: Engine

    @property
    def estate(self) -> Estate:
        """The estate with its look-ups."""
        return self.settings.complete_estate()

    def zones(self) -> dict[str, str]:
        """Return the time zone of each configured sysplex and place, by name."""
        return self.settings.zones()

    def timezone_of(self, subject: str) -> str:
        """Return the zone of a subject's calendar days: its sysplex's, else the site's."""
        return self.estate.timezone_of(Subject(subject).sysplex) or self.settings.site.timezone


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
