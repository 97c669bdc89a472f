"""Answers to tickets: the one thing on the page that changes something; operators only."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import parse_qs

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import RedirectResponse

from alerting.marking import HOW_TO_ANSWER, answer_in
from domain.problem import Mark
from mq_capacity_page.auth import get_operator, get_user
from mq_capacity_page.gateway import Site, current_site
from store import reads
from store.problems import save_marks

MAX_BYTES: Final = 4_096

router = APIRouter(dependencies=[Depends(get_user)])


async def answer_fields(request: Request) -> dict[str, str]:
    """The fields of the form: ``ticket`` (key) and ``words``. Refuses other sites and large bodies.

    A browser says where a request comes from; a page of another site must not answer for the
    reader.
    """
    if request.headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        raise HTTPException(403, "This form was sent by another site.")
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BYTES:
            raise HTTPException(413, f"An answer has at most {MAX_BYTES} bytes.")
    fields = parse_qs(body.decode("utf-8", "replace"))
    return {name: values[0] for name, values in fields.items()}


@router.post("/answer")
def answer(
    site: Annotated[Site, Depends(current_site)],
    user: Annotated[object, Depends(get_operator)],
    fields: Annotated[dict[str, str], Depends(answer_fields)],
) -> RedirectResponse:
    """Note what an operator says about a ticket; it counts from the newest day on."""
    get_name = getattr(user, "get_name", None)
    said = answer_in(fields.get("words", ""), str(get_name()) if get_name else "")
    if said is None:
        raise HTTPException(400, f"This is no answer that is understood. {HOW_TO_ANSWER}")
    key = fields.get("ticket", "")
    found = [one for one in reads.tickets(site.engine) if one.dedupe_key == key]
    day = reads.latest_site_date(site.engine)
    if not found or day is None:
        raise HTTPException(404, f"No ticket is called {key!r}.")
    keys = sorted({member for one in found for member in (one.members or (key,))})
    save_marks(site.engine, [Mark(key=one, noted_date=day, **said.model_dump()) for one in keys])
    return RedirectResponse("tickets", status_code=303)
