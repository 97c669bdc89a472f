"""Addresses of the emails of a day, and of the HTML part of one of them."""

from __future__ import annotations

from fastapi import HTTPException
from fastapi.responses import HTMLResponse, Response

from mq_capacity_page.pages.mail.preview import mail_preview
from mq_capacity_page.pages.mail.view import mail_view
from mq_capacity_page.web.dependencies import ContextDep, OptionalDay, page_router
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import render
from mq_capacity_page.web.security import SEALED_POLICY
from mqcap.store.outbox import find_delivery

router = page_router()


@router.get("/mail", response_class=HTMLResponse)
def mail(context: ContextDep, day: OptionalDay = None) -> HTMLResponse:
    """Return what was sent, or would have been sent, about one day."""
    frame = page_frame(context, day, "mail")
    return render("mail.html", frame, mail_view(context, frame.day))


@router.get("/mail-content", response_class=HTMLResponse)
def mail_content(context: ContextDep, delivery: str) -> Response:
    """Return the HTML part of one email, sealed: it can run nothing and fetch nothing."""
    stored = find_delivery(context.engine, delivery)
    html = mail_preview(stored.content).html if stored else None
    if html is None:
        raise HTTPException(404, f"No email {delivery!r} with an HTML part.")
    return HTMLResponse(html, headers={"Content-Security-Policy": SEALED_POLICY})
