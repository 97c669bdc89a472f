"""Registry of ticket backends: each other module of this package is one.

It has ``open_backend(options)`` and, with a server, ``CONNECTION_ID``: the Airflow connection.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from types import ModuleType

from mqcap.domain.errors import ConfigurationError
from mqcap.notifications import tickets
from mqcap.notifications.ticket_delivery import TicketBackend


def backend(name: str, options: Mapping[str, str] | None = None) -> TicketBackend:
    """Return the ticket backend of a name; ConfigurationError for another name or option."""
    if name not in names():
        raise ConfigurationError(
            "alerts.ticket_backend names no tracker",
            found=repr(name),
            expected=" or ".join(names()),
            remedy="Correct alerts.ticket_backend (MQCAP_ALERTS__TICKET_BACKEND).",
        )
    opened: TicketBackend = _module(name).open_backend(options or {})
    return opened


def connection_id(name: str) -> str | None:
    """Return the Airflow connection of a ticket backend, if it has a server."""
    if name not in names():
        return None
    connection: str | None = getattr(_module(name), "CONNECTION_ID", None)
    return connection


def names() -> list[str]:
    """Return the names of all ticket backends, sorted."""
    modules = pkgutil.iter_modules(tickets.__path__)
    return sorted(module.name for module in modules if module.name != "registry")


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{tickets.__name__}.{name}")
