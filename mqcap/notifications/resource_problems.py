"""The problems that an acknowledgement of a ticket or of a resource counts for.

They are problems of one resource, never of another, and every channel lists them: the page before
they are acknowledged, the command line when they are.
"""

from __future__ import annotations

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.ticket import Ticket
from mqcap.notifications.earlier_tickets import own_problems
from mqcap.notifications.resources import resource_path
from mqcap.store.database import Store
from mqcap.store.findings import latest_site_date
from mqcap.store.problems import read_problems


def open_problems_of_resource(engine: Store, path: str) -> tuple[str, ...]:
    """Return the keys of the open problems of a resource on the newest day, sorted."""
    problems = read_problems(engine, latest_site_date(engine))
    return tuple(
        problem.key
        for problem in problems
        if problem.state.is_open and resource_path(problem.key) == path
    )


def problems_of_ticket(engine: Store, ticket: Ticket) -> tuple[str, ...]:
    """Return the keys of a ticket's problems and of the other open ones of its resource, sorted."""
    more = open_problems_of_resource(engine, resource_path(ticket.dedupe_key))
    return tuple(sorted({*own_problems(ticket), *more}))


def problems_of_rule(keys: tuple[str, ...], rule_id: str) -> tuple[str, ...]:
    """Return those of the problems that are about one rule; all of them for an empty id.

    Raises:
        ConfigurationError: none of them is.
    """
    chosen = tuple(key for key in keys if not rule_id or key.partition("/")[0] == rule_id)
    if not chosen:
        raise ConfigurationError(
            "the ticket has no problem of this rule",
            found=rule_id,
            expected=", ".join(sorted({key.partition("/")[0] for key in keys})),
        )
    return chosen
