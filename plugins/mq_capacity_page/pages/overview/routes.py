"""Address of the overview."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from fastapi.responses import HTMLResponse

from mq_capacity_page.pages.overview.view import FIRST_ROWS, overview_view
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import render, render_no_data
from mqcap.presentation import fleet

router = page_router()


class OverviewQuery(fleet.Filters):
    """Parameters of the overview: the filters, the day, and how many rows to print."""

    day: OptionalDay = None
    rows: int = FIRST_ROWS


@router.get("/", response_class=HTMLResponse)
def overview(context: ContextDep, query: Annotated[OverviewQuery, Query()]) -> HTMLResponse:
    """Return the findings of a day, most urgent first."""
    frame = page_frame(context, query.day, "overview")
    if frame.day is None:
        return render_no_data(frame)
    filters = fleet.Filters(**query.model_dump(exclude={"day", "rows"}))
    view = overview_view(context, frame.day, filters, max(1, query.rows))
    return render("overview.html", frame, view)
