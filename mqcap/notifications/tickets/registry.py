"""Registry of ticket backends: each other module of this package is one.

To add one, add a file ``<name>.py`` with a function ``open_backend(options)`` and, when it has a
server, ``CONNECTION_ID``: the Airflow connection with its address and secret.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from types import ModuleType

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
    opened: TicketBackend = _module(name).open_backend(options or {})
    return opened


def connection_id(name: str) -> str | None:
    """Return the Airflow connection with address and secret of a ticket backend.

    ``None`` for a backend without a server and for a name that is not registered.
    """
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
