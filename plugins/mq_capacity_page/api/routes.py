"""What other programs may ask: the same facts as the pages, under the same login.

Every list is given page by page as JSON, or whole as CSV or Parquet (``form``).
"""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel

from mq_capacity_page.api.paging import Paged, Wanted, given
from mq_capacity_page.api.rows import DayRow, ForecastInUnit, HourRow, IntervalRow
from mq_capacity_page.pages import answers
from mq_capacity_page.pages.series.resolution import Grain, fine_of
from mq_capacity_page.web.assets import asset_link
from mq_capacity_page.web.auth import get_user
from mq_capacity_page.web.context import Site, current_site
from mq_capacity_page.web.rendering import page
from mqcap.domain.crossing import Crossing
from mqcap.domain.feed import FeedDay
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import Statistic
from mqcap.domain.score import ClassScore, ReliabilityBin
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.store.crossings import read_crossings
from mqcap.store.feeds import read_feeds
from mqcap.store.findings import finding_dates, findings_below, latest_site_date
from mqcap.store.fleet import fleet
from mqcap.store.forecasts import find_forecast
from mqcap.store.models import FleetRow, SeriesFacts
from mqcap.store.observations import read_observations
from mqcap.store.scores import class_scores, kept_until, reliability
from mqcap.store.series import find_series
from mqcap.store.tickets import read_tickets

VERSION: Final = "1"

router = APIRouter(prefix="/api", dependencies=[Depends(get_user)], tags=["facts"])

SiteDep = Annotated[Site, Depends(current_site)]
WantedDep = Annotated[Wanted, Depends()]
Day = Annotated[date | None, Query(description="Site day, such as 2026-11-20; empty: the latest.")]
Window = Annotated[int, Query(ge=1, le=3_660, description="Forecasts made in so many days.")]
Problems: Final[dict[int | str, dict[str, Any]]] = {
    401: {"description": "Not signed in"},
    403: {"description": "May not read the DAG mqcap_daily"},
    404: {"description": "Not known"},
}


class Days(BaseModel):
    """The judged days."""

    days: list[date]


@router.get("/days", responses=Problems)
def days(site: SiteDep) -> Days:
    """Every day on which rules were judged, oldest first."""
    return Days(days=finding_dates(site.engine))


@router.get("/findings", response_model=Paged[FleetRow], responses=Problems)
def findings(
    site: SiteDep,
    wanted: WantedDep,
    day: Day = None,
    severity: Severity | None = None,
    sysplex: str = "",
    subject: Annotated[str, Query(description="This subject and all below it.")] = "",
) -> Any:
    """Findings of a day with their crossing dates and tickets, most urgent first."""
    found = [
        one
        for one in fleet(site.engine, _day(site, day))
        if severity in {None, one.severity}
        and sysplex in {"", one.sysplex}
        and f"{one.subject}/".startswith(f"{subject}/" if subject else "")
    ]
    return given(found, FleetRow, wanted, "findings")


@router.get("/finding", responses=Problems)
def finding(site: SiteDep, rule: str, subject: str, day: Day = None) -> Finding:
    """One finding in full: arithmetic, inputs with their sources, changes, citation."""
    for one in findings_below(site.engine, _day(site, day), subject):
        if (one.rule_id, one.subject) == (rule, subject):
            return one
    raise HTTPException(404, f"{rule} says nothing of {subject!r} on that day.")


@router.get("/crossings", response_model=Paged[Crossing], responses=Problems)
def crossings(site: SiteDep, wanted: WantedDep, day: Day = None) -> Any:
    """When each limit is passed, as seen on a day, with probabilities."""
    return given(read_crossings(site.engine, _day(site, day)), Crossing, wanted, "crossings")


@router.get("/series", response_model=Paged[SeriesFacts], responses=Problems)
def series(
    site: SiteDep,
    wanted: WantedDep,
    find: Annotated[str, Query(description="Part of the id or of its words.")] = "",
) -> Any:
    """Every series: metric, subject, unit, first and last measured day."""
    return given(answers.series_named(site, find)[0], SeriesFacts, wanted, "series")


@router.get("/observations", response_model=Paged[DayRow], responses=Problems)
def observations(
    site: SiteDep,
    wanted: WantedDep,
    series: str,
    first: date | None = None,
    last: date | None = None,
) -> Any:
    """The measured days of one series, oldest first. A day not measured is absent."""
    unit = _facts(site, series).unit
    found = read_observations(site.engine, series, first, last)
    rows = [DayRow(**one.model_dump(), unit=unit) for one in found]
    return given(rows, DayRow, wanted, "observations")


@router.get("/hours", response_model=Paged[HourRow], responses=Problems)
def hours(site: SiteDep, wanted: WantedDep, series: str, day: Day = None) -> Any:
    """The measured hours of one series over the 14 site days up to a day, oldest first."""
    fine = fine_of(site, _facts(site, series), _day(site, day), Grain.hourly)
    found = [HourRow(**one._asdict(), unit=fine.unit) for one in fine.hours]
    return given(found, HourRow, wanted, "hours")


@router.get("/intervals", response_model=Paged[IntervalRow], responses=Problems)
def intervals(site: SiteDep, wanted: WantedDep, series: str, day: Day = None) -> Any:
    """The measured intervals of one series over the 3 site days up to a day, oldest first."""
    fine = fine_of(site, _facts(site, series), _day(site, day), Grain.interval)
    found = [IntervalRow(**one._asdict(), unit=fine.unit) for one in fine.intervals]
    return given(found, IntervalRow, wanted, "intervals")


@router.get("/forecast", responses=Problems)
def forecast(
    site: SiteDep, series: str, statistic: Statistic = Statistic.peak, day: Day = None
) -> ForecastInUnit:
    """The forecast of a series as seen on a day, with its points."""
    found = find_forecast(site.engine, series, statistic, _day(site, day))
    if found is None:
        raise HTTPException(404, f"No {statistic} forecast of {series!r} was made on that day.")
    return ForecastInUnit(**dict(found), unit=_facts(site, series).unit)


@router.get("/scores", response_model=Paged[ClassScore], responses=Problems)
def scores(site: SiteDep, wanted: WantedDep, days: Window = 90, day: Day = None) -> Any:
    """How forecasts of the last days before a day have kept, by metric and statistic."""
    last = _day(site, day)
    scored = kept_until(site.engine, last - timedelta(days=days), last)
    return given(class_scores(site.engine, scored), ClassScore, wanted, "scores")


@router.get("/reliability", response_model=Paged[ReliabilityBin], responses=Problems)
def stated(site: SiteDep, wanted: WantedDep, days: Window = 90, day: Day = None) -> Any:
    """Stated probabilities in tenths, and how often what was stated has come by a day."""
    last = _day(site, day)
    found = reliability(site.engine, last - timedelta(days=days), last)
    return given(found, ReliabilityBin, wanted, "reliability")


@router.get("/feeds", response_model=Paged[FeedDay], responses=Problems)
def feeds(site: SiteDep, wanted: WantedDep, day: Day = None) -> Any:
    """What has arrived of each feed about a day."""
    return given(read_feeds(site.engine, _day(site, day)), FeedDay, wanted, "feeds")


@router.get("/tickets", response_model=Paged[Ticket], responses=Problems)
def tickets(site: SiteDep, wanted: WantedDep, state: TicketState | None = None) -> Any:
    """Tickets by key."""
    return given(read_tickets(site.engine, state=state), Ticket, wanted, "tickets")


@router.get("/openapi.json", include_in_schema=False)
def openapi(request: Request) -> JSONResponse:
    """The description of this interface, for programs that make clients from it."""
    return JSONResponse(_described(str(request.scope.get("root_path", ""))))


@router.get("", include_in_schema=False)
def documentation(site: SiteDep) -> Response:
    """The same description for people."""
    described = _described("")
    paths = [
        {"path": path.removeprefix("/"), "parameters": [], **operation["get"]}
        for path, operation in described["paths"].items()
    ]
    frame = answers.frame(site, None, "data")
    shown: HTMLResponse = page("api.html", frame=frame, asset=asset_link, paths=paths)
    return shown


def _described(root: str) -> dict[str, Any]:
    made = get_openapi(
        title="MQ capacity",
        version=VERSION,
        description=__doc__,
        routes=router.routes,
        servers=[{"url": root or "/"}],
    )
    schemes = {
        "session": {"type": "apiKey", "in": "cookie", "name": "_token"},
        "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
    }
    made.setdefault("components", {})["securitySchemes"] = schemes
    made["security"] = [{name: []} for name in schemes]
    whole: dict[str, Any] = json.loads(json.dumps(made))
    return whole


def _facts(site: Site, series: str) -> SeriesFacts:
    found = find_series(site.engine, series)
    if found is None:
        raise HTTPException(404, f"No series is called {series!r}.")
    return found


def _day(site: Site, day: date | None) -> date:
    chosen = day or latest_site_date(site.engine)
    if chosen is None:
        raise HTTPException(404, "Nothing has been judged yet.")
    return chosen
