"""Airflow's login and permissions, the router of the pages, and the types of their parameters.

Airflow neither authenticates nor authorises for the applications that plugins mount, so every
route depends on ``get_user``: 401 without a valid session cookie or bearer token, 403 for a user
who may not read the daily DAG. Routes that change something depend on ``get_operator`` too: 403
for a user who may not edit that DAG, which operators may and viewers may not.
"""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Final, Literal
from urllib.parse import parse_qs, urlsplit

from airflow.api_fastapi.app import get_auth_manager
from airflow.api_fastapi.auth.managers.models.base_user import BaseUser
from airflow.api_fastapi.auth.managers.models.resource_details import DagDetails
from airflow.api_fastapi.core_api.security import get_user as get_airflow_user
from airflow.configuration import conf
from fastapi import APIRouter, Depends, HTTPException, Query, Request
from pydantic import AfterValidator, BeforeValidator

from mq_capacity_page.web.context import PageContext, current_context
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.location import open_lake
from mqcap.presentation import display_units, labels

DAG_ID: Final = "mqcap_daily"
"""The DAG whose permissions decide."""


def get_user(user: Annotated[BaseUser, Depends(get_airflow_user)]) -> BaseUser:
    """Return the signed-in user if the user may read the DAG; 403 otherwise."""
    return _allowed(user, "GET", "read")


def get_operator(user: Annotated[BaseUser, Depends(get_airflow_user)]) -> BaseUser:
    """Return the signed-in user if the user may edit the DAG; 403 otherwise."""
    return _allowed(user, "PUT", "edit")


def may_edit(user: Annotated[BaseUser, Depends(get_airflow_user)]) -> bool:
    """Return true for an operator; pages offer their forms only to operators."""
    return _is_authorized(user, "PUT")


def user_name(user: object) -> str:
    """Return the name of a user as Airflow shows it; empty for users without a name."""
    get_name = getattr(user, "get_name", None)
    return str(get_name()) if get_name else ""


def _allowed(user: BaseUser, method: Literal["GET", "PUT"], verb: str) -> BaseUser:
    if not _is_authorized(user, method):
        raise HTTPException(403, f"Your Airflow role may not {verb} the DAG {DAG_ID}.")
    return user


def _is_authorized(user: BaseUser, method: Literal["GET", "PUT"]) -> bool:
    details = DagDetails(id=DAG_ID)
    return get_auth_manager().is_authorized_dag(method=method, details=details, user=user)


def swagger_is_enabled() -> bool:
    """Return whether Airflow serves pages of its REST API, which load Swagger UI from a server."""
    return bool(conf.getboolean("api", "enable_swagger_ui"))


MAX_BYTES: Final = 8_192


async def form_fields(request: Request) -> dict[str, str]:
    """Return the fields of a form by name, stripped; empty ones are left out.

    Raises HTTPException: 400 for a NUL character, which PostgreSQL has in no text, 403 for a form
    of another site, 413 for more than ``MAX_BYTES``.
    """
    if not is_same_site(request.headers):
        raise HTTPException(
            403, "This form was submitted by another site. Open the page and submit it there."
        )
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BYTES:
            raise HTTPException(413, f"A form has at most {MAX_BYTES} bytes.")
    parsed = parse_qs(body.decode("utf-8", "replace"))
    fields = {name: values[0].strip() for name, values in parsed.items()}
    if any("\0" in text for field in fields.items() for text in field):
        raise HTTPException(400, "There is a NUL character in the form.")
    return fields


def is_same_site(headers: Mapping[str, str]) -> bool:
    """Return true if a request comes from the page itself.

    Current browsers send ``Sec-Fetch-Site``, older ones ``Origin``. A client that sends neither
    is not a browser and must bring a bearer token, which another site cannot make it send.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = headers.get("origin")
    if origin is not None:
        return urlsplit(origin).netloc == headers.get("host")
    return headers.get("authorization", "").casefold().startswith("bearer ")


FIRST_DAY: Final = date(1900, 1, 1)
LAST_DAY: Final = date(2999, 12, 31)
"""Days that a reader may ask for (ours): pages reckon years back and forth from them."""


def blank_is_none(value: object) -> object:
    """Return ``None`` for an empty parameter, as forms send those that are not filled in."""
    return None if value == "" else value


def day_in_calendar(day: date) -> date:
    """Return the day; ValueError for one so early or late that no other can be reckoned from it."""
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(f"a day from {FIRST_DAY} to {LAST_DAY} is expected")
    return day


BlankIsNone = BeforeValidator(blank_is_none)
ContextDep = Annotated[PageContext, Depends(current_context)]
SiteDay = Annotated[date, AfterValidator(day_in_calendar)]
OptionalDay = Annotated[SiteDay | None, BlankIsNone, Query()]
CanEdit = Annotated[bool, Depends(may_edit)]
Operator = Annotated[object, Depends(get_operator)]
FormFields = Annotated[dict[str, str], Depends(form_fields)]


async def use_site(context: ContextDep) -> None:
    """Print in the time zones of the site and with the labels of its metrics in this request.

    Asynchronous, because only then the route, which runs in a thread, inherits what is set here.
    """
    display_units.use_zones_of(context.settings)
    labels.use_metric_labels(metric_catalogue(open_lake(context.settings.lake)))


def page_router() -> APIRouter:
    """Return a router whose routes need a signed-in reader and print in the zones of the site."""
    return APIRouter(dependencies=[Depends(get_user), Depends(use_site)])
