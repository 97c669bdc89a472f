"""Addresses of saved scenarios: the list, the comparison, and the form that saves or deletes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Final

from fastapi import HTTPException, Query
from fastapi.responses import HTMLResponse, RedirectResponse

from mq_capacity_page.pages.scenarios.view import START, scenarios_view
from mq_capacity_page.pages.whatif.fields import groups_of
from mq_capacity_page.pages.whatif.form import form_parameters, scenario_from
from mq_capacity_page.pages.whatif.view import subject_kinds
from mq_capacity_page.web.auth import user_name
from mq_capacity_page.web.dependencies import (
    CanEdit,
    ContextDep,
    FormFields,
    Operator,
    OptionalDay,
    page_router,
)
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import link, render
from mqcap.domain.errors import ConfigurationError
from mqcap.store.models import SavedScenario
from mqcap.store.scenarios import delete_scenario, save_scenario

MAX_NAME_CHARACTERS: Final = 80

router = page_router()


@router.get("/scenarios", response_class=HTMLResponse)
def scenarios(
    context: ContextDep,
    can_edit: CanEdit,
    name: Annotated[list[str] | None, Query()] = None,
    day: OptionalDay = None,
) -> HTMLResponse:
    """Return the saved scenarios, and the selected ones side by side."""
    frame = page_frame(context, day, "whatif")
    view = scenarios_view(context, frame.day, name or [], can_edit=can_edit)
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
