"""Addresses that the page's benchmark asks: every route that answers GET, lists as files too.

They are read off the application, so that a new route is asked without being named here; one that
needs a parameter which ``GIVEN`` lacks is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple
from urllib.parse import urlencode

from fastapi import FastAPI
from fastapi.dependencies.utils import get_flat_dependant
from fastapi.routing import APIRoute
from pydantic import BaseModel

from devtools.benchmarks.page_rows import DAY, METRICS

SERIES: Final = f"{METRICS[0]}/PLEX1/Q001"
GIVEN: Final[Mapping[str, str]] = {
    "at": DAY.isoformat(),
    "dag_id": "mqcap_daily",
    "day": DAY.isoformat(),
    "delivery": "none",
    "kind": "daily",
    "name": "PLEX1/Q001",
    "resource": "PLEX1/Q001/active_log",
    "rule": "LOG-FILL-30MIN",
    "run_id": "none",
    "series": SERIES,
    "subject": "PLEX1/Q001",
}
"""Values of the parameters that routes require; no other parameter is given."""
FILE: Final = "page.css"
"""The file of routes with a name of one in their path."""
FURTHER: Final[Mapping[str, str]] = {
    "overview": "/",
    "overview, all": "/?system_class=all&rows=10000",
    "series page": f"/series?{urlencode({'series': SERIES})}",
    "sysplex": "/subject?name=PLEX1",
}
"""Addresses by name beside those of the routes: the same route with much more, or less, to show."""


class PageAddress(NamedTuple):
    """An address and the name under which it is printed."""

    name: str
    address: str


def asked_of(application: FastAPI) -> list[PageAddress]:
    """Return what is asked: the named addresses, then each route, each list as a file of CSV.

    Raises KeyError for a route that requires a parameter without a value here.
    """
    named = [PageAddress(name, address) for name, address in FURTHER.items()]
    known = {address for _, address in named}
    found = sorted(set(_of_routes(application)))
    return [*named, *(one for one in found if one.address not in known)]


def _of_routes(application: FastAPI) -> Iterator[PageAddress]:
    for route in application.routes:
        if not isinstance(route, APIRoute) or "GET" not in route.methods:
            continue
        path = route.path_format.format_map({"name": FILE})
        parameters = _parameters(route)
        query = {name: GIVEN[name] for name, required in parameters.items() if required}
        yield PageAddress(path, _with(path, query))
        if "form" in parameters and "start" in parameters:
            yield PageAddress(f"{path}, CSV", _with(path, query | {"form": "csv"}))


def _parameters(route: APIRoute) -> dict[str, bool]:
    """Return whether each parameter of a route is required; those of a model one by one."""
    found: dict[str, bool] = {}
    for field in get_flat_dependant(route.dependant).query_params:
        model = field.field_info.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            found |= {name: one.is_required() for name, one in model.model_fields.items()}
        else:
            found[field.alias] = field.field_info.is_required()
    return found


def _with(path: str, query: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(query)}" if query else path
