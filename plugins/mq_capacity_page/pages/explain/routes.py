"""Addresses of the explanation of one finding, and of its change pack as text for review."""

from __future__ import annotations

import re

from fastapi import HTTPException
from fastapi.responses import HTMLResponse, PlainTextResponse

from mq_capacity_page.pages.explain.view import explain_view
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, SiteDay, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import HEADERS, render
from mqcap.domain.errors import ConfigurationError
from mqcap.presentation import display_units

router = page_router()


@router.get("/explain", response_class=HTMLResponse)
def explain(context: ContextDep, rule: str, subject: str, day: OptionalDay = None) -> HTMLResponse:
    """Return every figure of one finding: inputs with their files, arithmetic, limit, citation."""
    display_units.use_zone_of_subject(subject)
    frame = page_frame(context, day, "explain")
    if frame.day is None:
        raise HTTPException(404, "No day has been evaluated yet. Run the daily DAG.")
    try:
        view = explain_view(context, rule, subject, frame.day)
    except ConfigurationError as error:
        raise HTTPException(404, str(error)) from error
    return render("explain.html", frame, view)


@router.get("/change-pack", response_class=PlainTextResponse)
def change_pack(
    context: ContextDep, rule: str, subject: str, day: SiteDay, download: bool = False
) -> PlainTextResponse:
    """Return control statements for the plan of one finding; nothing is ever executed."""
    from mqcap.change_pack.pack import change_pack as pack_text  # noqa: PLC0415 - imports the rules
    from mqcap.judging.log_names import console_log_names  # noqa: PLC0415 - imports the rules

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
