"""Step ``alert``: at most one email per run and recipient list, and one ticket per resource.

Everything goes through the outbox in the store, under a lock that ends with its process.
"""

from datetime import UTC, date, datetime
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from mqcap.domain.delivery import Channel
from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.location import open_lake
from mqcap.notifications.digest import Digest, digest_of
from mqcap.notifications.emails import DailyEmails, merge_pending_mails
from mqcap.notifications.outbox import (
    MAIL_CHANNELS,
    DeliveryOutcome,
    DrainResult,
    MailHandler,
    OutboxRepository,
    drain,
    enqueue,
)
from mqcap.notifications.problem_history import grading_of, problems_on, results_of
from mqcap.notifications.smtp import MailServer
from mqcap.notifications.ticket_delivery import (
    TicketBackend,
    TicketHandler,
    TicketRepository,
    new_acknowledgements,
    plan_tickets,
    replayed_tickets,
)
from mqcap.notifications.tickets.registry import backend
from mqcap.presentation import display_units
from mqcap.presentation.labels import use_metric_labels
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
    smtp: SmtpServer | MailServer | None = None,
) -> Counts:
    """Deliver the notifications of a day once; return counts and the outcome of the mail.

    Without a mail server the email is written to ``alerts.mail_folder``. Mail and tracker do not
    hold up each other: the first error is raised afterwards, ServiceUnavailable when a retry may
    help, else ConfigurationError. Pending deliveries of earlier runs are handed over too.
    """
    use_metric_labels(metric_catalogue(open_lake(settings.lake)))
    display_units.use_zones_of(settings)
    with exclusive(engine, "alert"):
        run = _AlertRun(settings, engine, smtp)
        read_failure = None if replay else _read_responses(run, day)
        results = cache(partial(results_of, settings, engine))
        problems = problems_on(settings, engine, day, results)
        earlier = previous_findings_date(engine, day)
        digest = digest_of(
            results(day),
            problems,
            None if earlier is None else results(earlier),
            grading_of(settings),
        )
        return _store_replay(run, digest) if replay else _deliver(run, digest, read_failure)


class _AlertRun(NamedTuple):
    settings: Settings
    engine: Store
    smtp: SmtpServer | MailServer | None

    @property
    def outbox(self) -> OutboxRepository:
        """The stored deliveries."""
        return OutboxRepository(
            load=partial(find_delivery, self.engine),
            save=partial(save_delivery, self.engine),
            waiting=partial(waiting_deliveries, self.engine),
        )

    def open_tracker(self) -> tuple[TicketBackend, TicketRepository, list[Ticket]]:
        """Return tracker, stored tickets and open ones; ConfigurationError for a bad setting."""
        alerts = self.settings.alerts
        tracker = backend(alerts.ticket_backend, alerts.ticket_options)
        tickets = TicketRepository(
            load=partial(find_ticket, self.engine, backend=tracker.name),
            save=partial(save_ticket, self.engine, backend=tracker.name),
        )
        return tracker, tickets, read_tickets(self.engine, tracker.name, TicketState.open)


def _store_replay(run: _AlertRun, digest: Digest) -> Counts:
    mails = DailyEmails(run.settings, run.engine, digest, replay=True).all()
    tickets = replayed_tickets(digest, run.settings.alerts)
    for channel in (*MAIL_CHANNELS, Channel.ticket):
        planned = [delivery for delivery in (*mails, *tickets) if delivery.channel == channel]
        replace_replayed(run.engine, digest.site_date, channel, planned)
    mail = DeliveryOutcome.stored_only if mails else DeliveryOutcome.nothing_new
    return {"problems": len(digest.problems), "tickets": len(tickets), "mail": str(mail)}


def _read_responses(run: _AlertRun, day: date) -> CapacityError | None:
    try:
        tracker, _, open_tickets = run.open_tracker()
        if any(ticket.last_seen_date > day for ticket in open_tickets):
            return None
        stored = latest_acknowledgements(run.engine, day)
        new = new_acknowledgements(
            tracker, open_tickets, stored, day, run.settings.alerts.accept_days
        )
        save_acknowledgements(run.engine, new)
    except (ServiceUnavailable, ConfigurationError) as error:
        return error
    return None


def _deliver(run: _AlertRun, digest: Digest, read_failure: CapacityError | None) -> Counts:
    tickets = _deliver_tickets(run, digest)
    mails = DailyEmails(run.settings, run.engine, digest, replay=False).all()
    enqueued = {mail.delivery_id: enqueue(mail, run.outbox) for mail in mails}
    for mail in mails:
        if enqueued[mail.delivery_id] is DeliveryOutcome.enqueued:
            merge_pending_mails(run.engine, mail)
    target = run.smtp or Path(run.settings.alerts.mail_folder)
    drained = drain(run.outbox, dict.fromkeys(MAIL_CHANNELS, MailHandler(target)), _now)
    failure = tickets.failure or drained.failure or read_failure
    if failure is not None:
        raise failure
    outcomes = [drained.outcomes.get(key, outcome) for key, outcome in enqueued.items()]
    return {
        "problems": len(digest.problems),
        "tickets": tickets.count(DeliveryOutcome.sent),
        "mail": str(outcomes[0] if outcomes else DeliveryOutcome.nothing_new),
        "mails_sent": drained.count(DeliveryOutcome.sent, DeliveryOutcome.partly_sent),
        "mails_unconfirmed": drained.count(DeliveryOutcome.unconfirmed),
        **({"refused": "; ".join(drained.refusals)} if drained.refusals else {}),
    }


def _deliver_tickets(run: _AlertRun, digest: Digest) -> DrainResult:
    """Plan tickets and hand them over; a tracker that cannot be opened is a failure to report."""
    try:
        tracker, tickets, open_tickets = run.open_tracker()
    except CapacityError as error:
        return DrainResult(failure=error)
    for planned in plan_tickets(digest, run.settings.alerts, tickets, open_tickets):
        enqueue(planned, run.outbox)
    return drain(run.outbox, {Channel.ticket: TicketHandler(tracker, tickets)}, _now)


def _now() -> datetime:
    return datetime.now(UTC)
