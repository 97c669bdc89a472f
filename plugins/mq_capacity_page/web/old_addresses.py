"""Addresses of earlier releases, as emails and tickets hold them, lead to the pages of today."""

from fastapi import APIRouter, Depends
from fastapi.responses import RedirectResponse

from mq_capacity_page.web.auth import get_user
from mq_capacity_page.web.dependencies import OptionalDay
from mq_capacity_page.web.rendering import link

router = APIRouter(dependencies=[Depends(get_user)], include_in_schema=False)


@router.get("/plan")
def plan(resource: str, day: OptionalDay = None) -> RedirectResponse:
    """Lead to the resource."""
    return _moved(link("resource", path=resource, day=day))


@router.get("/subject")
def subject(name: str, day: OptionalDay = None) -> RedirectResponse:
    """Lead to what is on and below a subject."""
    return _moved(link("resources", name=name, day=day))


@router.get("/explain")
def explain(rule: str, subject: str, day: OptionalDay = None) -> RedirectResponse:
    """Lead to the finding, which explains itself."""
    return _moved(f"{link('finding', rule=rule, subject=subject, day=day)}#explained")


@router.get("/losses")
def losses(day: OptionalDay = None) -> RedirectResponse:
    """Lead to the rows of losses on the board."""
    return _moved(link("./", find="/loss", day=day))


@router.get("/tickets")
@router.get("/mail")
@router.get("/scorecard")
def reports(day: OptionalDay = None) -> RedirectResponse:
    """Lead to the reports, which have emails, tickets and the accuracy of forecasts."""
    return _moved(link("reports", day=day))


@router.get("/completeness")
@router.get("/runs")
def data(day: OptionalDay = None) -> RedirectResponse:
    """Lead to the data of the day."""
    return _moved(link("data", day=day))


def _moved(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=308)
