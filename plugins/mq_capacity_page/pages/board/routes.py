"""Address of the board."""

from typing import Annotated

from fastapi import Query
from fastapi.responses import HTMLResponse

from mq_capacity_page.pages.board.view import BoardFilters, board_view
from mq_capacity_page.web.context import page_frame
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, page_router
from mq_capacity_page.web.rendering import render

router = page_router()


class BoardQuery(BoardFilters):
    """Parameters of the board: its filters, and the day."""

    day: OptionalDay = None


@router.get("/", response_class=HTMLResponse)
def board(context: ContextDep, query: Annotated[BoardQuery, Query()]) -> HTMLResponse:
    """Return what is to be decided on a day, most urgent first unless another order is asked."""
    frame = page_frame(context, query.day, "board")
    if frame.day is None:
        return render("empty.html", frame)
    return render("board.html", frame, board_view(context, frame.day, query))
