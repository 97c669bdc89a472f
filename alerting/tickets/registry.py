"""Find a tracker by its name: each module of this package beside this one is a tracker.

A new one is one file ``alerting/tickets/<name>.py`` with a function ``open_backend(options)``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping

import alerting.tickets
from alerting.ticketing import TicketBackend
from domain.errors import ConfigurationError


def backend(name: str, options: Mapping[str, str] | None = None) -> TicketBackend:
    """The tracker that the settings name, with its options.

    Raises ConfigurationError for a tracker or an option that does not exist.
    """
    if name not in names():
        raise ConfigurationError(
            "alerts.ticket_backend names no tracker",
            found=repr(name),
            expected=" or ".join(names()),
            remedy="Correct alerts.ticket_backend (MQCAP_ALERTS__TICKET_BACKEND).",
        )
    module = importlib.import_module(f"{alerting.tickets.__name__}.{name}")
    opened: TicketBackend = module.open_backend(options or {})
    return opened


def names() -> list[str]:
    """All trackers by name."""
    found = pkgutil.iter_modules(alerting.tickets.__path__)
    return sorted(module.name for module in found if module.name != "registry")
