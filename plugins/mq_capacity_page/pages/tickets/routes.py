"""Address of the list of tickets."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from fastapi.responses import HTMLResponse

from mq_capacity_page.pages.tickets.view import tickets_view
from mq_capacity_page.web.dependencies import BlankIsNone, ContextDep, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import render
from mqcap.domain.ticket import TicketState

router = page_router()

OptionalState = Annotated[TicketState | None, BlankIsNone, Query()]


@router.get("/tickets", response_class=HTMLResponse)
def tickets(context: ContextDep, state: OptionalState = None) -> HTMLResponse:
    """Return the tickets, open ones first."""
    frame = page_frame(context, None, "tickets")
    return render("tickets.html", frame, tickets_view(context, state))
