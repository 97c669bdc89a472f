"""Address behind every point of a chart: the records that a figure was made from."""

from __future__ import annotations

from fastapi import HTTPException
from fastapi.responses import HTMLResponse

from mq_capacity_page.pages.trace.view import trace_view
from mq_capacity_page.web.dependencies import ContextDep, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import render
from mqcap.domain.metric import split_series_id
from mqcap.presentation import display_units

router = page_router()


@router.get("/trace", response_class=HTMLResponse)
def trace(context: ContextDep, series: str, at: str) -> HTMLResponse:
    """Return the hours of one day of a series, and the records of one hour: file, byte, fields."""
    display_units.use_zone_of_subject(split_series_id(series)[1])
    try:
        view = trace_view(context, series, at)
    except ValueError as error:
        expected = "a day such as 2026-01-05, or an hour such as 2026-01-05T06:00Z"
        raise HTTPException(422, f"at is {at!r}; expected {expected}.") from error
    if view is None:
        raise HTTPException(404, f"Unknown series {series!r}.")
    return render("trace.html", page_frame(context, view.day, "series"), view)
