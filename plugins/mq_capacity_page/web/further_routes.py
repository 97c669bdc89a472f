"""Addresses beside those of the pages: scripts and styles, and what earlier releases had.

Emails and tickets hold addresses of earlier releases; each leads to its page of today.
"""

from typing import Final

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import FileResponse, RedirectResponse

from mq_capacity_page.web.assets import MEDIA_TYPES, asset_path
from mq_capacity_page.web.auth import get_user
from mq_capacity_page.web.dependencies import OptionalDay
from mq_capacity_page.web.rendering import link

YEAR_SECONDS: Final = 31_536_000

router = APIRouter(dependencies=[Depends(get_user)])


@router.get("/static/{name}")
def static(name: str) -> FileResponse:
    """Return a script, style or icon; its address holds its hash, so it never goes stale."""
    path = asset_path(name)
    if path is None:
        raise HTTPException(404, f"Unknown file {name!r}.")
    headers = {"Cache-Control": f"private, max-age={YEAR_SECONDS}, immutable"}
    return FileResponse(path, media_type=MEDIA_TYPES[name], headers=headers)


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
