"""Address of the completeness page."""

from __future__ import annotations

from fastapi.responses import HTMLResponse

from mq_capacity_page.pages.completeness.view import completeness_view
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import render, render_no_data

router = page_router()


@router.get("/completeness", response_class=HTMLResponse)
def completeness(
    context: ContextDep, day: OptionalDay = None, incomplete: bool = False
) -> HTMLResponse:
    """Return what each feed should have sent about a day, and what has arrived."""
    frame = page_frame(context, day, "completeness")
    if frame.day is None:
        return render_no_data(frame)
    return render("completeness.html", frame, completeness_view(context, frame.day, incomplete))
