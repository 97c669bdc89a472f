"""The form at the foot of every page, and the dependency that applies what it stored."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse

from mq_capacity_page.web.auth import get_user
from mq_capacity_page.web.context import PageContext, current_context
from mq_capacity_page.web.forms import form_fields
from mq_capacity_page.web.preferences import (
    COOKIE,
    format_cookie,
    parse_cookie,
    safe_address,
    set_current_address,
)
from mqcap.lake.location import open_lake
from mqcap.presentation import display_units, labels

YEAR_SECONDS: Final = 31_536_000

router = APIRouter(dependencies=[Depends(get_user)])


async def apply_preferences(
    request: Request,
    _user: Annotated[object, Depends(get_user)],
    context: Annotated[PageContext, Depends(current_context)],
) -> None:
    """Apply the reader's preferences to this request.

    Asynchronous, because only then the route, which runs in a thread, inherits what is set here.
    """
    display_units.choose(parse_cookie(request.cookies.get(COOKIE, "")))
    display_units.use_zones_of(context.settings)
    labels.use_metric_labels(open_lake(context.settings.lake))
    path = request.scope["path"].removeprefix(request.scope.get("root_path", "")).lstrip("/")
    set_current_address(path, request.url.query)


@router.post("/shown")
def save_preferences(
    request: Request,
    fields: Annotated[dict[str, str], Depends(form_fields)],
) -> RedirectResponse:
    """Store the preferences for a year in this browser and go back to the page of the form."""
    shown = parse_cookie(f"{fields.get('rate', '')}.{fields.get('clock', '')}")
    response = RedirectResponse(safe_address(fields.get("back", "")), status_code=303)
    response.set_cookie(
        COOKIE,
        format_cookie(shown),
        max_age=YEAR_SECONDS,
        path=request.scope.get("root_path", "") or "/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )
    return response
