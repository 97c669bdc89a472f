"""Emails of a day: the emails and pages to send, with lines of rows and ticket references."""

import hashlib
from collections.abc import Collection
from datetime import date
from email.message import EmailMessage
from typing import Final

from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.problem import Problem, ProblemState
from mqcap.domain.ticket import TicketState
from mqcap.notifications.digest import Digest, by_resource
from mqcap.notifications.email_message import (
    MailTopic,
    MessageContext,
    chart_rows,
    envelope,
    group_subject,
    listed,
    render,
)
from mqcap.notifications.outbox import plan_mail, recipients_of
from mqcap.notifications.problem_group import ProblemGroup
from mqcap.notifications.sparklines import sparklines
from mqcap.notifications.ticket_text import page_link
from mqcap.presentation.dates import in_one_form
from mqcap.presentation.summary_text import detail_lines
from mqcap.queries.date_changes import MovedSinceAlert
from mqcap.settings import AlertSettings, Settings
from mqcap.store.database import Store
from mqcap.store.findings import read_findings
from mqcap.store.outbox import (
    last_notified_date,
    save_delivery,
    undelivered_dates,
    waiting_deliveries,
)
from mqcap.store.problems import read_problems
from mqcap.store.tickets import read_tickets


class DailyEmails:
    """The emails of one digest, each to its own recipients."""

    def __init__(self, settings: Settings, engine: Store, digest: Digest, *, replay: bool) -> None:
        self._settings = settings
        self._alerts = settings.alerts
        self._engine = engine
        self._digest = digest
        self._replay = replay

    def all(self) -> list[Delivery]:
        """Return pages, the email about capacity and the one about data, as far as they are due."""
        return [*self._pages(), *self._capacity(), *self._data()]

    def _capacity(self) -> list[Delivery]:
        if not self._has_reason():
            return []
        context = self._context(self._alerts.mail_to, Channel.mail)
        dates = context.undelivered_dates
        self._digest = with_undelivered_alerts(self._engine, self._digest, dates)
        rows = chart_rows(self._digest, self._alerts.mail_budget)
        message = render(
            self._digest,
            context,
            charts=sparklines(self._engine, self._digest.site_date, rows),
            references=self._references(),
            moves=self._moves(),
        )
        return [plan_mail(self._digest, message, replay=self._replay)]

    def _has_reason(self) -> bool:
        """Return True for a change, the first day, the weekly email, and after replayed days."""
        digest, includes_data = self._digest, not self._alerts.data_mail_to
        if (
            digest.has_changes
            or (includes_data and digest.data_changed)
            or digest.previous_date is None
            or f"{digest.site_date:%A}".lower() == self._alerts.weekly_digest
        ):
            return True
        if self._replay:
            return False
        last = last_notified_date(self._engine, Channel.mail, digest.site_date)
        dates = [problem.status.notified_date for problem in digest.problems]
        dates += [group.changed_on for group in digest.groups if not group.is_acknowledged]
        return any(day is not None and (last is None or day > last) for day in dates)

    def _data(self) -> list[Delivery]:
        if not self._alerts.data_mail_to or not self._digest.data_changed:
            return []
        changes = {"groups": (), "resolved": (), "unknown": (), "unseen": ()}
        only_data = self._digest.model_copy(update=changes)
        context = self._context(self._alerts.data_mail_to, Channel.data)
        message = render(only_data, context, about=MailTopic.data)
        return [plan_mail(only_data, message, replay=self._replay, channel=Channel.data)]

    def _pages(self) -> list[Delivery]:
        if not self._alerts.page_to:
            return []
        return [
            plan_mail(
                self._digest,
                page_message(group, self._alerts),
                replay=self._replay,
                channel=Channel.page,
                alerts_sha256=group.resource,
            )
            for group in paging_groups(self._digest)
        ]

    def _context(self, to: tuple[str, ...], channel: Channel) -> MessageContext:
        day = self._digest.site_date
        late = (
            () if self._replay else undelivered_dates(self._engine, channel, recipients_of(to), day)
        )
        return MessageContext(
            site_name=self._settings.site.name,
            mail_from=self._alerts.mail_from,
            mail_to=to,
            page_url=self._alerts.page_url,
            alerts=self._alerts,
            undelivered_dates=late,
        )

    def _moves(self) -> list[str]:
        """Return a line for each listed row whose date moved since it was notified, and why."""
        moved = MovedSinceAlert(self._settings, self._engine, self._digest.site_date)
        lines = []
        for group in listed(self._digest, self._alerts.mail_budget):
            row = group.row
            shown = (problem for problem in group.problems if problem.key == row.key)
            crossing = next((line.crossing for line in shown), None)
            if crossing is not None and (words := moved.words(crossing)):
                lines.append(f"{row.title}: {in_one_form(words)}")
        return lines

    def _references(self) -> dict[str, str]:
        """Return the reference of each problem's ticket on that day, by problem key."""
        day = self._digest.site_date
        tickets = read_tickets(self._engine, self._alerts.ticket_backend)
        tickets.sort(key=lambda ticket: ticket.state is TicketState.open)
        return {
            key: ticket.external_ref
            for ticket in tickets
            if ticket.first_seen_date <= day <= ticket.last_seen_date
            for key in ticket.problem_keys
        }


WIDTH: Final = 78
"""Characters of a line of a plain mail."""


def paging_groups(digest: Digest) -> tuple[ProblemGroup, ...]:
    """Return the problems that page on the day, by resource, the most urgent first."""
    problems = (problem for problem in digest.problems if problem.status.pages)
    return tuple(digest.group_of(path).only(own) for path, own in by_resource(problems).items())


def page_message(group: ProblemGroup, alerts: AlertSettings) -> EmailMessage:
    """Return one page about one resource: its row in full. No HTML, no charts."""
    day, subject = group.lead.finding.site_date, group_subject(group, 0, word="PAGE")
    identity = hashlib.sha256(f"{group.resource} {day}".encode()).hexdigest()
    local = f"{day}.page.{identity[:16]}"
    message = envelope(subject, alerts.mail_from, alerts.page_to, local)
    lines = [*detail_lines(group.row, WIDTH), page_link(alerts.page_url, group.row.links["plan"])]
    message.set_content("\n".join(lines) + "\n")
    return message


def with_undelivered_alerts(engine: Store, digest: Digest, dates: Collection[date]) -> Digest:
    """Return the digest with alerts of those days: open ones new or worse, others resolved."""
    if not dates:
        return digest
    earlier_states = {
        day: {problem.key: problem.state for problem in read_problems(engine, day)} for day in dates
    }
    today = read_problems(engine, digest.site_date)
    resolved_keys = {problem.key for problem in today if problem.resolved_date in earlier_states}
    resolved = [
        finding
        for finding in read_findings(engine, digest.site_date)
        if finding.key in resolved_keys
    ]
    groups = []
    for group in digest.groups:
        problems = tuple(_with_earlier_state(problem, earlier_states) for problem in group.problems)
        was_changed = group.changed_on in dates and not group.is_acknowledged
        update = {"problems": problems, "is_plan_changed": group.is_plan_changed or was_changed}
        groups.append(group.model_copy(update=update))
    changes = {"groups": tuple(groups), "resolved": (*digest.resolved, *resolved)}
    return digest.model_copy(update=changes)


def merge_pending_mails(engine: Store, mail: Delivery) -> None:
    """Mark pending emails of earlier days to the same recipients as merged into this one."""
    if mail.channel not in {Channel.mail, Channel.data}:
        return
    for waiting in waiting_deliveries(engine):
        has_same_readers = (waiting.channel, waiting.recipient) == (mail.channel, mail.recipient)
        is_earlier = waiting.site_date < mail.site_date
        if has_same_readers and is_earlier and waiting.stage is Stage.pending:
            cause = waiting.error or "no attempt was made to send it"
            error = f"merged into the email of {mail.site_date}; {cause}"
            merged = {"stage": Stage.merged, "error": error}
            save_delivery(engine, waiting.model_copy(update=merged))


def _with_earlier_state(
    problem: Problem, earlier_states: dict[date, dict[str, ProblemState]]
) -> Problem:
    status = problem.status
    notified = status.notified_date
    if status.state is not ProblemState.lasting or notified not in earlier_states:
        return problem
    state = earlier_states[notified].get(status.key, status.state)
    return problem.model_copy(update={"status": status.model_copy(update={"state": state})})
