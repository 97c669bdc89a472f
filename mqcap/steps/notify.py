"""Alert: at most one mail a run and recipient list, one ticket per cause, silence without news.

Everything goes through the outbox in the store, under a lock that ends with its process. A
replay stores what would have been said and touches nobody.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mqcap.domain.delivery import Channel, Delivery
from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.notifications.digest import DayResults, Digest, digest_of
from mqcap.notifications.emails import DailyEmails
from mqcap.notifications.outbox import (
    MAIL_CHANNELS,
    DeliveryOutcome,
    DrainResult,
    MailHandler,
    OutboxRepository,
    drain,
    enqueue,
)
from mqcap.notifications.problem_history import problems_on, results_of
from mqcap.notifications.ticket_delivery import (
    TicketBackend,
    TicketHandler,
    TicketRepository,
    new_acknowledgements,
    plan_tickets,
    replayed_tickets,
)
from mqcap.notifications.tickets.registry import backend
from mqcap.notifications.undelivered_alerts import merge_pending_mails
from mqcap.settings import Settings, SmtpServer
from mqcap.store.database import Store
from mqcap.store.findings import previous_findings_date
from mqcap.store.locks import exclusive
from mqcap.store.outbox import find_delivery, replace_replayed, save_delivery, waiting_deliveries
from mqcap.store.problems import latest_acknowledgements, save_acknowledgements
from mqcap.store.tickets import find_ticket, read_tickets, save_ticket

Counts = dict[str, str | int]


def alert(
    settings: Settings,
    engine: Store,
    day: date,
    *,
    replay: bool = False,
    smtp: SmtpServer | None = None,
) -> Counts:
    """Say what the day's findings mean, once. Returns counts and what became of the mail.

    Without a mail server the mail is written to ``alerts.mail_folder``. A tracker that does not
    answer does not hold up the mail, nor the other way round: the first error is raised
    afterwards, so that the step is tried again. What earlier runs could not hand over goes out
    too.
    """
    with exclusive(engine, "alert"):
        desk = _Desk(settings, engine, smtp)
        deaf = None if replay else _listen(desk, day)
        said = digest_of(
            results_of(settings, engine, day),
            problems_on(settings, engine, day),
            _previous(settings, engine, day),
        )
        return _store_replay(desk, said) if replay else _say(desk, said, deaf)


class _Desk(NamedTuple):
    """What is needed to tell people."""

    settings: Settings
    engine: Store
    smtp: SmtpServer | None

    @property
    def journal(self) -> OutboxRepository:
        """The outbox of the store."""
        return OutboxRepository(
            load=partial(find_delivery, self.engine),
            save=partial(save_delivery, self.engine),
            waiting=partial(waiting_deliveries, self.engine),
        )

    def memory(self, tracker: TicketBackend) -> TicketRepository:
        """The ticket table of the store."""

        def load(key: str) -> Ticket | None:
            return find_ticket(self.engine, key, tracker.name)

        def save(ticket: Ticket) -> None:
            save_ticket(self.engine, ticket, tracker.name)

        return TicketRepository(load, save)


def _previous(settings: Settings, engine: Store, day: date) -> DayResults | None:
    earlier = previous_findings_date(engine, day)
    return None if earlier is None else results_of(settings, engine, earlier)


def _store_replay(desk: _Desk, said: Digest) -> Counts:
    letters = DailyEmails(desk.settings, desk.engine, said, replay=True).all()
    tickets = replayed_tickets(said, desk.settings.alerts)
    for channel in (*MAIL_CHANNELS, Channel.ticket):
        planned = [one for one in (*letters, *tickets) if one.channel == channel]
        replace_replayed(desk.engine, said.site_date, channel, planned)
    mail = DeliveryOutcome.stored_only if letters else DeliveryOutcome.nothing_new
    return {"problems": len(said.problems), "tickets": len(tickets), "mail": str(mail)}


def _listen(desk: _Desk, day: date) -> CapacityError | None:
    """Read what people have answered in the tracker; returns why it could not be read.

    Only the newest day listens: what is said today was not known on an older day.
    """
    alerts = desk.settings.alerts
    try:
        tracker = backend(alerts.ticket_backend, alerts.ticket_options)
        still_open = read_tickets(desk.engine, tracker.name, TicketState.open)
        if any(ticket.last_seen_date > day for ticket in still_open):
            return None
        save_acknowledgements(
            desk.engine,
            new_acknowledgements(
                tracker, still_open, latest_acknowledgements(desk.engine, day), day
            ),
        )
    except (ServiceUnavailable, ConfigurationError) as error:
        return error
    return None


def _say(desk: _Desk, said: Digest, deaf: CapacityError | None) -> Counts:
    tickets = _tickets(desk, said)
    letters = DailyEmails(desk.settings, desk.engine, said, replay=False).all()
    queued = {one.delivery_id: _queue(desk, one) for one in letters}
    target = desk.smtp or Path(desk.settings.alerts.mail_folder)
    mails = drain(desk.journal, dict.fromkeys(MAIL_CHANNELS, MailHandler(target)), _now)
    failure = tickets.failure or mails.failure or deaf
    if failure is not None:
        raise failure
    outcomes = [mails.outcomes.get(name, outcome) for name, outcome in queued.items()]
    return {
        "problems": len(said.problems),
        "tickets": tickets.count(DeliveryOutcome.sent),
        "mail": str(outcomes[0] if outcomes else DeliveryOutcome.nothing_new),
        "mails_sent": mails.count(DeliveryOutcome.sent),
        "mails_unconfirmed": mails.count(DeliveryOutcome.unconfirmed),
    }


def _queue(desk: _Desk, letter: Delivery) -> DeliveryOutcome:
    outcome = enqueue(letter, desk.journal)
    if outcome is DeliveryOutcome.enqueued:
        merge_pending_mails(desk.engine, letter)
    return outcome


def _tickets(desk: _Desk, said: Digest) -> DrainResult:
    """Plan and hand over tickets; a tracker that cannot even be opened is a failure to report."""
    alerts = desk.settings.alerts
    try:
        tracker = backend(alerts.ticket_backend, alerts.ticket_options)
    except CapacityError as error:
        return DrainResult(failure=error)
    memory = desk.memory(tracker)
    still_open = read_tickets(desk.engine, tracker.name, TicketState.open)
    for planned in plan_tickets(said, alerts, memory, still_open):
        enqueue(planned, desk.journal)
    return drain(desk.journal, {Channel.ticket: TicketHandler(tracker, memory)}, _now)


def _now() -> datetime:
    return datetime.now(UTC)
