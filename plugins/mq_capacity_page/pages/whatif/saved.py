"""What-ifs that have a name: save one, list them, hold several against each other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Annotated, Final

from fastapi import APIRouter, Depends, HTTPException, Query
from fastapi.responses import HTMLResponse, RedirectResponse

from mq_capacity_page.pages import answers
from mq_capacity_page.pages.whatif.fields import groups_of, words_of
from mq_capacity_page.pages.whatif.form import parameters
from mq_capacity_page.pages.whatif.view import Asked, ChangedLine, subject_kinds, whatif_view
from mq_capacity_page.web.assets import asset_link
from mq_capacity_page.web.auth import get_operator, get_user, may_answer
from mq_capacity_page.web.context import Site, current_site
from mq_capacity_page.web.forms import form_fields
from mq_capacity_page.web.rendering import link, page
from mqcap.store.models import SavedScenario
from mqcap.store.scenarios import delete_scenario, read_scenarios, save_scenario

MAX_NAME: Final = 80
MAX_COMPARED: Final = 4
START: Final = "start"

router = APIRouter(dependencies=[Depends(get_user)])

SiteDep = Annotated[Site, Depends(current_site)]
Fields = Annotated[dict[str, str], Depends(form_fields)]


class Compared(answers.View):
    """One check, and what each scenario makes of it; ``None`` where it answers as today."""

    rule_id: str
    subject: str
    unit: str
    cells: tuple[ChangedLine | None, ...]


@router.get("/scenarios", response_class=HTMLResponse)
def scenarios(
    site: SiteDep,
    can_answer: Annotated[bool, Depends(may_answer)],
    name: Annotated[list[str] | None, Query()] = None,
    day: date | None = None,
) -> HTMLResponse:
    """Named what-ifs, and those that are chosen side by side."""
    frame = answers.frame(site, day, "whatif")
    known = read_scenarios(site.engine)
    chosen = [one for one in known if one.name in (name or [])][:MAX_COMPARED]
    compared = compare(site, chosen, frame.day) if frame.day else []
    return page(
        "scenarios.html",
        frame=frame,
        asset=asset_link,
        known=[(one, address(one, frame.day), words_of(one.parameters)) for one in known],
        chosen=chosen,
        compared=compared,
        can_answer=can_answer,
        most=MAX_COMPARED,
    )


@router.post("/scenario")
def save(
    site: SiteDep, user: Annotated[object, Depends(get_operator)], fields: Fields
) -> RedirectResponse:
    """Keep a what-if under a name, or forget the one of that name."""
    name = " ".join(fields.get("name", "").split())
    if not name or len(name) > MAX_NAME:
        raise HTTPException(400, f"A scenario needs a name of at most {MAX_NAME} characters.")
    if fields.get("forget"):
        delete_scenario(site.engine, name)
        return RedirectResponse("scenarios", status_code=303)
    subject = fields.get("subject", "")
    kind = subject_kinds(site).get(subject)
    if kind is None:
        raise HTTPException(404, f"No subject is called {subject!r}.")
    given = parameters(groups_of(kind), fields)
    if not given:
        raise HTTPException(400, "Nothing is changed in this scenario.")
    if fields.get(START):
        given[START] = fields[START]
    get_name = getattr(user, "get_name", None)
    made = SavedScenario(
        name=name,
        subject=subject,
        parameters=given,
        who=str(get_name()) if get_name else "",
        saved_at_utc=datetime.now(UTC),
    )
    save_scenario(site.engine, made)
    return RedirectResponse(link("scenarios", name=name), status_code=303)


def address(scenario: SavedScenario, day: date | None) -> str:
    """The link to a scenario; whoever opens it sees the same answer."""
    return link("whatif", subject=scenario.subject, day=day, **scenario.parameters)


def compare(site: Site, chosen: Sequence[SavedScenario], day: date) -> list[Compared]:
    """Every check that any of the scenarios changes, the most severe first."""
    found: dict[tuple[str, str], list[ChangedLine | None]] = {}
    units: dict[tuple[str, str], str] = {}
    for number, one in enumerate(chosen):
        given = dict(one.parameters)
        asked = Asked(one.subject, day, given.pop(START, ""), "", given)
        for line in whatif_view(site, asked).lines:
            key = line.rule_id, line.subject
            units[key] = line.unit
            found.setdefault(key, [None] * len(chosen))[number] = line
    rows = [
        Compared(rule_id=key[0], subject=key[1], unit=units[key], cells=tuple(cells))
        for key, cells in found.items()
    ]
    return sorted(rows, key=lambda row: (-_worst(row), row.subject, row.rule_id))


def _worst(row: Compared) -> int:
    return max(one.severity.rank for one in row.cells if one)
