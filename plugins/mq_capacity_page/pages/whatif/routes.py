"""Addresses of the what-if form, of saved scenarios, and of the form that saves or deletes one."""

from datetime import UTC, date, datetime
from typing import Annotated, Final

from fastapi import HTTPException, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel

from mq_capacity_page.pages.whatif.form import (
    form_parameters,
    groups_of,
    parameters_of,
    scenario_from,
)
from mq_capacity_page.pages.whatif.view import (
    START,
    WhatifRequest,
    saved_view,
    subject_kinds,
    whatif_view,
)
from mq_capacity_page.web.context import PageContext, page_frame
from mq_capacity_page.web.dependencies import (
    CanEdit,
    ContextDep,
    FormFields,
    Operator,
    OptionalDay,
    page_router,
    user_name,
)
from mq_capacity_page.web.rendering import link, render
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.subject import Subject
from mqcap.queries.summaries import kept_summaries_on
from mqcap.store.annotations import delete_scenario, save_scenario
from mqcap.store.models import SavedScenario
from mqcap.store.plans import find_plan

MAX_NAME_CHARACTERS: Final = 80

router = page_router()


class WhatifQuery(BaseModel):
    """Parameters of the page besides the fields of the form."""

    subject: str = ""
    start: OptionalDay = None
    day: OptionalDay = None
    series: str = ""
    resource: str = ""
    """Path of the resource that one comes from: its plan is filled in. Empty: the most urgent."""


@router.get("/whatif", response_class=HTMLResponse)
def whatif(
    context: ContextDep, request: Request, can_edit: CanEdit, query: Annotated[WhatifQuery, Query()]
) -> Response:
    """Return the form and, for what is filled in, the changes; the address is the scenario."""
    frame = page_frame(context, query.day, "whatif")
    if frame.day is None:
        return render("empty.html", frame)
    if not query.subject:
        rows = kept_summaries_on(context.engine, frame.day, context.settings)
        tried = (row.resource for row in rows if "try" in row.links)
        if resource := query.resource or next(tried, ""):
            return RedirectResponse(_planned_address(context, resource, frame.day), status_code=303)
    asked = WhatifRequest(
        subject=query.subject,
        day=frame.day,
        start=query.start.isoformat() if query.start else "",
        series=query.series,
        fields=request.query_params,
    )
    try:
        view = whatif_view(context, asked, can_edit=can_edit)
    except KeyError as error:
        raise HTTPException(404, f"Unknown subject {query.subject!r}.") from error
    return render("whatif.html", frame, view, status=422 if view.problem else 200)


def _planned_address(context: PageContext, resource: str, day: date) -> str:
    """Return the form with the plan of a resource; without one with its owner, nothing changed."""
    plan = find_plan(context.engine, resource, day)
    filled = parameters_of(plan.tried(plan.base), plan.due_date) if plan else {}
    if filled:
        return f"{link('whatif', day=day, **filled)}#difference"
    return link("whatif", subject=Subject(resource).owner, day=day)


@router.get("/scenarios", response_class=HTMLResponse)
def scenarios(
    context: ContextDep,
    can_edit: CanEdit,
    name: Annotated[list[str] | None, Query()] = None,
    day: OptionalDay = None,
) -> HTMLResponse:
    """Return the saved scenarios, and the selected ones side by side."""
    frame = page_frame(context, day, "whatif")
    view = saved_view(context, frame.day, name or [], can_edit=can_edit)
    return render("scenarios.html", frame, view)


@router.post("/scenario")
def scenario(context: ContextDep, user: Operator, fields: FormFields) -> RedirectResponse:
    """Save a scenario under a name, or delete the one of that name."""
    name = " ".join(fields.get("name", "").split())
    if not name or len(name) > MAX_NAME_CHARACTERS:
        expected = f"a name of 1 to {MAX_NAME_CHARACTERS} characters"
        raise HTTPException(400, f"The scenario has no usable name; expected {expected}.")
    if fields.get("forget"):
        delete_scenario(context.engine, name)
        return RedirectResponse("scenarios", status_code=303)
    subject = fields.get("subject", "")
    kind = subject_kinds(context).get(subject)
    if kind is None:
        raise HTTPException(404, f"Unknown subject {subject!r}.")
    parameters = form_parameters(groups_of(kind), fields)
    if not parameters:
        raise HTTPException(400, "The scenario changes nothing. Fill in at least one field.")
    try:
        scenario_from(subject, kind, fields.get(START, ""), parameters)
    except ConfigurationError as error:
        raise HTTPException(422, str(error)) from error
    if fields.get(START):
        parameters[START] = fields[START]
    saved = SavedScenario(
        name=name,
        subject=subject,
        parameters=parameters,
        who=user_name(user),
        saved_at_utc=datetime.now(UTC),
    )
    save_scenario(context.engine, saved)
    return RedirectResponse(link("scenarios", name=name), status_code=303)
