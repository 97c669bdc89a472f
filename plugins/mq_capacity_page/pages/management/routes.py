"""Address of the page for management."""

from fastapi.responses import HTMLResponse

from mq_capacity_page.pages.management.view import management_view
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import render, render_no_data

router = page_router()


@router.get("/management", response_class=HTMLResponse)
def management(context: ContextDep, day: OptionalDay = None) -> HTMLResponse:
    """Return a day by sysplex, by team and month, and what moved in a month."""
    frame = page_frame(context, day, "reports")
    if frame.day is None:
        return render_no_data(frame)
    return render("management.html", frame, management_view(context, frame.day))
