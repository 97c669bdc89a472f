"""The way to the store: settings and engine, opened at the first request and kept."""

from __future__ import annotations

import gc
from functools import cache
from typing import NamedTuple

from sqlalchemy import Engine

from mqcap.domain.estate import Estate
from mqcap.settings import Settings, load_settings
from mqcap.store.database import open_store


class Site(NamedTuple):
    """What every page needs: the settings and the store."""

    settings: Settings
    engine: Engine

    @property
    def estate(self) -> Estate:
        """The estate with its look-ups."""
        return self.settings.whole_estate()

    def zones(self) -> dict[str, str]:
        """Time zone of each configured sysplex, by name."""
        return {plex.sysplex: plex.timezone for plex in self.settings.estate}


@cache
def current_site() -> Site:
    """The site of this process; a failure is not kept, so the next request tries again.

    Raises ConfigurationError for wrong settings, ServiceUnavailable when the store is down.
    """
    settings = load_settings()
    _leave_the_old_alone()
    return Site(settings, open_store(settings.store.url.get_secret_value()))


@cache
def _leave_the_old_alone() -> None:
    """Once per process: what is loaded by now is no longer searched for garbage.

    Airflow with its plugins are some 400,000 objects that live as long as the process. The
    collector looked through all of them at every fifth overview or so, which took longer than the
    page itself (370 ms of 600, ours). Airflow's own executors do the same before they fork.
    """
    gc.collect()
    gc.freeze()
