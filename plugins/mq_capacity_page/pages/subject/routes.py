"""Address of one subject: a sysplex, a queue manager, a coupling facility, a structure."""

from __future__ import annotations

from fastapi import HTTPException
from fastapi.responses import HTMLResponse

from mq_capacity_page.pages.subject.view import subject_view
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import render
from mqcap.presentation import display_units

router = page_router()


@router.get("/subject", response_class=HTMLResponse)
def subject(context: ContextDep, name: str, day: OptionalDay = None) -> HTMLResponse:
    """Return the findings and the series of one subject."""
    display_units.use_zone_of_subject(name)
    frame = page_frame(context, day, "series")
    view = subject_view(context, name, frame.day)
    if view is None:
        raise HTTPException(404, f"Unknown subject {name!r}.")
    return render("subject.html", frame, view)
