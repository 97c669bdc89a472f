"""Registry of ticket backends: each other module of this package is one.

To add one, add a file ``<name>.py`` with a function ``open_backend(options)``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping

from mqcap.domain.errors import ConfigurationError
from mqcap.notifications import tickets
from mqcap.notifications.ticket_delivery import TicketBackend


def backend(name: str, options: Mapping[str, str] | None = None) -> TicketBackend:
    """Return the ticket backend of a name with its options.

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
    """Return the names of all ticket backends, sorted."""
    modules = pkgutil.iter_modules(tickets.__path__)
    return sorted(module.name for module in modules if module.name != "registry")
