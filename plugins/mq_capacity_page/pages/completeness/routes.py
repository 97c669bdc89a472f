"""The address of the completeness page; it depends on Airflow's current-user dependency."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import HTMLResponse
from pydantic import BeforeValidator

from mq_capacity_page.pages import answers
from mq_capacity_page.pages.completeness import view as completeness
from mq_capacity_page.web.assets import asset_link
from mq_capacity_page.web.auth import get_user
from mq_capacity_page.web.context import Site, current_site
from mq_capacity_page.web.rendering import page

router = APIRouter(dependencies=[Depends(get_user)])

Day = Annotated[date | None, BeforeValidator(lambda value: None if value == "" else value)]


@router.get("/completeness", response_class=HTMLResponse)
def completeness_page(
    site: Annotated[Site, Depends(current_site)],
    day: Annotated[Day, Query()] = None,
    incomplete: bool = False,
) -> HTMLResponse:
    """What of each feed should have arrived about a day, and what has."""
    frame = answers.frame(site, day, "completeness")
    if frame.day is None:
        return page("empty.html", frame=frame, asset=asset_link)
    view = completeness.completeness_view(site, frame.day, incomplete)
    return page(
        "completeness.html",
        frame=frame,
        asset=asset_link,
        view=view,
        looks=completeness.LOOKS.values(),
    )
