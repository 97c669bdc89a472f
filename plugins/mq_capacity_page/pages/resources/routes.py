"""Addresses of all resources, of one, and of the chart with its options."""

from fastapi import HTTPException
from fastapi.responses import HTMLResponse

from mq_capacity_page.pages.resources.view import FIRST_OWNERS, resource_view, resources_view
from mq_capacity_page.pages.series.routes import OptionalStatistic, PanelQueryDep
from mq_capacity_page.pages.whatif.view import option_chart
from mq_capacity_page.web.context import page_frame
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, SiteDay, page_router
from mq_capacity_page.web.rendering import render, render_part
from mqcap.presentation import display_units

router = page_router()


@router.get("/resources", response_class=HTMLResponse)
def resources(
    context: ContextDep,
    name: str = "",
    find: str = "",
    day: OptionalDay = None,
    rows: int = FIRST_OWNERS,
) -> HTMLResponse:
    """Return owners with the worst of each kind; with ``name`` what is on and below a subject."""
    frame = page_frame(context, day, "resources")
    if frame.day is None:
        return render("empty.html", frame)
    display_units.use_zone_of_subject(name)
    return render("resources.html", frame, resources_view(context, frame.day, name, find, rows))


@router.get("/resource", response_class=HTMLResponse)
def resource(
    context: ContextDep,
    query: PanelQueryDep,
    path: str,
    day: OptionalDay = None,
    statistic: OptionalStatistic = None,
) -> HTMLResponse:
    """Return what is known and to be decided of one resource."""
    display_units.use_zone_of_subject(path)
    frame = page_frame(context, day, "resources")
    view = frame.day and resource_view(context, path, frame.day, query, statistic)
    if not view:
        raise HTTPException(404, f"Nothing is known of {path!r} on that day.")
    return render("resource.html", frame, view)


@router.get("/options", response_class=HTMLResponse)
def options(context: ContextDep, query: PanelQueryDep, path: str, day: SiteDay) -> HTMLResponse:
    """Return the chart of a resource with the options of its plan, as a part of its page."""
    display_units.use_zone_of_subject(path)
    return render_part("chart.html", chart=option_chart(context, path, day, query))
