"""Router of the pages, and the types of their parameters."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query
from pydantic import AfterValidator, BeforeValidator

from mq_capacity_page.web.auth import get_operator, get_user, may_edit
from mq_capacity_page.web.context import PageContext, current_context
from mq_capacity_page.web.forms import form_fields
from mqcap.lake.location import open_lake
from mqcap.presentation import display_units, labels

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
    labels.use_metric_labels(open_lake(context.settings.lake))


def page_router() -> APIRouter:
    """Return a router whose routes need a signed-in reader and print in the zones of the site."""
    return APIRouter(dependencies=[Depends(get_user), Depends(use_site)])
