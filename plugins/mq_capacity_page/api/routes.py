"""The REST API: the same facts as the pages, under the same login.

Lists come page by page as JSON, or complete as CSV or Parquet (``form``).
"""

import json
from datetime import date, timedelta
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse
from pydantic import AwareDatetime, BaseModel

from mq_capacity_page.api.paging import MEDIA_TYPES, ListPage, ListQuery, list_response
from mq_capacity_page.pages.series.sub_daily import Resolution, sub_daily_values
from mq_capacity_page.web.context import PageContext, fleet_lines_on, series_ids_matching
from mq_capacity_page.web.dependencies import ContextDep, SiteDay, get_user, swagger_is_enabled
from mq_capacity_page.web.security import SWAGGER_POLICY
from mqcap.domain.crossing import Crossing
from mqcap.domain.feed import FeedDay
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.domain.score import ClassScore, ReliabilityBin
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.judging.ledger import evaluated_later
from mqcap.losses.model import Loss
from mqcap.presentation.plan_summary import PlanObject, plan_object
from mqcap.queries.fleet import FleetRow, fleet_rows
from mqcap.store.crossings import read_crossings
from mqcap.store.feeds import read_feeds
from mqcap.store.findings import finding_dates, findings_below, latest_site_date
from mqcap.store.forecasts import find_forecast
from mqcap.store.models import Observation, SeriesFacts
from mqcap.store.observations import read_observations
from mqcap.store.plans import read_losses, read_plans
from mqcap.store.scores import class_scores_by_basis, reliability, scores_as_of
from mqcap.store.series import find_series, read_series_names, series_with_ids
from mqcap.store.tickets import read_tickets


class DayRow(Observation):
    """Measured site day of a series; a day not measured is absent."""

    unit: str


class HourRow(BaseModel):
    """Measured UTC hour of a series; an hour not measured is absent."""

    hour_utc: AwareDatetime
    value: float
    peak: float
    peak_interval_start_utc: AwareDatetime
    covered_seconds: float
    interval_count: int
    unit: str


class IntervalRow(BaseModel):
    """Measured interval of a series."""

    start_utc: AwareDatetime
    end_utc: AwareDatetime
    level: float
    unit: str


class ForecastInUnit(Forecast):
    """A forecast of a series with the unit of its points."""

    unit: str


class EvaluatedDays(BaseModel):
    """The evaluated days."""

    days: list[date]


router = APIRouter(prefix="/api", dependencies=[Depends(get_user)], tags=["facts"])

ListQueryDep = Annotated[ListQuery, Depends()]
Day = Annotated[
    SiteDay | None, Query(description="Site day, such as 2026-11-20; empty: the latest.")
]
OnlySeverity = Annotated[Severity | None, Query(description="Only this severity; empty: all.")]
SeriesId = Annotated[str, Query(description="Id of a series, metric/subject, as /series lists.")]
Window = Annotated[int, Query(ge=1, le=3_660, description="Forecasts made in so many days.")]
ERROR_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    400: {"description": "A NUL character in the address"},
    401: {"description": "Not signed in"},
    403: {"description": "May not read the DAG mqcap_daily"},
    404: {"description": "Not found"},
}
LIST_RESPONSES: Final = {
    200: {"content": {kind.partition(";")[0]: {} for kind in MEDIA_TYPES.values()}},
    **ERROR_RESPONSES,
}


@router.get("/days", responses=ERROR_RESPONSES)
def days(context: ContextDep) -> EvaluatedDays:
    """List the days on which rules were evaluated, oldest first."""
    return EvaluatedDays(days=finding_dates(context.engine))


@router.get("/findings", response_model=ListPage[FleetRow], responses=LIST_RESPONSES)
def findings(
    context: ContextDep,
    query: ListQueryDep,
    day: Day = None,
    severity: OnlySeverity = None,
    sysplex: Annotated[str, Query(description="Only this sysplex; empty: all.")] = "",
    subject: Annotated[str, Query(description="This subject and all below it.")] = "",
) -> Any:
    """Findings of a day with their crossing dates and tickets, most urgent first."""
    matches = [
        line
        for line in fleet_lines_on(context, _day(context, day))
        if severity in {None, line.finding.severity}
        and sysplex in {"", line.sysplex}
        and (not subject or line.finding.subject.is_within(subject))
    ]
    rows = fleet_rows(query.part_of(matches), read_series_names(context.engine))
    return list_response(rows, FleetRow, query, "findings", total=len(matches))


@router.get("/finding", responses=ERROR_RESPONSES)
def finding(
    context: ContextDep,
    rule: Annotated[str, Query(description="Rule id, such as LOG-FILL-30MIN.")],
    subject: Annotated[str, Query(description="Subject, such as PLEX1/CSQ1.")],
    day: Day = None,
) -> Finding:
    """Return a finding in full: arithmetic, inputs with their sources, changes, citation."""
    for finding in findings_below(context.engine, _day(context, day), subject):
        if (finding.rule_id, finding.subject) == (rule, subject):
            return finding
    raise HTTPException(404, f"No finding of {rule} for {subject!r} on that day.")


@router.get("/plans", response_model=ListPage[PlanObject], responses=LIST_RESPONSES)
def plans(
    context: ContextDep,
    query: ListQueryDep,
    day: Day = None,
    severity: OnlySeverity = None,
    resource: Annotated[
        str, Query(description="Part of a path, such as CSQ1 or PLEX1/CSQ1/active_log.")
    ] = "",
) -> Any:
    """Plans of a day, most urgent first: what to change of each resource, by when, at what cost.

    The objects are those of ``mqcap plan --format json``.
    """
    matches = [
        plan_object(plan)
        for plan in read_plans(context.engine, _day(context, day))
        if severity in {None, plan.severity} and resource in plan.resource
    ]
    return list_response(matches, PlanObject, query, "plans")


@router.get("/losses", response_model=ListPage[Loss], responses=LIST_RESPONSES)
def losses(
    context: ContextDep,
    query: ListQueryDep,
    day: Day = None,
    severity: OnlySeverity = None,
    lost: Annotated[str, Query(description="Part of a path, such as CF02 or PLEX1/CSQ2.")] = "",
) -> Any:
    """What survivors carry when each facility and group member is lost, and what to change.

    The objects are those of ``mqcap lose --format json``; changes are beside the plans of the day.
    """
    matches = [
        loss
        for loss in read_losses(context.engine, _day(context, day))
        if severity in {None, loss.severity} and lost in loss.lost
    ]
    return list_response(matches, Loss, query, "losses")


@router.get("/crossings", response_model=ListPage[Crossing], responses=LIST_RESPONSES)
def crossings(context: ContextDep, query: ListQueryDep, day: Day = None) -> Any:
    """The dates on which each limit is exceeded, as of a day, with probabilities."""
    found = read_crossings(context.engine, _day(context, day))
    return list_response(found, Crossing, query, "crossings")


@router.get("/series", response_model=ListPage[SeriesFacts], responses=LIST_RESPONSES)
def series(
    context: ContextDep,
    query: ListQueryDep,
    find: Annotated[str, Query(description="Part of the id or of its label.")] = "",
) -> Any:
    """List the series: metric, subject, unit, first and last measured day."""
    matches = series_ids_matching(context, find)
    found = series_with_ids(context.engine, query.part_of(matches))
    return list_response(found, SeriesFacts, query, "series", total=len(matches))


@router.get("/observations", response_model=ListPage[DayRow], responses=LIST_RESPONSES)
def observations(
    context: ContextDep,
    query: ListQueryDep,
    series: SeriesId,
    first: Annotated[
        SiteDay | None, Query(description="First site day; empty: the oldest.")
    ] = None,
    last: Annotated[SiteDay | None, Query(description="Last site day; empty: the newest.")] = None,
) -> Any:
    """The measured days of one series, oldest first. A day not measured is absent."""
    unit = _facts(context, series).unit
    observed = read_observations(context.engine, series, first, last)
    rows = [DayRow(**observation.model_dump(), unit=unit) for observation in observed]
    return list_response(rows, DayRow, query, "observations")


@router.get("/hours", response_model=ListPage[HourRow], responses=LIST_RESPONSES)
def hours(context: ContextDep, query: ListQueryDep, series: SeriesId, day: Day = None) -> Any:
    """The measured hours of one series over the 14 site days up to a day, oldest first."""
    data = sub_daily_values(context, _facts(context, series), _day(context, day), Resolution.hourly)
    rows = [HourRow(**hour._asdict(), unit=data.unit) for hour in data.hours]
    return list_response(rows, HourRow, query, "hours")


@router.get("/intervals", response_model=ListPage[IntervalRow], responses=LIST_RESPONSES)
def intervals(context: ContextDep, query: ListQueryDep, series: SeriesId, day: Day = None) -> Any:
    """The measured intervals of one series over the 3 site days up to a day, oldest first."""
    facts = _facts(context, series)
    data = sub_daily_values(context, facts, _day(context, day), Resolution.interval)
    rows = [IntervalRow(**interval._asdict(), unit=data.unit) for interval in data.intervals]
    return list_response(rows, IntervalRow, query, "intervals")


@router.get("/forecast", responses=ERROR_RESPONSES)
def forecast(
    context: ContextDep,
    series: SeriesId,
    statistic: Annotated[
        Statistic, Query(description="Figure of the day that was forecast.")
    ] = Statistic.peak,
    day: Day = None,
) -> ForecastInUnit:
    """The forecast of a series as of a day, with its points."""
    stored = find_forecast(context.engine, series, statistic, _day(context, day))
    if stored is None:
        raise HTTPException(404, f"No {statistic} forecast of {series!r} was made on that day.")
    return ForecastInUnit(**dict(stored), unit=_facts(context, series).unit)


@router.get("/scores", response_model=ListPage[ClassScore], responses=LIST_RESPONSES)
def scores(context: ContextDep, query: ListQueryDep, days: Window = 90, day: Day = None) -> Any:
    """Accuracy of forecasts made in a window before a day, by basis, metric and statistic."""
    last = _day(context, day)
    first = last - timedelta(days=days)
    later = evaluated_later(context.engine, first, last)
    scored = scores_as_of(context.engine, first, last)
    found = class_scores_by_basis(context.engine, scored, later)
    return list_response(found, ClassScore, query, "scores")


@router.get("/reliability", response_model=ListPage[ReliabilityBin], responses=LIST_RESPONSES)
def reliability_bins(
    context: ContextDep, query: ListQueryDep, days: Window = 90, day: Day = None
) -> Any:
    """Stated probabilities in tenths, and the observed frequency of each by a day."""
    last = _day(context, day)
    bins = reliability(context.engine, last - timedelta(days=days), last)
    return list_response(bins, ReliabilityBin, query, "reliability")


@router.get("/feeds", response_model=ListPage[FeedDay], responses=LIST_RESPONSES)
def feeds(context: ContextDep, query: ListQueryDep, day: Day = None) -> Any:
    """Records received and expected of each feed about a day."""
    return list_response(read_feeds(context.engine, _day(context, day)), FeedDay, query, "feeds")


@router.get("/tickets", response_model=ListPage[Ticket], responses=LIST_RESPONSES)
def tickets(
    context: ContextDep,
    query: ListQueryDep,
    state: Annotated[
        TicketState | None, Query(description="Only open or closed ones; empty: both.")
    ] = None,
) -> Any:
    """Tickets by key."""
    return list_response(read_tickets(context.engine, state=state), Ticket, query, "tickets")


@router.get("/openapi.json", include_in_schema=False)
def openapi(request: Request) -> JSONResponse:
    """Return the OpenAPI description, for programs that generate clients from it."""
    return JSONResponse(api_description(str(request.scope.get("root_path", ""))))


@router.get("/docs", include_in_schema=False)
def documentation() -> Response:
    """Return FastAPI's page of the REST API, where Airflow serves its own (api.enable_swagger_ui).

    Like Airflow's own it loads Swagger UI from a public server; the description itself is ours.
    """
    if not swagger_is_enabled():
        raise HTTPException(404, "Airflow's api.enable_swagger_ui is off; see api/openapi.json.")
    page = get_swagger_ui_html(openapi_url="openapi.json", title="MQ capacity")
    page.headers["Content-Security-Policy"] = SWAGGER_POLICY
    return page


def api_description(root: str = "") -> dict[str, Any]:
    """Return the OpenAPI description of the REST API as mounted below ``root``."""
    servers = [{"url": root or "/"}]
    description = get_openapi(
        title="MQ capacity", version="1", description=__doc__, routes=router.routes, servers=servers
    )
    schemes = {
        "session": {"type": "apiKey", "in": "cookie", "name": "_token"},
        "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
    }
    description.setdefault("components", {})["securitySchemes"] = schemes
    description["security"] = [{name: []} for name in schemes]
    document: dict[str, Any] = json.loads(json.dumps(description))
    return document


def _facts(context: PageContext, series: str) -> SeriesFacts:
    facts = find_series(context.engine, series)
    if facts is None:
        raise HTTPException(404, f"Unknown series {series!r}.")
    return facts


def _day(context: PageContext, day: date | None) -> date:
    chosen = day or latest_site_date(context.engine)
    if chosen is None:
        raise HTTPException(404, "No day has been evaluated yet. Run the daily DAG.")
    return chosen
