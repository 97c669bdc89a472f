"""What operators look after: store, tickets, outbox, metrics of the platform, audit records."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from mqcap.cli.common import print_lines, print_status, print_text
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import configured_store
from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import figure, quantity
from mqcap.domain.problem import Acknowledgement
from mqcap.domain.ticket import Ticket, TicketState
from mqcap.files import write_text
from mqcap.notifications import audit_record as audit
from mqcap.notifications.acknowledgements import HOW_TO_ACKNOWLEDGE, check_until, parse_response
from mqcap.notifications.resource_problems import problems_of_rule, problems_of_ticket
from mqcap.notifications.ticket_list import ListedTicket, list_line, listed_tickets
from mqcap.progress.shown import work
from mqcap.queries.resources import resource_name
from mqcap.reports.platform_metrics import exposition
from mqcap.steps import runner
from mqcap.steps.prune import remove_old
from mqcap.store import upkeep
from mqcap.store.database import Store
from mqcap.store.findings import latest_site_date, read_finding_summaries
from mqcap.store.observations import require_observed
from mqcap.store.outbox import read_deliveries, save_delivery, ticket_deliveries
from mqcap.store.problems import acknowledgements_of, read_problem_history, save_acknowledgements
from mqcap.store.tickets import read_tickets, require_tickets

app = typer.Typer()
store = typer.Typer(no_args_is_help=True, help="Check and back up the store, delete old data.")
outbox = typer.Typer(no_args_is_help=True, help="Inspect the notification outbox.")


@store.command()
def check() -> None:
    """Check schema, rows and outbox of the store; exit with 1 if one is inconsistent."""
    _, engine = configured_store()
    flaws = upkeep.check(engine)
    for flaw in flaws:
        print_lines(f"{flaw.what}. {flaw.remedy}")
    if flaws:
        raise typer.Exit(1)
    print_lines("The store is consistent.")


@store.command()
def backup(
    file: Annotated[Path, typer.Argument(help="New file; one that is there is not replaced.")],
) -> None:
    """Copy a SQLite store into a file, also while a run writes."""
    _, engine = configured_store()
    upkeep.back_up(engine, file)
    print_lines(f"{file}: {quantity(file.stat().st_size / 1024**2, 'MiB')}")


@store.command()
def prune(
    dry_run: Annotated[bool, typer.Option(help="Count only, delete nothing.")] = False,
    today: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d"],
            help="Day from which ages count; default: the newest day in the store.",
        ),
    ] = None,
) -> None:
    """Delete from store and lake what is older than store.retention."""
    settings, engine = configured_store()
    newest = today.date() if today else latest_site_date(engine)
    if newest is None:
        print_lines("The store is empty.")
        return

    verb = "would be deleted" if dry_run else "deleted"
    if dry_run:
        with work("count what is old"):
            counts = remove_old(settings, engine, newest, dry_run=True)
    else:
        counts = runner.prune(settings, newest)
    for table, count in counts["rows"].items():
        print_lines(f"{table}: {figure(count)} rows {verb}")
    for dataset, count in counts["files"].items():
        print_lines(f"{dataset}: {figure(count)} files {verb}")
    print_lines(f"{figure(counts['bytes'])} bytes of the lake {verb}")


CHANNEL_WORDS: Final = {
    Channel.mail: "email",
    Channel.data: "email about missing records",
    Channel.page: "email to the people on call",
    Channel.ticket: "ticket",
}

SHOWN: Final = (
    "delivery_id",
    "site_date",
    "channel",
    "recipient",
    "subject_line",
    "stage",
    "attempts",
    "error",
    "refused",
)
"""Keys of a delivery in the list for programs."""

DeliveryId = Annotated[
    str, typer.Argument(metavar="DELIVERY", help="The delivery id or a unique prefix of it.")
]


@outbox.command("list")
def list_deliveries(form: FormatOption = ListForm.table) -> None:
    """List notifications that are pending, unconfirmed, or refused by addresses of the newest."""
    _, engine = configured_store()
    stored = [delivery for delivery in read_deliveries(engine) if not delivery.replay]
    newest = {delivery.channel: delivery.site_date for delivery in stored}
    waiting = [
        delivery
        for delivery in stored
        if delivery.stage not in {Stage.sent, Stage.merged}
        or (delivery.refused and delivery.site_date == newest[delivery.channel])
    ]
    if form.is_for_programs:
        objects = (delivery.model_dump(mode="json", include=set(SHOWN)) for delivery in waiting)
        print_objects(form, objects, SHOWN)
    elif waiting:
        lines = (
            f"{mail.delivery_id[:12]}  {mail.site_date}  {CHANNEL_WORDS[mail.channel]}  "
            f"{mail.stage}  {mail.subject_line}  {mail.error or ''}"
            for mail in waiting
        )
        print_lines("\n".join(map(str.rstrip, lines)))
    else:
        print_status("No notification is pending, unconfirmed or refused.")


@outbox.command()
def resend(identity: DeliveryId) -> None:
    """Send a delivery again with the next run, under the same Message-ID.

    One that was sent and refused for some addresses goes to these alone.
    """
    _, engine = configured_store()
    delivery = _delivery(engine, identity)
    again: dict[str, Any] = {"stage": Stage.pending, "error": None}
    if not delivery.refused:
        again["sent_at_utc"] = None
    save_delivery(engine, delivery.model_copy(update=again))
    print_lines(f"{delivery.subject_line}: to be sent by the next run of the step alert.")


@outbox.command()
def confirm(identity: DeliveryId) -> None:
    """Confirm that an unconfirmed delivery has arrived, so that it is not sent again."""
    _, engine = configured_store()
    delivery = _delivery(engine, identity)
    if delivery.stage is not Stage.unconfirmed:
        raise ConfigurationError(
            f"{delivery.subject_line}: this delivery is not waiting for confirmation",
            found=str(delivery.stage),
            expected=str(Stage.unconfirmed),
            remedy="See `mqcap outbox list` for unconfirmed deliveries.",
        )
    save_delivery(engine, delivery.handed_over(datetime.now(UTC)))
    print_lines(f"{delivery.subject_line}: confirmed.")


def _delivery(engine: Store, identity: str) -> Delivery:
    """Return the delivery whose id begins so; ConfigurationError unless it is exactly one."""
    matches = [
        delivery
        for delivery in read_deliveries(engine)
        if delivery.delivery_id.startswith(identity)
    ]
    if len(matches) != 1 or matches[0].replay:
        replayed = " of a replay" if len(matches) == 1 else ""
        raise ConfigurationError(
            f"{identity} does not identify one delivery that may be sent",
            found=f"{len(matches)} deliveries{replayed}",
            expected="the id, or a unique prefix, of one delivery",
            remedy="Take an id from `mqcap outbox list`.",
        )
    return matches[0]


@app.command()
def metrics(
    out: Annotated[
        Path | None,
        typer.Option(help="File that is replaced, in the folder of node_exporter's collector."),
    ] = None,
) -> None:
    """Print metrics of the platform for Prometheus."""
    _, engine = configured_store(may_be_new=True)
    with work("count runs and findings"):
        text = exposition(engine)
    if out is None:
        print_text(text.rstrip("\n"))
        return
    try:
        write_text(out, text)
    except OSError as error:
        raise ConfigurationError(
            "the metrics cannot be written",
            found=f"{out}: {error.strerror}",
            remedy="Name a file in a folder that this user may write to.",
        ) from error


@app.command("audit-record")
def audit_record(
    day: Annotated[datetime, typer.Argument(formats=["%Y-%m-%d"], help="The day.")],
    out: Annotated[Path | None, typer.Option(help="The file; default: standard output.")] = None,
) -> None:
    """Write the audit record of a day as JSON."""
    _, engine = configured_store()
    if not read_finding_summaries(engine, day.date()):
        require_observed(engine, day.date())
    with work("collect the audit record"):
        text = audit.audit_record_text(audit.audit_record(engine, day.date()))
    if out is None:
        print_text(text)
        return
    out.write_text(f"{text}\n", encoding="utf-8")
    print_text(f"Audit record of {day.date()}: {out}")


tickets = typer.Typer(no_args_is_help=True, help="List tickets and acknowledge them.")

_COLUMNS: Final = [name for name, field in ListedTicket.model_fields.items() if not field.exclude]

Reference = Annotated[str, typer.Argument(help="The reference or the key of a ticket.")]


@tickets.command("list")
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


@tickets.command("history")
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


@tickets.command("acknowledge")
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
