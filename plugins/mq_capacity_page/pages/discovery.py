"""The pages of this package: each is a folder with ``routes.py`` and ``view.py``.

A folder is found by being there. Its ``routes.py`` has a ``router``; its ``view.py`` may have a
``NAVIGATION``, the entry of the page in the bar at the top.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from fastapi import APIRouter

from mq_capacity_page import pages


class NavigationEntry(NamedTuple):
    """Entry of the navigation bar."""

    name: str
    """Equal to ``current`` of ``page_frame`` on the pages for which it is highlighted."""
    label: str
    path: str
    order: int
    """Position in the bar, ascending."""


def page_names() -> list[str]:
    """Return the full names of the packages of all pages, sorted."""
    return sorted(
        f"{pages.__name__}.{module.name}" for module in iter_modules(pages.__path__) if module.ispkg
    )


def page_routers() -> list[APIRouter]:
    """Return the routers of all pages; imports Airflow's login."""
    return [import_module(f"{name}.routes").router for name in page_names()]


@cache
def navigation() -> tuple[NavigationEntry, ...]:
    """Return the entries of the navigation bar in their order."""
    views = (import_module(f"{name}.view") for name in page_names())
    entries = (getattr(view, "NAVIGATION", None) for view in views)
    return tuple(sorted((entry for entry in entries if entry), key=lambda entry: entry.order))
