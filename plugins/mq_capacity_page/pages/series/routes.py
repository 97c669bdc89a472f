"""Addresses of one series: its page, and the records behind a day or an hour."""

from typing import Annotated

from fastapi import Depends, HTTPException, Query
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from mq_capacity_page.pages.series.panel import USUAL_SPAN, Figure, PanelQuery
from mq_capacity_page.pages.series.sub_daily import Resolution, records_view
from mq_capacity_page.pages.series.view import series_view
from mq_capacity_page.web.context import page_frame
from mq_capacity_page.web.dependencies import BlankIsNone, ContextDep, OptionalDay, page_router
from mq_capacity_page.web.rendering import link, render
from mqcap.domain.metric import Statistic, split_series_id
from mqcap.presentation import display_units

router = page_router()

OptionalStatistic = Annotated[Statistic | None, BlankIsNone, Query()]


def panel_query(
    statistic: OptionalStatistic = None,
    grain: Annotated[Resolution | None, BlankIsNone, Query()] = None,
    span: Annotated[int, Query(ge=7, le=9_999)] = USUAL_SPAN,
    figure: Annotated[Figure | None, BlankIsNone, Query()] = None,
    rule: str = "",
) -> PanelQuery:
    """Return what the address asks of a chart."""
    grain, figure = grain or Resolution.daily, figure or Figure.stated
    return PanelQuery(statistic or Statistic.peak, grain, span, figure, rule)


PanelQueryDep = Annotated[PanelQuery, Depends(panel_query)]


@router.get("/series", response_class=HTMLResponse)
def series(
    context: ContextDep,
    query: PanelQueryDep,
    series: str = "",
    day: OptionalDay = None,
    statistic: OptionalStatistic = None,
) -> Response:
    """Return one series with its chart; without a name, lead to all of them."""
    if not series:
        return RedirectResponse(link("resources", day=day), status_code=303)
    frame = page_frame(context, day, "resources")
    display_units.use_zone_of_subject(split_series_id(series)[1])
    view = series_view(context, series, frame.day, query, statistic)
    if view is None:
        raise HTTPException(404, f"Unknown series {series!r}.")
    return render("series.html", frame, view)


@router.get("/trace", response_class=HTMLResponse)
def records(context: ContextDep, series: str, at: str) -> HTMLResponse:
    """Return the hours of one day of a series, and the records of one hour: file, byte, fields."""
    display_units.use_zone_of_subject(split_series_id(series)[1])
    try:
        view = records_view(context, series, at)
    except ValueError as error:
        expected = "a day such as 2026-01-05, or an hour such as 2026-01-05T06:00Z"
        raise HTTPException(422, f"at is {at!r}; expected {expected}.") from error
    if view is None:
        raise HTTPException(404, f"Unknown series {series!r}.")
    return render("records.html", page_frame(context, view.day, "resources"), view)
