"""Find a tracker by its name: each module of this package beside this one is a tracker.

A new one is one file ``<name>.py`` beside this one with a function ``open_backend(options)``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping

from mqcap.domain.errors import ConfigurationError
from mqcap.notifications import tickets
from mqcap.notifications.ticket_delivery import TicketBackend


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
    module = importlib.import_module(f"{tickets.__name__}.{name}")
    opened: TicketBackend = module.open_backend(options or {})
    return opened


def names() -> list[str]:
    """All trackers by name."""
    found = pkgutil.iter_modules(tickets.__path__)
    return sorted(module.name for module in found if module.name != "registry")
