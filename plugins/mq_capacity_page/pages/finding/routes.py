"""Addresses of one finding, of its change pack, and of the forms of operators about it."""

import re
from datetime import UTC, date, datetime
from typing import Final

from fastapi import HTTPException
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse

from mq_capacity_page.pages.finding.view import (
    acknowledged_keys,
    acknowledgement_text,
    finding_view,
    return_address,
)
from mq_capacity_page.web.context import page_frame
from mq_capacity_page.web.dependencies import (
    CanEdit,
    ContextDep,
    FormFields,
    Operator,
    OptionalDay,
    SiteDay,
    page_router,
    user_name,
)
from mq_capacity_page.web.rendering import HEADERS, render
from mqcap.change_pack.pack import change_pack as pack_text
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.problem import Acknowledgement
from mqcap.judging.log_names import console_log_names
from mqcap.notifications.acknowledgements import HOW_TO_ACKNOWLEDGE, check_until, parse_response
from mqcap.presentation import display_units
from mqcap.store.annotations import save_annotation
from mqcap.store.findings import findings_below, latest_site_date
from mqcap.store.models import Annotation
from mqcap.store.problems import save_acknowledgements
from mqcap.store.series import series_below

MAX_NOTE_CHARACTERS: Final = 2_000

router = page_router()


@router.get("/finding", response_class=HTMLResponse)
def finding(
    context: ContextDep,
    can_edit: CanEdit,
    rule: str,
    subject: str,
    day: OptionalDay = None,
    scope: str = "",
) -> HTMLResponse:
    """Return one finding with its history, its ticket, and the forms to acknowledge it.

    With ``scope=resource`` the form offers all problems of the resource first.
    """
    display_units.use_zone_of_subject(subject)
    frame = page_frame(context, day, "resources")
    key = rule, subject
    view = frame.day and finding_view(context, key, frame.day, can_edit=can_edit, scope=scope)
    if not view:
        raise HTTPException(404, f"No finding of {rule} for {subject!r} on that day.")
    return render("finding.html", frame, view)


@router.get("/change-pack", response_class=PlainTextResponse)
def change_pack(
    context: ContextDep, rule: str, subject: str, day: SiteDay, download: bool = False
) -> PlainTextResponse:
    """Return control statements for the plan of one finding; nothing is ever executed."""
    try:
        names = console_log_names(context.settings, day)
        text = pack_text(context.engine, context.estate, day, [(rule, subject)], log_names=names)
    except ConfigurationError as error:
        raise HTTPException(404, str(error)) from error
    headers = dict(HEADERS)
    if download:
        name = re.sub(r"[^A-Za-z0-9]+", "-", f"change-pack-{day}-{rule}-{subject}").strip("-")
        headers["Content-Disposition"] = f'attachment; filename="{name}.txt"'
    return PlainTextResponse(f"{text}\n", headers=headers)


@router.post("/answer")
def acknowledge(context: ContextDep, user: Operator, fields: FormFields) -> RedirectResponse:
    """Save an operator's acknowledgement of one problem, or of those listed of its resource.

    It holds from the newest day on.
    """
    response = parse_response(acknowledgement_text(fields), user_name(user))
    if response is None:
        raise HTTPException(400, f"Unrecognised acknowledgement. {HOW_TO_ACKNOWLEDGE}")
    day = latest_site_date(context.engine)
    keys = acknowledged_keys(context, fields, day)
    if not keys or day is None:
        key = fields.get("problem") or fields.get("ticket", "")
        raise HTTPException(404, f"No ticket and no finding with the key {key!r}.")
    try:
        check_until(response, day, context.settings.alerts.accept_days)
    except ConfigurationError as error:
        raise HTTPException(422, str(error)) from error
    values = response.model_dump()
    save_acknowledgements(
        context.engine, [Acknowledgement(key=key, noted_date=day, **values) for key in keys]
    )
    return RedirectResponse(return_address(fields), status_code=303)


@router.post("/annotate")
def annotate(context: ContextDep, user: Operator, fields: FormFields) -> RedirectResponse:
    """Save a note about a subject and some of its days."""
    note, subject = fields.get("note", ""), fields.get("subject", "")
    first = _parse_date(fields.get("first", ""))
    last = _parse_date(fields.get("last", "")) or first
    if not note or first is None or last is None or last < first:
        raise HTTPException(400, "A note needs text, a first day, and a last day not before it.")
    if len(note) > MAX_NOTE_CHARACTERS:
        raise HTTPException(413, f"A note has at most {MAX_NOTE_CHARACTERS} characters.")
    day = latest_site_date(context.engine)
    known = day is not None and findings_below(context.engine, day, subject)
    if not known and not series_below(context.engine, subject):
        raise HTTPException(404, f"Unknown subject {subject!r}.")
    annotation = Annotation(
        subject=subject,
        rule_id=fields.get("rule", ""),
        first_date=first,
        last_date=last,
        note=note,
        who=user_name(user),
        noted_at_utc=datetime.now(UTC),
    )
    save_annotation(context.engine, annotation)
    return RedirectResponse(return_address(fields), status_code=303)


def _parse_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
