"""Tickets as a list shows them: figure, change, owner, due day, state and age."""

from collections.abc import Iterable, Mapping
from datetime import date

from pydantic import BaseModel, Field

from mqcap.domain.finding import Severity
from mqcap.domain.numbers import ABSENT, counted
from mqcap.domain.problem import Acknowledgement
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.presentation.dates import short_day
from mqcap.presentation.plan_summary import PlanSummary, SummaryKind
from mqcap.queries.resources import resource_name, resource_path
from mqcap.queries.summaries import acknowledged_resources, plan_summaries_on
from mqcap.settings import Settings
from mqcap.store.database import Store


class ListedTicket(BaseModel, frozen=True):
    """A ticket with what is known of its resource on a day, as programs read it."""

    reference: str | None
    key: str
    state: TicketState
    acknowledged: bool
    """True of an open ticket whose problems are all acknowledged."""
    severity: Severity
    """That of the plan of its resource, as every channel shows it; without one its own."""
    resource: str
    """The resource as people say it: ``PLEX1 CSQ1 active logs``."""
    title: str
    figure: str
    """The figure of its resource, ``1.9 h of 12 h``, or what happened."""
    change: str
    """What to do about its resource, as typed; empty where nothing is to be done."""
    owner: str
    due_date: date | None
    """The due day of the plan, else that of the ticket; ``None`` where nothing is to be done."""
    first_seen_date: date
    last_seen_date: date
    age_days: int
    """Days from the first to the last one it was seen on."""
    path: str = Field(exclude=True)
    """That of its resource."""
    due: str = Field(exclude=True)
    """``11 Dec 2026``, ``now``, or empty: of a closed ticket, and where nothing is due."""

    @property
    def is_open(self) -> bool:
        """Return whether its problems are open."""
        return self.state is TicketState.open

    @property
    def age(self) -> str:
        """The age in words: ``new``, ``1 day``, ``12 days``."""
        return counted(self.age_days, "day") if self.age_days else "new"


def listed_tickets(
    engine: Store, settings: Settings, tickets: Iterable[Ticket], day: date | None
) -> list[ListedTicket]:
    """Return tickets as of ``day``: open ones first, then by severity, due day and resource.

    ``None``: no day was evaluated. A closed ticket has neither figure nor change.
    """
    rows = [] if day is None else plan_summaries_on(engine, day, settings)
    by_resource: dict[str, PlanSummary] = {row.resource: row for row in rows}
    tickets = list(tickets)
    own = {resource_path(ticket.dedupe_key): ticket.problem_keys for ticket in tickets}
    acknowledged = {} if day is None else acknowledged_resources(engine, day, own)
    listed = (_listed(ticket, settings, by_resource, acknowledged) for ticket in tickets)

    def place(each: ListedTicket) -> tuple[bool, int, date, str]:
        return not each.is_open, -each.severity.rank, each.due_date or date.max, each.key

    return sorted(listed, key=place)


def list_line(listed: ListedTicket) -> str:
    """Return one line for the command line, without what is not known."""
    parts = [
        listed.reference or ABSENT,
        f"{listed.state.value}{', acknowledged' if listed.acknowledged else ''}",
        listed.severity.value.upper(),
        f"{listed.resource}: {listed.figure}" if listed.figure else listed.resource,
        listed.change,
        f"owner {listed.owner}" if listed.owner else "",
        f"due {listed.due}" if listed.due else "",
        f"age {listed.age}",
        f"key {listed.key}",
    ]
    return "  ".join(part for part in parts if part)


def _listed(
    ticket: Ticket,
    settings: Settings,
    rows: Mapping[str, PlanSummary],
    acknowledged: Mapping[str, Acknowledgement],
) -> ListedTicket:
    is_open = ticket.state is TicketState.open
    path = resource_path(ticket.dedupe_key)
    row = rows.get(path) if is_open else None
    happened = row is not None and row.kind is SummaryKind.incident
    own_due = short_day(ticket.due_date) if is_open and ticket.due_date else ""
    return ListedTicket(
        reference=ticket.external_ref,
        key=ticket.dedupe_key,
        state=ticket.state,
        acknowledged=is_open and path in acknowledged,
        severity=row.severity if row else ticket.severity,
        resource=resource_name(ticket.problem_keys[0]),
        title=ticket.title,
        figure="" if row is None else row.problem if happened else row.now_of_limit,
        change=row.change if row else "",
        owner=row.owner if row else settings.alerts.owner_of(path),
        due_date=row.due_date if row else ticket.due_date,
        first_seen_date=ticket.first_seen_date,
        last_seen_date=ticket.last_seen_date,
        age_days=(ticket.last_seen_date - ticket.first_seen_date).days,
        path=path,
        due=row.due if row else own_due,
    )
