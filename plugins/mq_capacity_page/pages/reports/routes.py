"""Addresses of the reports, of each in each format, and of the HTML part of an email."""

from typing import Annotated

from fastapi import HTTPException, Query
from fastapi.responses import HTMLResponse, Response

from mq_capacity_page.pages.reports.management import management_view
from mq_capacity_page.pages.reports.view import mail_preview, reports_view
from mq_capacity_page.web.context import page_frame
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, SiteDay, page_router
from mq_capacity_page.web.rendering import HEADERS, render
from mq_capacity_page.web.security import SEALED_POLICY
from mqcap.domain.errors import ConfigurationError
from mqcap.reports.document import ReportFormat, ReportKind
from mqcap.reports.make import MEDIA_TYPES, as_bytes, make_report
from mqcap.store.outbox import find_delivery

router = page_router()


@router.get("/reports", response_class=HTMLResponse)
def reports(
    context: ContextDep, day: OptionalDay = None, days: Annotated[int, Query(ge=1, le=3_660)] = 90
) -> HTMLResponse:
    """Return the reports of a day, its emails and tickets, and how forecasts have done."""
    frame = page_frame(context, day, "reports")
    if frame.day is None:
        return render("empty.html", frame)
    return render("reports.html", frame, reports_view(context, frame.day, days))


@router.get("/management", response_class=HTMLResponse)
def management(context: ContextDep, day: OptionalDay = None) -> HTMLResponse:
    """Return a day by sysplex, by team and month, and what moved in a month."""
    frame = page_frame(context, day, "reports")
    if frame.day is None:
        return render("empty.html", frame)
    return render("management.html", frame, management_view(context, frame.day))


@router.get("/report")
def report(
    context: ContextDep, kind: ReportKind, day: SiteDay, form: ReportFormat = ReportFormat.html
) -> Response:
    """Return one report as a file; the same bytes as the command line and the DAG write."""
    try:
        document = make_report(context.settings, context.engine, kind, day)
        content = as_bytes(document, form)
    except ConfigurationError as error:
        raise HTTPException(404, str(error)) from error
    disposition = "inline" if form is ReportFormat.html else "attachment"
    headers = HEADERS | {"Content-Disposition": f'{disposition}; filename="{document.stem}.{form}"'}
    if form is ReportFormat.html:
        headers["Content-Security-Policy"] = SEALED_POLICY
    return Response(content, media_type=MEDIA_TYPES[form], headers=headers)


@router.get("/mail-content", response_class=HTMLResponse)
def mail_content(context: ContextDep, delivery: str) -> Response:
    """Return the HTML part of one email, sealed: it can run nothing and fetch nothing."""
    stored = find_delivery(context.engine, delivery)
    html = mail_preview(stored.content).html if stored else None
    if html is None:
        raise HTTPException(404, f"No email {delivery!r} with an HTML part.")
    return HTMLResponse(html, headers={"Content-Security-Policy": SEALED_POLICY})
