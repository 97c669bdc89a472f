"""Address of the source files."""

from __future__ import annotations

from fastapi.responses import HTMLResponse

from mq_capacity_page.pages.data.view import files_view
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import render

router = page_router()


@router.get("/data", response_class=HTMLResponse)
def data(
    context: ContextDep, problems: bool = False, start: int = 0, about: OptionalDay = None
) -> HTMLResponse:
    """Return the files that were read, and how many bytes of them are accounted for."""
    view = files_view(context, problems, max(0, start), about)
    return render("data.html", page_frame(context, None, "data"), view)
