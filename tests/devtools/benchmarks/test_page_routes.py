"""Addresses of the page's benchmark: those of the application, whatever it serves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import pytest
from fastapi import Depends, FastAPI, Query
from pydantic import BaseModel

from devtools.benchmarks.page_server import FURTHER, SERIES, asked_of

FOLLOWS = len(FURTHER)


class Window(BaseModel):
    """Parameters of a route as a model."""

    subject: str
    rows: int = 25


def page_of_list(start: int = 0, form: str = "json") -> tuple[int, str]:
    return start, form


def simple(series: str, theme: str = "light") -> None: ...


def of_model(query: Annotated[Window, Query()]) -> None: ...


def listed(part: Annotated[tuple[int, str], Depends(page_of_list)], find: str = "") -> None: ...


@pytest.mark.parametrize(
    ("route", "addresses"),
    [
        (simple, [f"/new?series={SERIES.replace('/', '%2F')}"]),
        (of_model, ["/new?subject=PLEX1%2FQ001"]),
        (listed, ["/new", "/new?form=csv"]),
    ],
)
def test_a_new_route_is_asked_with_what_it_requires(
    route: Callable[..., None], addresses: list[str]
) -> None:
    application = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    application.get("/new")(route)
    application.post("/changed")(route)
    assert [one.address for one in asked_of(application)[FOLLOWS:]] == addresses


def test_a_route_that_requires_an_unknown_parameter_is_an_error() -> None:
    application = FastAPI(openapi_url=None)

    def route(unheard_of: str) -> None: ...

    application.get("/new")(route)
    with pytest.raises(KeyError, match="unheard_of"):
        asked_of(application)
