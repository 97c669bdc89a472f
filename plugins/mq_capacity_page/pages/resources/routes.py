"""Address of all resources."""

from fastapi.responses import HTMLResponse

from mq_capacity_page.pages.resources.view import FIRST_OWNERS, resources_view
from mq_capacity_page.web.context import page_frame
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, page_router
from mq_capacity_page.web.rendering import render
from mqcap.presentation import display_units

router = page_router()


@router.get("/resources", response_class=HTMLResponse)
def resources(
    context: ContextDep,
    name: str = "",
    find: str = "",
    day: OptionalDay = None,
    rows: int = FIRST_OWNERS,
) -> HTMLResponse:
    """Return owners with the worst of each kind; with ``name`` what is on and below a subject."""
    frame = page_frame(context, day, "resources")
    if frame.day is None:
        return render("empty.html", frame)
    display_units.use_zone_of_subject(name)
    return render("resources.html", frame, resources_view(context, frame.day, name, find, rows))
