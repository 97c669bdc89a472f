"""Addresses of the what-if form, and of the chart of one series before and after."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Final

from fastapi import HTTPException, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import BaseModel

from mq_capacity_page.charts.themes import Theme
from mq_capacity_page.charts.whatif_figure import whatif_figure
from mq_capacity_page.pages.whatif.chart_data import whatif_chart_data
from mq_capacity_page.pages.whatif.view import WhatifRequest, whatif_view
from mq_capacity_page.web.dependencies import CanEdit, ContextDep, OptionalDay, SiteDay, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import HEADERS, render, render_no_data
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import Statistic

router = page_router()

_NOT_OF_THE_FORM: Final = frozenset({"subject", "day", "start", "series", "theme", "statistic"})


class WhatifQuery(BaseModel):
    """Parameters of the page besides the fields of the form."""

    subject: str = ""
    start: OptionalDay = None
    day: OptionalDay = None
    series: str = ""


class WhatifFigureQuery(BaseModel):
    """Parameters of the chart besides the fields of the form."""

    subject: str
    day: SiteDay
    series: str
    start: OptionalDay = None
    statistic: Statistic = Statistic.peak
    theme: Theme = Theme.light


@router.get("/whatif", response_class=HTMLResponse)
def whatif(
    context: ContextDep,
    request: Request,
    can_edit: CanEdit,
    query: Annotated[WhatifQuery, Query()],
) -> HTMLResponse:
    """Return the form and, for what is filled in, the changes; the address is the scenario."""
    frame = page_frame(context, query.day, "whatif")
    if frame.day is None:
        return render_no_data(frame)
    try:
        view = whatif_view(context, _whatif_request(request, query, frame.day), can_edit=can_edit)
    except KeyError as error:
        raise HTTPException(404, f"Unknown subject {query.subject!r}.") from error
    return render("whatif.html", frame, view, status=422 if view.problem else 200)


@router.get("/whatif-figure")
def whatif_chart(
    context: ContextDep, request: Request, query: Annotated[WhatifFigureQuery, Query()]
) -> JSONResponse:
    """Return one series as it is and with the scenario, as a Plotly figure."""
    try:
        data = whatif_chart_data(
            context, _whatif_request(request, query, query.day), query.statistic
        )
    except KeyError as error:
        raise HTTPException(404, f"Unknown subject {query.subject!r}.") from error
    except ConfigurationError as error:
        raise HTTPException(422, str(error)) from error
    if data is None:
        raise HTTPException(404, f"Unknown series {query.series!r}.")
    return JSONResponse(whatif_figure(*data, query.theme), headers=HEADERS)


def _whatif_request(
    request: Request, query: WhatifQuery | WhatifFigureQuery, day: date
) -> WhatifRequest:
    return WhatifRequest(
        subject=query.subject,
        day=day,
        start=query.start.isoformat() if query.start else "",
        series=query.series,
        fields={
            name: value
            for name, value in request.query_params.items()
            if name not in _NOT_OF_THE_FORM
        },
    )
