"""One finding explained in full, and its change pack as text to be reviewed."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import HTMLResponse, PlainTextResponse

from mq_capacity_page.pages import answers
from mq_capacity_page.web.assets import asset_link
from mq_capacity_page.web.auth import get_user
from mq_capacity_page.web.context import Site, current_site
from mq_capacity_page.web.rendering import page
from mqcap.domain.errors import ConfigurationError

router = APIRouter(dependencies=[Depends(get_user)])

SiteDep = Annotated[Site, Depends(current_site)]


@router.get("/explain", response_class=HTMLResponse)
def explain(site: SiteDep, rule: str, subject: str, day: date | None = None) -> HTMLResponse:
    """Every figure of one finding: inputs with their files, arithmetic, limit, citation."""
    frame = answers.frame(site, day, "explain")
    if frame.day is None:
        raise HTTPException(404, "Nothing was judged yet.")
    from mqcap.rulebook.explain import explanation  # noqa: PLC0415 - imports the whole rulebook

    try:
        sections = explanation(site.engine, site.settings, rule, subject, frame.day)
    except ConfigurationError as error:
        raise HTTPException(404, str(error)) from error
    return page(
        "explain.html", frame=frame, asset=asset_link, rule=rule, subject=subject, sections=sections
    )


@router.get("/change-pack", response_class=PlainTextResponse)
def change_pack(
    site: SiteDep, rule: str, subject: str, day: date, download: bool = False
) -> PlainTextResponse:
    """Control statements for one finding; nothing is ever executed."""
    from mqcap.change_pack.pack import change_pack as written  # noqa: PLC0415 - as above

    try:
        text = written(site.engine, day, [(rule, subject)])
    except ConfigurationError as error:
        raise HTTPException(404, str(error)) from error
    headers = {"Cache-Control": "private, no-cache"}
    if download:
        name = re.sub(r"[^A-Za-z0-9]+", "-", f"change-pack-{day}-{rule}-{subject}").strip("-")
        headers["Content-Disposition"] = f'attachment; filename="{name}.txt"'
    return PlainTextResponse(f"{text}\n", headers=headers)
