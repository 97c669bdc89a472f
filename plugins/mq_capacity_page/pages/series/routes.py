"""Addresses of one series, of the list of all series, and of the chart."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import HTTPException, Query
from fastapi.responses import HTMLResponse, JSONResponse

from mq_capacity_page.charts.parts_figure import parts_figure
from mq_capacity_page.charts.series_figure import series_figure
from mq_capacity_page.charts.sub_daily_figure import sub_daily_figure
from mq_capacity_page.charts.themes import Theme
from mq_capacity_page.pages.series.chart_data import series_chart_data
from mq_capacity_page.pages.series.list_view import series_list_view
from mq_capacity_page.pages.series.parts import parts_chart_data
from mq_capacity_page.pages.series.sub_daily import Resolution, sub_daily_chart_data
from mq_capacity_page.pages.series.view import series_view
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.dependencies import (
    BlankIsNone,
    ContextDep,
    OptionalDay,
    SiteDay,
    page_router,
)
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import HEADERS, render
from mqcap.domain.metric import Statistic, split_series_id
from mqcap.presentation import display_units
from mqcap.store.series import find_series

router = page_router()

OptionalStatistic = Annotated[Statistic | None, BlankIsNone, Query()]
OptionalResolution = Annotated[Resolution | None, BlankIsNone, Query()]


@router.get("/series", response_class=HTMLResponse)
def series(
    context: ContextDep,
    series: str = "",
    find: str = "",
    day: OptionalDay = None,
    statistic: OptionalStatistic = None,
    grain: OptionalResolution = None,
) -> HTMLResponse:
    """Return one series with its chart, or the list of all series when none is named."""
    frame = page_frame(context, day, "series")
    if not series:
        return render("series_list.html", frame, series_list_view(context, frame.day, find))
    display_units.use_zone_of_subject(split_series_id(series)[1])
    view = series_view(context, series, frame.day, statistic, grain or Resolution.daily)
    if view is None:
        raise HTTPException(404, f"Unknown series {series!r}.")
    return render("series.html", frame, view)


@router.get("/figure")
def figure(
    context: ContextDep,
    series: str,
    day: SiteDay,
    statistic: Statistic = Statistic.peak,
    grain: Resolution = Resolution.daily,
    theme: Theme = Theme.light,
) -> JSONResponse:
    """Return the chart of one series as a Plotly figure: days with forecast, hours, intervals."""
    display_units.use_zone_of_subject(split_series_id(series)[1])
    if grain is Resolution.parts:
        return _parts_figure(context, series, day, theme)
    if grain is not Resolution.daily:
        return _sub_daily_figure(context, series, day, grain, theme)
    data = series_chart_data(context, series, day, statistic)
    if data is None:
        raise HTTPException(404, f"Unknown series {series!r}.")
    return JSONResponse(series_figure(data, theme), headers=HEADERS)


def _sub_daily_figure(
    context: PageContext, series_id: str, day: date, resolution: Resolution, theme: Theme
) -> JSONResponse:
    facts = find_series(context.engine, series_id)
    if facts is None:
        raise HTTPException(404, f"Unknown series {series_id!r}.")
    data = sub_daily_chart_data(context, facts, day, resolution)
    return JSONResponse(sub_daily_figure(data, theme), headers=HEADERS)


def _parts_figure(context: PageContext, series_id: str, day: date, theme: Theme) -> JSONResponse:
    facts = find_series(context.engine, series_id)
    data = parts_chart_data(context, facts, day) if facts else None
    if data is None:
        raise HTTPException(404, f"No parts of {series_id!r} on that day.")
    return JSONResponse(parts_figure(data, theme), headers=HEADERS)
