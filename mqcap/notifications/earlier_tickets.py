"""Tickets of earlier releases, which were kept by rule, and by hour across resources.

An open one is continued under its key by the resource of the problem that it is named after.
Problems of other resources leave it for tickets of their own, and further open tickets of a
resource are closed with a reference to the one that goes on (docs/decisions/033).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date

from mqcap.domain.ticket import Ticket
from mqcap.queries.resources import resource_name, resource_path

Load = Callable[[str], Ticket | None]


def own_problems(ticket: Ticket) -> tuple[str, ...]:
    """Return the keys of a ticket's problems that are about its own resource."""
    path = resource_path(ticket.dedupe_key)
    return tuple(key for key in ticket.problem_keys if resource_path(key) == path)


def under_key_in_use(ticket: Ticket, open_tickets: Iterable[Ticket], load: Load) -> Ticket:
    """Return the ticket under the key by which the tracker has it.

    It is the path of the resource unless a ticket of an earlier release goes on. A new ticket of
    problems that an open ticket of another resource had until now names that one as previous.
    """
    path, candidates = ticket.dedupe_key, sorted(open_tickets, key=_age)
    if load(path) is not None:
        return ticket
    for earlier in candidates:
        if resource_path(earlier.dedupe_key) == path:
            return ticket.model_copy(update={"dedupe_key": earlier.dedupe_key})
    for key in ticket.members:
        closed = load(key)
        if closed is not None and ticket.first_seen_date <= closed.last_seen_date:
            return ticket.model_copy(update={"dedupe_key": key})
    for earlier in candidates:
        if set(ticket.members) & set(earlier.problem_keys):
            return ticket.model_copy(update={"previous_ref": earlier.external_ref})
    return ticket


def without_other_resources(ticket: Ticket, stored: Ticket) -> Ticket:
    """Return the ticket with a comment on the problems that leave it; unchanged without such."""
    left = set(stored.problem_keys) - set(own_problems(stored))
    if not left:
        return ticket
    others = sorted({resource_name(key) for key in left})
    comment = (
        f"From now on this ticket is about {resource_name(stored.dedupe_key)} alone: there is one "
        f"ticket per resource. No longer in it: {', '.join(others)}."
    )
    texts = filter(None, (comment, ticket.update_text))
    return ticket.model_copy(
        update={"update_text": "\n\n".join(texts), "notified_date": ticket.last_seen_date}
    )


def continued_elsewhere(
    in_use: Mapping[str, Ticket], open_tickets: Iterable[Ticket]
) -> list[Ticket]:
    """Return the open tickets to close because their resource has another one, by key.

    Args:
        in_use: The ticket of each resource, by the path of the resource.
        open_tickets: All open tickets.
    """
    ended = []
    for ticket in sorted(open_tickets, key=lambda each: each.dedupe_key):
        going_on = in_use.get(resource_path(ticket.dedupe_key))
        if going_on is None or going_on.dedupe_key == ticket.dedupe_key:
            continue
        where = going_on.external_ref or going_on.title
        comment = f"Continued in {where}: there is one ticket per resource."
        ended.append(ticket.model_copy(update={"update_text": comment}))
    return ended


def _age(ticket: Ticket) -> tuple[date, str]:
    return ticket.first_seen_date, ticket.dedupe_key
