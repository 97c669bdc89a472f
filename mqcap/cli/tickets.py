"""``mqcap tickets``: tickets, their history, and acknowledgements."""

from collections.abc import Iterator
from datetime import date
from typing import Annotated, Final

import typer

from mqcap.cli.common import print_lines, print_status
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import configured_store
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.problem import Acknowledgement
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.notifications.acknowledgements import HOW_TO_ACKNOWLEDGE, check_until, parse_response
from mqcap.notifications.resource_problems import problems_of_rule, problems_of_ticket
from mqcap.notifications.ticket_list import ListedTicket, list_line, listed_tickets
from mqcap.queries.resources import resource_name
from mqcap.store.database import Store
from mqcap.store.findings import latest_site_date
from mqcap.store.outbox import ticket_deliveries
from mqcap.store.problems import acknowledgements_of, read_problem_history, save_acknowledgements
from mqcap.store.tickets import read_tickets, require_tickets

app = typer.Typer(no_args_is_help=True, help="List tickets and acknowledge them.")

_COLUMNS: Final = [name for name, field in ListedTicket.model_fields.items() if not field.exclude]

Reference = Annotated[str, typer.Argument(help="The reference or the key of a ticket.")]


@app.command("list")
def list_tickets(
    state: Annotated[TicketState | None, typer.Option(help="Only open or closed ones.")] = None,
    form: FormatOption = ListForm.table,
) -> None:
    """List all tickets: state, figure, change, owner, due day, age and key, open ones first."""
    settings, engine = configured_store()
    listed = listed_tickets(
        engine, settings, read_tickets(engine, state=state), latest_site_date(engine)
    )
    if form.is_for_programs:
        print_objects(form, listed, _COLUMNS)
    elif listed:
        print_lines("\n".join(map(list_line, listed)))
    else:
        print_status("There is no ticket." if state is None else f"No ticket is {state}.")


@app.command("history")
def show_history(reference: Reference) -> None:
    """Show a ticket day by day: states of its problems, updates, acknowledgements."""
    _, engine = configured_store()
    for ticket in require_tickets(engine, reference):
        dated = list(_state_changes(engine, ticket))
        sent = ticket_deliveries(engine, ticket.dedupe_key, date.max)
        dated += [(each.site_date, f"update ({each.stage}): {each.subject_line}") for each in sent]
        dated += _acknowledgements(engine, ticket)
        for day, line in sorted(dated, key=lambda item: item[0]):
            print_lines(f"{day}  {line}")


@app.command("acknowledge")
def acknowledge(
    reference: Reference,
    words: Annotated[str, typer.Argument(metavar="RESPONSE", help=HOW_TO_ACKNOWLEDGE)],
    who: Annotated[str, typer.Option(help="Name of the person who responds.")] = "",
    rule: Annotated[
        str, typer.Option(help="Only the problem of this rule, such as CFS-FULL.")
    ] = "",
) -> None:
    """Acknowledge the problems of a ticket of the embedded tracker from the newest day on.

    These are the problems of its one resource; the command prints them.
    """
    settings, engine = configured_store()
    response = parse_response(words, who)
    if response is None:
        raise ConfigurationError(
            "unrecognised response to a ticket", found=words, remedy=HOW_TO_ACKNOWLEDGE
        )
    tickets = require_tickets(engine, reference)
    day = latest_site_date(engine) or tickets[0].last_seen_date
    check_until(response, day, settings.alerts.accept_days)
    keys = problems_of_rule(
        tuple(sorted({key for ticket in tickets for key in problems_of_ticket(engine, ticket)})),
        rule,
    )
    save_acknowledgements(
        engine, [Acknowledgement(key=key, noted_date=day, **response.model_dump()) for key in keys]
    )
    resources = sorted({resource_name(ticket.problem_keys[0]) for ticket in tickets})
    print_lines(f"Acknowledged from {day} on, of {', '.join(resources)}:")
    for key in keys:
        print_lines(f"  {key}")


def _state_changes(engine: Store, ticket: Ticket) -> Iterator[tuple[date, str]]:
    """Yield day and line of each change of severity, state or acknowledgement of a problem."""
    for key in ticket.problem_keys:
        previous = None
        for problem in read_problem_history(engine, key):
            acknowledged = problem.acknowledgement
            current = (problem.state, problem.severity, acknowledged)
            if current != previous:
                note = f": {acknowledged.note} {acknowledged.who}".rstrip() if acknowledged else ""
                yield problem.site_date, f"{problem.severity} {problem.state}  {key}{note}"
            previous = current


def _acknowledgements(engine: Store, ticket: Ticket) -> Iterator[tuple[date, str]]:
    """Yield the day and one line for each acknowledgement of its problems, from that day on."""
    keys = {
        *ticket.problem_keys,
        *(problems_of_ticket(engine, ticket) if ticket.state is TicketState.open else ()),
    }
    last = date.max if ticket.state is TicketState.open else ticket.last_seen_date
    for response in acknowledgements_of(engine, keys, last):
        if response.noted_date >= ticket.first_seen_date:
            words = " by ".join(filter(None, (response.note or response.kind.value, response.who)))
            yield response.noted_date, f"acknowledgement  {response.key}: {words}"
