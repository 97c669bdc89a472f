"""Runs of several days over stored tickets and an outbox, in memory."""

from collections.abc import Iterable
from datetime import UTC, date, datetime

from mqcap.domain.delivery import Channel
from mqcap.domain.finding import Finding
from mqcap.domain.plan import Plan
from mqcap.domain.problem import ProblemDay
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.notifications.digest import Digest
from mqcap.notifications.outbox import DrainResult, drain, enqueue
from mqcap.notifications.ticket_delivery import TicketHandler, TicketRepository, plan_tickets
from mqcap.notifications.tickets.registry import backend
from mqcap.settings import AlertSettings
from tests.factories import DAY
from tests.mqcap.notifications.builders import NO_SITE, digest_of, problem_days_of, results
from tests.mqcap.notifications.memory_outbox import MemoryOutbox

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


class TicketRuns:
    """Stored tickets, an outbox, and the runs of several days over them."""

    def __init__(self) -> None:
        self.tickets: dict[str, Ticket] = {}
        self._outbox = MemoryOutbox()
        self.rows = self._outbox.rows
        self.problems: list[ProblemDay] = []
        self.tracker = backend("embedded")

    def day(
        self, findings: list[Finding], day: date = DAY, plans: Iterable[Plan] = ()
    ) -> DrainResult:
        today = results(findings, day=day, plans=plans)
        self.problems = problem_days_of(today, self.problems, NO_SITE, judged_before=0)
        return self.run(digest_of(today, self.problems))

    def run(self, today: Digest) -> DrainResult:
        repository = TicketRepository(load=self.tickets.get, save=self._save)
        open_tickets = [
            ticket for ticket in self.tickets.values() if ticket.state is TicketState.open
        ]
        outbox = self._outbox.repository
        for planned in plan_tickets(today, AlertSettings(), repository, open_tickets):
            enqueue(planned, outbox)
        handler = TicketHandler(self.tracker, repository)
        return drain(outbox, {Channel.ticket: handler}, lambda: NOON)

    def _save(self, item: Ticket) -> None:
        self.tickets[item.dedupe_key] = item
