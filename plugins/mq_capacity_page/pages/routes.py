"""The addresses of the page. All stand on one level, so that relative links work in a frame.

Every route, static files included, depends on Airflow's current-user dependency.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BeforeValidator

from mq_capacity_page.charts.resolution_figure import fine_figure
from mq_capacity_page.charts.series_figure import series_figure
from mq_capacity_page.charts.themes import Theme
from mq_capacity_page.pages import answers
from mq_capacity_page.pages.data.view import files_view
from mq_capacity_page.pages.mail.view import SEALED_POLICY, preview
from mq_capacity_page.pages.overview.view import FIRST_ROWS, overview_view
from mq_capacity_page.pages.series.resolution import (
    SPAN_DAYS,
    Grain,
    fine_lines,
    fine_of,
    with_limits,
)
from mq_capacity_page.web.assets import asset_link
from mq_capacity_page.web.auth import get_user
from mq_capacity_page.web.context import Site, current_site
from mq_capacity_page.web.rendering import page
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic
from mqcap.domain.ticket import TicketState
from mqcap.presentation import fleet
from mqcap.store.outbox import find_delivery, read_deliveries
from mqcap.store.series import find_series
from mqcap.store.tickets import read_tickets

router = APIRouter(dependencies=[Depends(get_user)])

SiteDep = Annotated[Site, Depends(current_site)]


def _blank_is_none(value: object) -> object:
    return None if value == "" else value


Day = Annotated[date | None, BeforeValidator(_blank_is_none)]
StatisticChoice = Annotated[Statistic | None, BeforeValidator(_blank_is_none)]
GrainChoice = Annotated[Grain | None, BeforeValidator(_blank_is_none)]
StateChoice = Annotated[TicketState | None, BeforeValidator(_blank_is_none)]

PRIVATE = {"Cache-Control": "private, no-cache"}


class OverviewQuery(fleet.Filters):
    """The overview's parameters: the filters, the day, and how many rows to print."""

    day: Day = None
    rows: int = FIRST_ROWS


@router.get("/", response_class=HTMLResponse)
def overview(site: SiteDep, query: Annotated[OverviewQuery, Query()]) -> HTMLResponse:
    """The fleet, most urgent first."""
    frame = answers.frame(site, query.day, "overview")
    if frame.day is None:
        return page("empty.html", frame=frame, asset=asset_link)
    filters = fleet.Filters(**query.model_dump(exclude={"day", "rows"}))
    view = overview_view(site, frame.day, filters, max(1, query.rows))
    return page(
        "overview.html",
        frame=frame,
        asset=asset_link,
        view=view,
        severities=sorted(Severity, key=lambda item: -item.rank),
    )


@router.get("/series", response_class=HTMLResponse)
def series(
    site: SiteDep,
    series: str = "",
    find: str = "",
    day: Annotated[Day, Query()] = None,
    statistic: Annotated[StatisticChoice, Query()] = None,
    grain: Annotated[GrainChoice, Query()] = None,
) -> HTMLResponse:
    """One series with its chart, or the list of all series when none is named."""
    frame = answers.frame(site, day, "series")
    if not series:
        found, known = answers.series_named(site, find, frame.day)
        return page(
            "series_list.html", frame=frame, asset=asset_link, all=found, known=known, find=find
        )
    view = answers.series_view(site, series, frame.day, statistic)
    if view is None:
        raise HTTPException(404, f"No series is called {series!r}.")
    fine = []
    if grain in SPAN_DAYS and frame.day is not None:
        fine = fine_lines(fine_of(site, view.facts, frame.day, grain))
    return page(
        "series.html",
        frame=frame,
        asset=asset_link,
        view=view,
        grain=grain or Grain.daily,
        fine=fine,
    )


@router.get("/subject", response_class=HTMLResponse)
def subject(site: SiteDep, name: str, day: Annotated[Day, Query()] = None) -> HTMLResponse:
    """One subject: its findings and its series."""
    frame = answers.frame(site, day, "series")
    view = answers.subject_page(site, name, frame.day)
    if view is None:
        raise HTTPException(404, f"No subject is called {name!r}.")
    return page("subject.html", frame=frame, asset=asset_link, view=view)


@router.get("/figure")
def figure(
    site: SiteDep,
    series: str,
    day: date,
    statistic: Statistic = Statistic.peak,
    grain: Grain = Grain.daily,
    theme: Theme = Theme.light,
) -> JSONResponse:
    """The chart of one series as a Plotly figure: days with forecast, hours, or intervals."""
    facts = find_series(site.engine, series)
    if facts is not None and grain in SPAN_DAYS:
        fine = with_limits(fine_of(site, facts, day, grain), site, facts, day)
        return JSONResponse(fine_figure(fine, theme), headers=PRIVATE)
    rows = answers.series_rows(site, series, day, statistic)
    if rows is None:
        raise HTTPException(404, f"No series is called {series!r}.")
    return JSONResponse(series_figure(rows, theme), headers=PRIVATE)


@router.get("/tickets", response_class=HTMLResponse)
def tickets(site: SiteDep, state: Annotated[StateChoice, Query()] = None) -> HTMLResponse:
    """The tickets, open ones first."""
    found = sorted(
        read_tickets(site.engine, state=state),
        key=lambda item: (item.state is not TicketState.open, -item.severity.rank, item.dedupe_key),
    )
    frame = answers.frame(site, None, "tickets")
    return page("tickets.html", frame=frame, asset=asset_link, tickets=found, state=state)


@router.get("/mail", response_class=HTMLResponse)
def mail(site: SiteDep, day: Annotated[Day, Query()] = None) -> HTMLResponse:
    """What was sent, or would have been sent, about one day."""
    frame = answers.frame(site, day, "mail")
    found = read_deliveries(site.engine, frame.day) if frame.day else []
    shown: list[tuple[Any, Any]] = [(item, preview(item.content)) for item in found]
    return page("mail.html", frame=frame, asset=asset_link, deliveries=shown)


@router.get("/mail-content", response_class=HTMLResponse)
def mail_content(site: SiteDep, delivery: str) -> Response:
    """The HTML part of one mail, sealed: it can run nothing and fetch nothing."""
    found = find_delivery(site.engine, delivery)
    html = preview(found.content).html if found else None
    if html is None:
        raise HTTPException(404, "This mail has no HTML part.")
    return HTMLResponse(html, headers={"Content-Security-Policy": SEALED_POLICY})


@router.get("/data", response_class=HTMLResponse)
def data(
    site: SiteDep,
    problems: bool = False,
    start: int = 0,
    about: Annotated[Day, Query()] = None,
) -> HTMLResponse:
    """The files that were read, and whether every byte of them is accounted for."""
    view = files_view(site, problems, max(0, start), about)
    frame = answers.frame(site, None, "data")
    return page("data.html", frame=frame, asset=asset_link, view=view)
