"""Address of the description of the REST API for people."""

from __future__ import annotations

from fastapi.responses import HTMLResponse

from mq_capacity_page.api.routes import api_description
from mq_capacity_page.pages.api_docs.view import api_docs_view
from mq_capacity_page.web.dependencies import ContextDep, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import render

router = page_router()


@router.get("/api", response_class=HTMLResponse)
def api_docs(context: ContextDep) -> HTMLResponse:
    """Return every path of the REST API with its parameters."""
    return render(
        "api_docs.html", page_frame(context, None, "data"), api_docs_view(api_description())
    )
