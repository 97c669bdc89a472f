"""What a reader has chosen to see, remembered in a cookie: the unit of log growth, the clock.

The cookie holds two words and no secret. Every page depends on ``chosen``; reports do not.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse

from mq_capacity_page.web.auth import get_user
from mq_capacity_page.web.context import Site, current_site
from mq_capacity_page.web.forms import form_fields
from mqcap.presentation import display_units
from mqcap.presentation.display_units import Clock, Rate, Shown

COOKIE: Final = "mqcap_shown"
YEAR_SECONDS: Final = 31_536_000
RATE_WORDS: Final = {
    Rate.mb_per_hour: "MB/hour",
    Rate.mib_per_s: "MiB/s",
    Rate.cylinders_per_hour: "cylinders/hour (3390)",
}
_OWN_ADDRESS: Final = re.compile(r"[a-z-]*(\?[^\s\\]*)?")
"""A page of ours: all stand on one level, so that no slash comes before the question mark."""
_HERE: Final[ContextVar[str]] = ContextVar("here", default="./")

router = APIRouter(dependencies=[Depends(get_user)])


async def chosen(
    request: Request,
    _user: Annotated[object, Depends(get_user)],
    site: Annotated[Site, Depends(current_site)],
) -> None:
    """Let the reader's choice count for this request.

    Asynchronous, because only then the route, which runs in a thread, inherits what is set here.
    """
    display_units.choose(remembered(request.cookies.get(COOKIE, ""), site.settings.site.timezone))
    path = request.scope["path"].removeprefix(request.scope.get("root_path", "")).lstrip("/")
    query = request.url.query
    _HERE.set(_back(f"{path}?{query}" if query else path))


def here() -> str:
    """The address of the page that is being made, seen from itself."""
    return _HERE.get()


def remembered(cookie: str, local_zone: str) -> Shown:
    """The choice that a cookie holds; what it does not hold, or nobody knows, is the default."""
    rate, _, clock = cookie.partition(".")
    return Shown(
        rate=Rate(rate) if rate in set(Rate) else Rate.mb_per_hour,
        clock=Clock(clock) if clock in set(Clock) else Clock.utc,
        local_zone=local_zone,
    )


@router.post("/shown")
def choose(
    request: Request,
    site: Annotated[Site, Depends(current_site)],
    fields: Annotated[dict[str, str], Depends(form_fields)],
) -> RedirectResponse:
    """Remember a choice for a year, in this browser, and go back to the page it came from."""
    zone = site.settings.site.timezone
    wanted = remembered(f"{fields.get('rate', '')}.{fields.get('clock', '')}", zone)
    answer = RedirectResponse(_back(fields.get("back", "")), status_code=303)
    answer.set_cookie(
        COOKIE,
        f"{wanted.rate}.{wanted.clock}",
        max_age=YEAR_SECONDS,
        path=request.scope.get("root_path", "") or "/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )
    return answer


def _back(address: str) -> str:
    """The address if it is one of ours, else the overview; never another site."""
    found = address if _OWN_ADDRESS.fullmatch(address) else ""
    return found if found and not found.startswith("?") else f"./{found}"
