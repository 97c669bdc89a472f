"""Names and values that differ between the supported releases of Airflow, 3.1 to 3.3."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from airflow.sdk import CronDataIntervalTimetable
    from airflow.sdk.exceptions import (
        AirflowException,
        AirflowFailException,
        AirflowNotFoundException,
    )

__all__ = [
    "AirflowException",
    "AirflowFailException",
    "AirflowNotFoundException",
    "CronDataIntervalTimetable",
    "doubling_backoff",
]

_PLACES: Final = {
    "AirflowException": ("airflow.sdk.exceptions", "airflow.exceptions"),
    "AirflowFailException": ("airflow.sdk.exceptions", "airflow.exceptions"),
    "AirflowNotFoundException": ("airflow.sdk.exceptions", "airflow.exceptions"),
    "CronDataIntervalTimetable": ("airflow.sdk", "airflow.timetables.interval"),
}
"""Modules by name, that of the newest release first."""


def doubling_backoff(sdk_version: str) -> float:
    """Return the ``retry_exponential_backoff`` that doubles the wait before each retry.

    Airflow 3.1 (SDK 1.1) knows only on and off, and doubles; later releases take the factor.
    """
    return True if sdk_version.startswith("1.1.") else 2.0


def __getattr__(name: str) -> Any:
    """Return a name from the first of its modules that has it.

    Raises:
        AttributeError: it is none of the names above, or none of the modules has it.
    """
    for module in _PLACES.get(name, ()):
        found = getattr(import_module(module), name, None)
        if found is not None:
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
