"""Address of the scorecard."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from fastapi.responses import HTMLResponse

from mq_capacity_page.pages.scorecard.view import scorecard_view
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import render, render_no_data

router = page_router()


@router.get("/scorecard", response_class=HTMLResponse)
def scorecard(
    context: ContextDep,
    day: OptionalDay = None,
    days: Annotated[int, Query(ge=1, le=3_660)] = 90,
) -> HTMLResponse:
    """Return the accuracy of the forecasts made in the last ``days`` days."""
    frame = page_frame(context, day, "scorecard")
    if frame.day is None:
        return render_no_data(frame)
    return render("scorecard.html", frame, scorecard_view(context, frame.day, days))
