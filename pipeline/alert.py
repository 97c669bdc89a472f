"""Alert: one mail a run and recipient list, one ticket per problem; a replay only stores them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from alerting.charts import chart_data, draw
from alerting.delivery import (
    TICKET_CHANNEL,
    Journal,
    Outcome,
    Target,
    deliver,
    plan,
    planned_tickets,
)
from alerting.digest import Digest, Problem, Results, digest_of
from alerting.mail import Letterhead, chart_problems, render
from alerting.ticketing import Synced, TicketMemory, sync
from alerting.tickets.registry import backend
from domain.ticket import Ticket, TicketState
from pipeline.problems import problems_on, results_of
from settings import AlertSettings, Settings, SmtpServer
from store import reads, writes
from store.database import Store

CHART_DAYS: Final = 200
"""Days of history read for a chart (ours); it draws the last 180."""

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

    Without a mail server the mail is written to ``alerts.mail_folder``. A replay stores mail and
    tickets as deliveries and touches nobody. A tracker that does not answer does not hold up the
    mail: its error is raised afterwards, so that the step is tried again.
    """
    lives = problems_on(settings, engine, day)
    said = digest_of(results_of(engine, day), lives, _previous(engine, day))
    synced = Synced() if replay else _sync(settings, engine, said)
    if replay:
        tickets = planned_tickets(said, settings.alerts.page_url)
        writes.replace_replayed(engine, day, TICKET_CHANNEL, tickets)
    message = render(
        said,
        _letterhead(settings),
        charts=_charts(engine, said),
        references=synced.references,
    )
    journal = Journal(
        load=partial(reads.delivery, engine), save=partial(writes.save_delivery, engine)
    )
    target: Target = smtp or Path(settings.alerts.mail_folder)
    outcome = deliver(
        plan(said, message, replay=replay), message, target, journal, datetime.now(UTC)
    )
    if synced.failure is not None:
        raise synced.failure
    return _counts(said, synced, outcome)


def _previous(engine: Store, day: date) -> Results | None:
    earlier = reads.previous_findings_date(engine, day)
    return None if earlier is None else results_of(engine, earlier)


def _sync(settings: Settings, engine: Store, said: Digest) -> Synced:
    alerts: AlertSettings = settings.alerts
    tracker = backend(alerts.ticket_backend, alerts.ticket_options)

    def load(key: str) -> Ticket | None:
        return reads.ticket(engine, key, tracker.name)

    def save(ticket: Ticket) -> None:
        writes.save_ticket(engine, ticket, tracker.name)

    still_open = reads.tickets(engine, tracker.name, TicketState.open)
    return sync(said, alerts.page_url, tracker, TicketMemory(load, save), still_open)


def _letterhead(settings: Settings) -> Letterhead:
    return Letterhead(
        site_name=settings.site.name,
        mail_from=settings.alerts.mail_from,
        mail_to=settings.alerts.mail_to,
        page_url=settings.alerts.page_url,
    )


def _charts(engine: Store, said: Digest) -> dict[str, bytes]:
    drawn = {problem.key: _chart(engine, problem) for problem in chart_problems(said)}
    return {key: png for key, png in drawn.items() if png is not None}


def _chart(engine: Store, problem: Problem) -> bytes | None:
    crossing = problem.crossing
    if crossing is None:
        return None
    last = crossing.cutoff_date
    days = reads.observations(engine, crossing.series_id, last - timedelta(days=CHART_DAYS), last)
    history = [(day.site_date, float(getattr(day, crossing.statistic))) for day in days]
    forecast = reads.forecast(engine, crossing.series_id, crossing.statistic, last)
    data = chart_data(problem, history, forecast)
    return None if data is None else draw(data)


def _counts(said: Digest, synced: Synced, outcome: Outcome) -> Counts:
    return {
        "problems": len(said.problems),
        "tickets_opened": synced.opened,
        "tickets_updated": synced.updated,
        "tickets_closed": synced.closed,
        "mail": str(outcome),
    }
