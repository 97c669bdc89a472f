"""Reports from the page: the list of what can be had, and each report in each format."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Final

from fastapi import APIRouter, Depends, HTTPException, Query
from fastapi.responses import HTMLResponse, Response
from pydantic import BeforeValidator

from mq_capacity_page.pages import answers
from mq_capacity_page.pages.mail.view import SEALED_POLICY
from mq_capacity_page.web.assets import asset_link
from mq_capacity_page.web.auth import get_user
from mq_capacity_page.web.context import Site, current_site
from mq_capacity_page.web.rendering import page
from mqcap.domain.errors import ConfigurationError
from mqcap.presentation import display_units
from mqcap.reports.document import ReportFormat, ReportKind
from mqcap.reports.write import MEDIA_TYPES, as_bytes

router = APIRouter(dependencies=[Depends(get_user)])

SiteDep = Annotated[Site, Depends(current_site)]
Day = Annotated[date | None, BeforeValidator(lambda value: None if value == "" else value)]
WHAT: Final = {
    ReportKind.daily: ("Daily sheet", ("What is to act on and to watch, what changed, which data "
                       "are missing: one look in the morning.")),
    ReportKind.weekly: ("Weekly report", ("What moved in a week, growth and dates of what is "
                        "urgent with charts, and how good past forecasts were.")),
    ReportKind.monthly: ("Monthly capacity plan", ("Every limit with growth, dates, chances and "
                         "lead time, the changes to request, and what is taken for granted: for "
                         "the change board.")),
}  # fmt: skip


@router.get("/reports", response_class=HTMLResponse)
def reports(site: SiteDep, day: Annotated[Day, Query()] = None) -> HTMLResponse:
    """What reports there are about a day."""
    frame = answers.frame(site, day, "reports")
    if frame.day is None:
        return page("empty.html", frame=frame, asset=asset_link)
    return page("reports.html", frame=frame, asset=asset_link, what=WHAT, forms=list(ReportFormat))


@router.get("/report")
def report(
    site: SiteDep, kind: ReportKind, day: date, form: ReportFormat = ReportFormat.html
) -> Response:
    """One report as a file; the same as the command line and the DAG write."""
    from mqcap.reports.make import make_report  # noqa: PLC0415 - imports matplotlib

    try:
        with display_units.as_in_reports():
            made = make_report(site.settings, site.engine, kind, day)
            content = as_bytes(made, form)
    except ConfigurationError as error:
        raise HTTPException(404, str(error)) from error
    disposition = "inline" if form is ReportFormat.html else "attachment"
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": f'{disposition}; filename="{made.stem}.{form}"',
    }
    if form is ReportFormat.html:
        headers["Content-Security-Policy"] = SEALED_POLICY
    return Response(content, media_type=MEDIA_TYPES[form], headers=headers)
