"""Router of the pages, and the types of their parameters."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import BeforeValidator

from mq_capacity_page.web.auth import get_operator, get_user, may_edit
from mq_capacity_page.web.context import PageContext, current_context
from mq_capacity_page.web.forms import form_fields
from mq_capacity_page.web.preference_routes import apply_preferences


def blank_is_none(value: object) -> object:
    """Return ``None`` for an empty parameter, as forms send those that are not filled in."""
    return None if value == "" else value


BlankIsNone = BeforeValidator(blank_is_none)
ContextDep = Annotated[PageContext, Depends(current_context)]
OptionalDay = Annotated[date | None, BlankIsNone, Query()]
CanEdit = Annotated[bool, Depends(may_edit)]
Operator = Annotated[object, Depends(get_operator)]
FormFields = Annotated[dict[str, str], Depends(form_fields)]


def page_router() -> APIRouter:
    """Return a router whose routes need a signed-in reader and follow the reader's preferences."""
    return APIRouter(dependencies=[Depends(get_user), Depends(apply_preferences)])
