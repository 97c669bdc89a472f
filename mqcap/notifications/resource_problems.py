"""The problems that an acknowledgement of a ticket or of a resource counts for."""

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import split_series_id
from mqcap.domain.ticket import Ticket
from mqcap.queries.resources import resource_path
from mqcap.store.database import Store
from mqcap.store.findings import latest_site_date
from mqcap.store.problems import open_problem_keys


def open_problems_of_resource(engine: Store, path: str) -> tuple[str, ...]:
    """Return the keys of the open problems of a resource on the newest day, sorted."""
    keys = open_problem_keys(engine, latest_site_date(engine))
    return tuple(key for key in keys if resource_path(key) == path)


def problems_of_ticket(engine: Store, ticket: Ticket) -> tuple[str, ...]:
    """Return the keys of a ticket's problems and of the other open ones of its resource, sorted."""
    others = open_problems_of_resource(engine, resource_path(ticket.dedupe_key))
    return tuple(sorted({*ticket.problem_keys, *others}))


def problems_of_rule(keys: tuple[str, ...], rule_id: str) -> tuple[str, ...]:
    """Return those about one rule, all for an empty id; ConfigurationError when none of them is."""
    chosen = tuple(key for key in keys if not rule_id or split_series_id(key)[0] == rule_id)
    if not chosen:
        raise ConfigurationError(
            "the ticket has no problem of this rule",
            found=rule_id,
            expected=", ".join(sorted({split_series_id(key)[0] for key in keys})),
        )
    return chosen
