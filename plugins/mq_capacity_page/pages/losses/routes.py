"""Address of the losses of a day."""

from __future__ import annotations

from fastapi.responses import HTMLResponse

from mq_capacity_page.pages.losses.view import losses_view
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import render, render_no_data

router = page_router()


@router.get("/losses", response_class=HTMLResponse)
def losses(context: ContextDep, day: OptionalDay = None) -> HTMLResponse:
    """Return what survivors carry when each facility and member is lost in turn."""
    frame = page_frame(context, day, "losses")
    if frame.day is None:
        return render_no_data(frame)
    return render("losses.html", frame, losses_view(context, frame.day))
