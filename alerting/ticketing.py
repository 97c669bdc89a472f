"""Tickets of a digest: one open ticket per problem, whatever the tracker.

``sync`` is what the daily step calls; a tracker is anything that implements ``TicketBackend``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from alerting.digest import Digest, Problem
from alerting.wording import one_line, quantity, when
from domain.errors import CapacityError
from domain.ticket import Ticket, TicketState

CLOSE_AFTER_DAYS: Final = 7
"""Days a problem must have been away, and be judged in order, before we close it (ours)."""
MATERIAL_DAYS: Final = 14
"""Days by which a due date must move to be worth a comment (ours)."""


class TicketBackend(Protocol):
    """A tracker. Both methods may be repeated without doing anything twice."""

    name: str

    def open_or_update(self, ticket: Ticket) -> str:
        """Make sure that one ticket with this key exists and says this; returns its reference.

        Raises ServiceUnavailable when the tracker does not answer and ConfigurationError when
        it refuses.
        """

    def close(self, ticket: Ticket) -> None:
        """Make sure that the ticket with this key is not open any more. Raises as above."""


@dataclass(frozen=True)
class TicketMemory:
    """Where tickets are remembered between runs: two functions of the store."""

    load: Callable[[str], Ticket | None]
    """The ticket of a key, open or closed."""
    save: Callable[[Ticket], None]


@dataclass
class Synced:
    """What became of the tickets of one digest."""

    references: dict[str, str] = field(default_factory=dict)
    """By key: the tracker's reference of every ticket of the digest."""
    opened: int = 0
    updated: int = 0
    closed: int = 0
    failure: CapacityError | None = None
    """Why it ended early; raise it when the rest of the step is done."""


def sync(
    digest: Digest,
    page_url: str,
    backend: TicketBackend,
    memory: TicketMemory,
    open_tickets: Iterable[Ticket] = (),
) -> Synced:
    """Open, update and close tickets so that they agree with the digest.

    Stops at the first ticket that the tracker does not take and says so in ``failure``, so
    that the mail can still go out. A rerun does what is left.
    """
    result = Synced()
    try:
        for problems in digest.tickets:
            _open_or_update(ticket_of(problems, page_url), backend, memory, result)
        for ticket in tickets_to_close(digest, open_tickets):
            backend.close(ticket)
            memory.save(ticket.model_copy(update={"state": TicketState.closed}))
            result.closed += 1
    except CapacityError as error:
        result.failure = error
    return result


def ticket_of(problems: Sequence[Problem], page_url: str = "") -> Ticket:
    """The problems of one cause as a ticket of their day, with everything needed to act.

    The first one leads: the ticket has its key, and the others are told after it.
    """
    lead = problems[0]
    finding = lead.finding
    others = len(problems) - 1
    also = f" and {others} more of the same hour" if others else ""
    severities = [problem.severity for problem in problems]
    dates = [problem.expected_date for problem in problems if problem.expected_date]
    return Ticket(
        dedupe_key=lead.life.cause,
        severity=max(severities, key=lambda one: one.rank),
        title=one_line(f"{finding.subject}: {finding.title}{also}"),
        body="\n\n".join([body(lead, page_url), *(_member(one) for one in problems[1:])]),
        due_date=min(dates, default=None),
        first_seen_date=lead.life.raised_date or finding.site_date,
        last_seen_date=finding.site_date,
        members=tuple(problem.key for problem in problems),
    )


def body(problem: Problem, page_url: str = "") -> str:
    """Plain text: figures, dates, rule, arithmetic, change, caveats, link."""
    finding = problem.finding
    lines = [
        finding.summary,
        "",
        f"Resource: {finding.subject}",
        f"Observed: {quantity(finding.observed, finding.unit)} on {finding.site_date}",
        f"Limit: {quantity(finding.limit_value, finding.unit)}",
        f"When: {when(problem.crossing, over=problem.over)}",
        f"Rule: {finding.rule_id}, {finding.citation}",
    ]
    lines += _section("Arithmetic", finding.arithmetic)
    lines += _section("Advice", (finding.advice,) if finding.advice else ())
    lines += _section(
        "Recommended change",
        [
            " ".join(filter(None, (change.action, change.side_effects)))
            + (f" Type: {change.typed}" if change.typed else "")
            for change in finding.changes
        ],
    )
    lines += _section("Caveats", finding.caveats)
    closes = f"{CLOSE_AFTER_DAYS} complete days in order, one after the other, close this ticket."
    return "\n".join([*lines, "", closes, *([page_url] if page_url else [])])


def tickets_to_close(digest: Digest, open_tickets: Iterable[Ticket]) -> list[Ticket]:
    """Open tickets all of whose problems are settled.

    A problem that could not be judged today keeps its ticket: data that stopped closes none.
    Tickets of an older version, which followed no problems, close by their last day.
    """
    still = {problem.key for problem in digest.problems} | set(digest.unseen)
    return sorted(
        (
            ticket
            for ticket in open_tickets
            if not still & {ticket.dedupe_key, *ticket.members} and _is_settled(ticket, digest)
        ),
        key=lambda ticket: ticket.dedupe_key,
    )


def _is_settled(ticket: Ticket, digest: Digest) -> bool:
    if set(ticket.members or (ticket.dedupe_key,)) & set(digest.settled):
        return True
    days = (digest.site_date - ticket.last_seen_date).days
    return ticket.dedupe_key in digest.in_order and days >= CLOSE_AFTER_DAYS


def is_material(before: Ticket, now: Ticket) -> bool:
    """Whether a change is worth a comment: severity, or a due date that moved by two weeks."""
    if before.severity is not now.severity:
        return True
    if (before.due_date is None) != (now.due_date is None):
        return True
    if before.due_date is None or now.due_date is None:
        return False
    return abs((before.due_date - now.due_date).days) >= MATERIAL_DAYS


def _open_or_update(
    today: Ticket, backend: TicketBackend, memory: TicketMemory, result: Synced
) -> None:
    known = memory.load(today.dedupe_key)
    if known is not None and known.last_seen_date > today.last_seen_date:
        result.references[today.dedupe_key] = known.external_ref
        return  # a rerun of an older day has no news for a newer ticket
    is_same_episode = known is not None and (
        known.state is TicketState.open or known.last_seen_date == today.last_seen_date
    )
    if known is not None and is_same_episode:
        today = today.model_copy(
            update={
                "first_seen_date": known.first_seen_date,
                "external_ref": known.external_ref,
            }
        )
    reference = backend.open_or_update(today)
    memory.save(today.model_copy(update={"external_ref": reference}))
    result.references[today.dedupe_key] = reference
    result.opened += not is_same_episode
    result.updated += is_same_episode


def _member(problem: Problem) -> str:
    finding = problem.finding
    changes = [" ".join(filter(None, (one.action, one.typed))) for one in finding.changes]
    return "\n".join([f"Also {problem.key}: {finding.summary}", *_section("Change", changes)[1:]])


def _section(heading: str, lines: Iterable[str]) -> list[str]:
    found = [f"- {line}" for line in lines]
    return ["", f"{heading}:", *found] if found else []
