"""The address of the scorecard; it depends on Airflow's current-user dependency."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import HTMLResponse
from pydantic import BeforeValidator

from mq_capacity_page.pages import answers
from mq_capacity_page.pages.scorecard.view import WINDOWS_DAYS, scorecard_view
from mq_capacity_page.web.assets import asset_link
from mq_capacity_page.web.auth import get_user
from mq_capacity_page.web.context import Site, current_site
from mq_capacity_page.web.rendering import page

router = APIRouter(dependencies=[Depends(get_user)])

Day = Annotated[date | None, BeforeValidator(lambda value: None if value == "" else value)]


@router.get("/scorecard", response_class=HTMLResponse)
def scorecard(
    site: Annotated[Site, Depends(current_site)],
    day: Annotated[Day, Query()] = None,
    days: Annotated[int, Query(ge=1, le=3_660)] = 90,
) -> HTMLResponse:
    """How good the forecasts of the last days were."""
    frame = answers.frame(site, day, "scorecard")
    if frame.day is None:
        return page("empty.html", frame=frame, asset=asset_link)
    view = scorecard_view(site, frame.day, days)
    return page("scorecard.html", frame=frame, asset=asset_link, view=view, windows=WINDOWS_DAYS)
