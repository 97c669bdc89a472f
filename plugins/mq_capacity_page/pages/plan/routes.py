"""Address of the plan of one resource."""

from __future__ import annotations

from fastapi import HTTPException
from fastapi.responses import HTMLResponse

from mq_capacity_page.pages.plan.view import plan_view
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import render
from mqcap.presentation import display_units

router = page_router()


@router.get("/plan", response_class=HTMLResponse)
def plan(context: ContextDep, resource: str, day: OptionalDay = None) -> HTMLResponse:
    """Return the plan of a resource with its rules, its arithmetic and what it leaves open."""
    display_units.use_zone_of_subject(resource)
    frame = page_frame(context, day, "overview")
    view = plan_view(context, resource, frame.day) if frame.day is not None else None
    if view is None:
        raise HTTPException(
            404, f"No plan of {resource!r} on that day: nothing is to be changed, or unknown."
        )
    return render("plan.html", frame, view)
