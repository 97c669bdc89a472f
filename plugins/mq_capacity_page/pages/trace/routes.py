"""The address behind every point of a chart."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import HTMLResponse

from mq_capacity_page.pages import answers
from mq_capacity_page.pages.trace.view import trace_view
from mq_capacity_page.web.assets import asset_link
from mq_capacity_page.web.auth import get_user
from mq_capacity_page.web.context import Site, current_site
from mq_capacity_page.web.rendering import page

router = APIRouter(dependencies=[Depends(get_user)])


@router.get("/trace", response_class=HTMLResponse)
def trace(site: Annotated[Site, Depends(current_site)], series: str, at: str) -> HTMLResponse:
    """The hours of one day of a series, and the records of one hour: file, byte, fields."""
    try:
        view = trace_view(site, series, at)
    except ValueError as error:
        told = "a day such as 2026-01-05, or an hour such as 2026-01-05T06:00Z"
        raise HTTPException(422, f"{at!r} is not {told}.") from error
    if view is None:
        raise HTTPException(404, f"No series is called {series!r}.")
    frame = answers.frame(site, view.day, "series")
    return page("trace.html", frame=frame, asset=asset_link, view=view)
