"""Reports of a day, its emails and tickets, and how forecasts have done."""

import base64
from datetime import date, timedelta
from email import message_from_string, policy
from email.message import EmailMessage
from typing import Final, NamedTuple

from mq_capacity_page.pages.discovery import NavigationEntry
from mq_capacity_page.web.context import PageContext, View
from mqcap.domain.console.ledger import LEAD_DAYS
from mqcap.domain.score import ClassScore, ReliabilityBin
from mqcap.judging.ledger import correction_lines, evaluated_later, read_ledger, read_limit_records
from mqcap.notifications.ticket_list import listed_tickets
from mqcap.presentation.ledger_text import BASIS_WORDS, count_lines
from mqcap.reports.document import ReportFormat, ReportKind
from mqcap.store import scores
from mqcap.store.outbox import read_deliveries
from mqcap.store.tickets import read_tickets

NAVIGATION: Final = NavigationEntry("reports", "Reports", "reports", order=40)


class MailPreview(NamedTuple):
    """Plain text and, where there is one, the HTML with its pictures inside.

    The HTML was written for mail programs, with styles of its own: it is served on an address of
    its own under ``SEALED_POLICY``, so that it reaches nothing of the page.
    """

    text: str
    html: str | None = None


def mail_preview(content: str) -> MailPreview:
    """Return the parts of stored content, be it a complete message, HTML, or plain text."""
    message = message_from_string(content, policy=policy.default)
    if not isinstance(message, EmailMessage) or "content-type" not in message:
        is_html = content.lstrip()[:1] == "<"
        return MailPreview(text="" if is_html else content, html=content if is_html else None)
    plain = message.get_body(("plain",))
    rich = message.get_body(("html",))
    return MailPreview(
        text=str(plain.get_content()) if plain else "",
        html=_with_pictures(str(rich.get_content()), message) if rich else None,
    )


def _with_pictures(html: str, message: EmailMessage) -> str:
    """Replace ``cid:`` addresses by the attached pictures themselves."""
    for part in message.walk():
        name = str(part["content-id"] or "").strip("<>")
        if name and part.get_content_maintype() == "image":
            data = part.get_payload(decode=True)
            code = base64.b64encode(data if isinstance(data, bytes) else b"").decode()
            html = html.replace(f"cid:{name}", f"data:{part.get_content_type()};base64,{code}")
    return html


TOLERANCE_RATIO: Final = 0.05
"""An interval whose coverage differs by more from the nominal one is too narrow or wide (ours)."""
LEAST_CASES: Final = 20
"""Fewer verified days or statements are not judged: one of them is then more than the tolerance
(ours)."""
TOO_FEW: Final = "too few days"


def verdict(score: ClassScore) -> str:
    """Return how the coverage of prediction intervals compares with the nominal one.

    Of fewer than ``LEAST_CASES`` verified days the verdict is ``TOO_FEW``.
    """
    if score.scored_days < LEAST_CASES:
        return TOO_FEW
    if score.coverage_ratio < score.interval_width - TOLERANCE_RATIO:
        return "too narrow"
    is_wide = score.coverage_ratio > score.interval_width + TOLERANCE_RATIO
    return "too wide" if is_wide else "as stated"


def accuracy_view(context: PageContext, day: date, days: int) -> View:
    """Return scores of forecasts made in the last ``days`` days before ``day``, as known on it.

    ``horizons`` has by days ahead and basis stated probabilities in tenths with the observed
    frequency of each, ``limits`` the rules of which something was due, likely or came.
    """
    engine, first = context.engine, day - timedelta(days=days)
    scored = scores.scores_as_of(engine, first, day)
    bins: dict[int, dict[str, list[ReliabilityBin]]] = {}
    for bin_ in scores.reliability(engine, first, day):
        of_basis = bins.setdefault(bin_.horizon_days, {})
        of_basis.setdefault(BASIS_WORDS[bin_.basis], []).append(bin_)
    later = evaluated_later(engine, first, day)
    ledger = read_ledger(context.settings, engine, first, day)
    records = read_limit_records(engine, ledger, first, day)
    return View(
        days=days,
        metrics=scores.class_scores_by_basis(engine, scored, later),
        horizons=[
            (days_ahead, [*of_basis.items()]) for days_ahead, of_basis in sorted(bins.items())
        ],
        ledger=ledger,
        ledger_lines=count_lines(ledger),
        limits=[record for record in records if not record.is_quiet],
        correction_lines=correction_lines(context.settings, engine, day),
        verdict=verdict,
        lead_days=LEAD_DAYS,
        least_cases=LEAST_CASES,
    )


OPTIONS: Final = (
    (ReportKind.daily, "Daily", "For operations in the morning."),
    (ReportKind.weekly, "Weekly", "What changed in a week, with charts."),
    (ReportKind.monthly, "Monthly plan", "For the change advisory board."),
)
"""Kind, title and what it is for."""


def reports_view(context: PageContext, day: date, days: int) -> View:
    """Return what can be taken along of a day, and the accuracy of the last ``days`` days.

    Tickets are open ones first, the most severe of them first.
    """
    stored = read_deliveries(context.engine, day)
    of_day = read_tickets(context.engine, as_of=day)
    tickets = listed_tickets(context.engine, context.settings, of_day, day)
    return View(
        options=OPTIONS,
        formats=tuple(ReportFormat),
        deliveries=[(delivery, mail_preview(delivery.content)) for delivery in stored],
        tickets=tickets,
        open_tickets=sum(ticket.is_open for ticket in tickets),
        accuracy=accuracy_view(context, day, days),
    )
