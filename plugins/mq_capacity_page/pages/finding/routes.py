"""What changes something: answers to problems and annotations; operators only."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, Final

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse

from mq_capacity_page.pages import answers
from mq_capacity_page.pages.finding.view import MARK_WORDS, finding_view
from mq_capacity_page.web.assets import asset_link
from mq_capacity_page.web.auth import get_operator, get_user, may_answer
from mq_capacity_page.web.context import Site, current_site
from mq_capacity_page.web.forms import form_fields
from mq_capacity_page.web.rendering import link, page
from mqcap.domain.problem import Acknowledgement, AcknowledgementKind
from mqcap.notifications.acknowledgements import HOW_TO_ACKNOWLEDGE, parse_response
from mqcap.store.annotations import save_annotation
from mqcap.store.findings import latest_site_date, read_findings
from mqcap.store.models import Annotation
from mqcap.store.problems import save_acknowledgements
from mqcap.store.tickets import read_tickets

MAX_NOTE: Final = 2_000
FIRST_WORDS: Final = {
    AcknowledgementKind.acknowledged: "acknowledged",
    AcknowledgementKind.accepted_until: "accepted risk until",
    AcknowledgementKind.known_project: "known project",
    AcknowledgementKind.false_alarm: "false alarm",
}

router = APIRouter(dependencies=[Depends(get_user)])

SiteDep = Annotated[Site, Depends(current_site)]
Operator = Annotated[object, Depends(get_operator)]
Fields = Annotated[dict[str, str], Depends(form_fields)]


@router.get("/finding", response_class=HTMLResponse)
def finding(
    site: SiteDep,
    can_answer: Annotated[bool, Depends(may_answer)],
    rule: str,
    subject: str,
    day: date | None = None,
) -> HTMLResponse:
    """One finding with its history, its ticket, and the forms to answer it."""
    frame = answers.frame(site, day, "overview")
    view = None
    if frame.day is not None:
        view = finding_view(site, (rule, subject), frame.day, can_answer=can_answer)
    if view is None:
        raise HTTPException(404, f"{rule} says nothing of {subject!r} on that day.")
    return page(
        "finding.html",
        frame=frame,
        asset=asset_link,
        view=view,
        mark_words=MARK_WORDS,
        kinds=[one.value for one in MARK_WORDS],
    )


@router.post("/answer")
def answer(site: SiteDep, user: Operator, fields: Fields) -> RedirectResponse:
    """Note what an operator says about a problem; it counts from the newest day on."""
    said = parse_response(_words(fields), _name(user))
    if said is None:
        raise HTTPException(400, f"This is no answer that is understood. {HOW_TO_ACKNOWLEDGE}")
    key = fields.get("ticket", "")
    day = latest_site_date(site.engine)
    keys = _keys(site, key, day)
    if not keys or day is None:
        raise HTTPException(404, f"No ticket and no finding is called {key!r}.")
    save_acknowledgements(
        site.engine, [Acknowledgement(key=one, noted_date=day, **said.model_dump()) for one in keys]
    )
    return RedirectResponse(_back(fields), status_code=303)


@router.post("/annotate")
def annotate(site: SiteDep, user: Operator, fields: Fields) -> RedirectResponse:
    """Write something down about a subject and some of its days."""
    note, subject = fields.get("note", ""), fields.get("subject", "")
    first = _date(fields.get("first", ""))
    last = _date(fields.get("last", "")) or first
    if not note or first is None or last is None or last < first:
        raise HTTPException(400, "A note needs words, a first day, and a last day not before it.")
    if len(note) > MAX_NOTE:
        raise HTTPException(413, f"A note has at most {MAX_NOTE} characters.")
    if answers.subject_page(site, subject, latest_site_date(site.engine)) is None:
        raise HTTPException(404, f"No subject is called {subject!r}.")
    made = Annotation(
        subject=subject,
        rule_id=fields.get("rule", ""),
        first_date=first,
        last_date=last,
        note=note,
        who=_name(user),
        noted_at_utc=datetime.now(UTC),
    )
    save_annotation(site.engine, made)
    return RedirectResponse(_back(fields), status_code=303)


def _words(fields: dict[str, str]) -> str:
    """The answer in words, as in a tracker's comment, be it typed or chosen."""
    kind = fields.get("kind")
    if kind is None:
        return fields.get("words", "")
    if kind not in set(AcknowledgementKind):
        return ""
    until = fields.get("until", "") if kind == AcknowledgementKind.accepted_until else ""
    parts = (
        FIRST_WORDS[AcknowledgementKind(kind)],
        until,
        " ".join(fields.get("reason", "").split()),
    )
    return " ".join(part for part in parts if part)


def _keys(site: Site, key: str, day: date | None) -> list[str]:
    """The problems that an answer is about: all of a ticket, else the one that is named."""
    found = [one for one in read_tickets(site.engine) if one.dedupe_key == key]
    if found:
        return sorted({member for one in found for member in (one.members or (key,))})
    rule, _, subject = key.partition("/")
    known = day is not None and any(
        (one.rule_id, one.subject) == (rule, subject) for one in read_findings(site.engine, day)
    )
    return [key] if known else []


def _back(fields: dict[str, str]) -> str:
    """Where the reader came from: a finding, a series, else the tickets. Never another site."""
    given = {name: fields.get(f"back_{name}", "") for name in ("rule", "subject", "series", "day")}
    if given["series"]:
        return link("series", series=given["series"], day=given["day"])
    if given["rule"] and given["subject"]:
        return link("finding", rule=given["rule"], subject=given["subject"], day=given["day"])
    return "tickets"


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _name(user: object) -> str:
    get_name = getattr(user, "get_name", None)
    return str(get_name()) if get_name else ""
