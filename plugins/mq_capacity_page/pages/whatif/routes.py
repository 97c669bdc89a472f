"""The addresses of the what-if form: the page, and the figure of one series before and after."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse
from pydantic import BaseModel, BeforeValidator

from mq_capacity_page.charts.themes import Theme
from mq_capacity_page.pages import answers
from mq_capacity_page.pages.whatif.figure import whatif_figure
from mq_capacity_page.pages.whatif.view import Asked, figure_rows, whatif_view
from mq_capacity_page.web.assets import asset_link
from mq_capacity_page.web.auth import get_user, may_answer
from mq_capacity_page.web.context import Site, current_site
from mq_capacity_page.web.rendering import page
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import Statistic

router = APIRouter(dependencies=[Depends(get_user)])

SiteDep = Annotated[Site, Depends(current_site)]
Day = Annotated[date | None, BeforeValidator(lambda value: None if value == "" else value)]
_OWN = frozenset({"subject", "day", "start", "series", "theme", "statistic"})


class PageQuery(BaseModel):
    """The parameters of the page besides those of the form."""

    subject: str = ""
    start: Day = None
    day: Day = None
    series: str = ""


@router.get("/whatif", response_class=HTMLResponse)
def whatif(
    site: SiteDep,
    request: Request,
    can_answer: Annotated[bool, Depends(may_answer)],
    query: Annotated[PageQuery, Query()],
) -> HTMLResponse:
    """The form and, for what is filled in, the difference; the address carries the scenario."""
    frame = answers.frame(site, query.day, "whatif")
    if frame.day is None:
        return page("empty.html", frame=frame, asset=asset_link)
    words = query.start.isoformat() if query.start else ""
    asked = Asked(query.subject, frame.day, words, query.series, _given(request))
    try:
        view = whatif_view(site, asked)
    except KeyError as error:
        raise HTTPException(404, f"No subject is called {query.subject!r}.") from error
    status = 422 if view.problem else 200
    return page(
        "whatif.html",
        status=status,
        frame=frame,
        asset=asset_link,
        view=view,
        can_answer=can_answer,
    )


class FigureQuery(BaseModel):
    """The parameters of a figure besides those of the form."""

    subject: str
    day: date
    series: str
    start: Day = None
    statistic: Statistic = Statistic.peak
    theme: Theme = Theme.light


@router.get("/whatif-figure")
def figure(site: SiteDep, request: Request, query: Annotated[FigureQuery, Query()]) -> JSONResponse:
    """One series as it is and with the scenario, as a Plotly figure."""
    words = query.start.isoformat() if query.start else ""
    asked = Asked(query.subject, query.day, words, query.series, _given(request))
    try:
        found = figure_rows(site, asked, query.statistic)
    except KeyError as error:
        raise HTTPException(404, f"No subject is called {query.subject!r}.") from error
    except ConfigurationError as error:
        raise HTTPException(422, str(error)) from error
    if found is None:
        raise HTTPException(404, f"No series is called {query.series!r}.")
    rows, after = found
    headers = {"Cache-Control": "private, no-cache"}
    return JSONResponse(whatif_figure(rows, after, query.theme), headers=headers)


def _given(request: Request) -> dict[str, str]:
    return {name: value for name, value in request.query_params.items() if name not in _OWN}
