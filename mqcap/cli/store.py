"""Commands about the store: soundness, retention, evidence, the outbox, answers to tickets."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.printable import harmless
from mqcap.domain.problem import Acknowledgement
from mqcap.domain.ticket import Ticket
from mqcap.notifications.acknowledgements import HOW_TO_ACKNOWLEDGE, parse_response
from mqcap.notifications.audit_record import audit_record, audit_record_text
from mqcap.presentation.terminal import terminal
from mqcap.settings import Settings, load_settings
from mqcap.store.database import Store, open_store
from mqcap.store.findings import latest_site_date
from mqcap.store.outbox import read_deliveries, save_delivery
from mqcap.store.problems import read_problem_history, save_acknowledgements
from mqcap.store.tickets import read_tickets
from mqcap.store.upkeep import check

app = typer.Typer()
store_app = typer.Typer(no_args_is_help=True, help="Look after the store.")
outbox_app = typer.Typer(no_args_is_help=True, help="What was said, and what waits.")
tickets_app = typer.Typer(no_args_is_help=True, help="Tickets and answers to them.")
app.add_typer(store_app, name="store")
app.add_typer(outbox_app, name="outbox")
app.add_typer(tickets_app, name="tickets")
_out = terminal()

Day = Annotated[datetime, typer.Argument(formats=["%Y-%m-%d"], help="The day.")]


@store_app.command("check")
def check_store() -> None:
    """Whether schema, rows and outbox are sound; exit code 1 when something is not."""
    flaws = check(_store(load_settings()))
    for flaw in flaws:
        _say(f"{flaw.what}. {flaw.remedy}")
    if flaws:
        raise typer.Exit(1)
    _say("The store is sound.")


@store_app.command("prune")
def prune_store(
    dry_run: Annotated[bool, typer.Option(help="Only count.")] = False,
    today: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="Default: the newest day of the store."),
    ] = None,
) -> None:
    """Remove from store and lake what is older than store.retention says."""
    settings = load_settings()
    engine = _store(settings)
    newest = today.date() if today else latest_site_date(engine)
    if newest is None:
        _say("The store is empty.")
        return
    from mqcap.steps import runner  # noqa: PLC0415 - only here
    from mqcap.steps.prune import remove_old  # noqa: PLC0415 - only here

    if dry_run:
        told = remove_old(settings, engine, newest, dry_run=True)
    else:
        told = runner.prune(settings, newest)
    gone = "would go" if dry_run else "deleted"
    for name, count in told["rows"].items():
        _say(f"{name}: {count} rows {gone}")
    for name, count in told["files"].items():
        _say(f"{name}: {count} files {gone}")
    _say(f"{told['bytes']} bytes of the lake {gone}")


@app.command("evidence")
def write_evidence(
    day: Day, out: Annotated[Path | None, typer.Option(help="The file; default: printed.")] = None
) -> None:
    """One file: what ran on which files, what was found, said to whom, and answered."""
    text = audit_record_text(audit_record(_store(load_settings()), day.date()))
    if out is None:
        _say(text)
        return
    out.write_text(f"{text}\n", encoding="utf-8")
    _say(f"Evidence of {day.date()}: {out}")


@outbox_app.command("list")
def list_outbox() -> None:
    """Deliveries that nobody has yet, or perhaps nobody."""
    rows = [one for one in read_deliveries(_store(load_settings())) if not one.replay]
    for one in rows:
        if one.stage not in {Stage.sent, Stage.merged}:
            _say(
                f"{one.delivery_id[:12]}  {one.site_date}  {one.channel}  {one.stage}  "
                f"{one.subject_line}  {one.error or ''}".rstrip()
            )


@outbox_app.command("resend")
def resend(
    delivery: Annotated[str, typer.Argument(help="Its id, or the beginning of it.")],
) -> None:
    """Let the next run hand a delivery over again, under the same Message-ID."""
    engine = _store(load_settings())
    found = _one_delivery(engine, delivery)
    again = {"stage": Stage.pending, "sent_at_utc": None, "error": None}
    save_delivery(engine, found.model_copy(update=again))
    _say(f"{found.subject_line}: goes out with the next run of the alert step.")


@outbox_app.command("confirm")
def confirm(
    delivery: Annotated[str, typer.Argument(help="Its id, or the beginning of it.")],
) -> None:
    """Note that an unconfirmed delivery has arrived: it is not told again."""
    engine = _store(load_settings())
    found = _one_delivery(engine, delivery)
    if found.stage is not Stage.unconfirmed:
        raise ConfigurationError(
            f"{found.subject_line} needs no word of people",
            found=str(found.stage),
            expected=str(Stage.unconfirmed),
        )
    save_delivery(engine, found.handed_over(datetime.now(UTC)))
    _say(f"{found.subject_line}: has arrived.")


def _one_delivery(engine: Store, identity: str) -> Delivery:
    found = [one for one in read_deliveries(engine) if one.delivery_id.startswith(identity)]
    if len(found) != 1 or found[0].replay:
        raise ConfigurationError(
            f"{identity} does not name one delivery that may be sent",
            found=f"{len(found)} deliveries",
            remedy="Take an id of `mqcap outbox list`.",
        )
    return found[0]


@tickets_app.command("list")
def list_tickets() -> None:
    """All tickets, with what they are about."""
    for one in read_tickets(_store(load_settings())):
        _say(f"{one.external_ref}  {one.state}  {one.dedupe_key}  due {one.due_date}  {one.title}")


@tickets_app.command("history")
def history_of(
    reference: Annotated[str, typer.Argument(help="The ticket's reference or key.")],
) -> None:
    """A ticket day by day: states of its problems, what was said, and what people answered."""
    engine = _store(load_settings())
    found = [one for one in read_tickets(engine) if reference in {one.external_ref, one.dedupe_key}]
    for ticket in found:
        for line in _course(engine, ticket):
            _say(line)


@tickets_app.command("answer")
def answer(
    reference: Annotated[str, typer.Argument(help="The ticket's reference or key.")],
    words: Annotated[str, typer.Argument(help=HOW_TO_ACKNOWLEDGE)],
    who: Annotated[str, typer.Option(help="Who says so.")] = "",
) -> None:
    """Say something about a ticket of the embedded tracker; it counts from the newest day on."""
    engine = _store(load_settings())
    said = parse_response(words, who)
    if said is None:
        raise ConfigurationError(
            "this is no answer that is understood", found=words, remedy=HOW_TO_ACKNOWLEDGE
        )
    tickets = _named(engine, reference)
    day = latest_site_date(engine) or tickets[0].last_seen_date
    keys = sorted({key for one in tickets for key in (one.members or (one.dedupe_key,))})
    save_acknowledgements(
        engine, [Acknowledgement(key=key, noted_date=day, **said.model_dump()) for key in keys]
    )
    _say(f"Noted for {', '.join(keys)} from {day} on.")


def _named(engine: Store, reference: str) -> list[Ticket]:
    tickets = read_tickets(engine)
    found = [one for one in tickets if reference in {one.external_ref, one.dedupe_key}]
    if not found:
        raise ConfigurationError(
            f"no ticket is called {reference}", remedy="See `mqcap tickets list`."
        )
    return found


def _course(engine: Store, ticket: Ticket) -> list[str]:
    """One line per change of state of a member and per word to the tracker, by day."""
    lines = []
    for key in ticket.members or (ticket.dedupe_key,):
        before = None
        for life in read_problem_history(engine, key):
            if (life.state, life.severity, life.acknowledgement) != before:
                said = (
                    f": {life.acknowledgement.note} {life.acknowledgement.who}".rstrip()
                    if life.acknowledgement
                    else ""
                )
                lines.append(f"{life.site_date}  {life.severity} {life.state}  {key}{said}")
            before = (life.state, life.severity, life.acknowledgement)
    lines += [
        f"{one.site_date}  said to the tracker ({one.stage}): {one.subject_line}"
        for one in read_deliveries(engine)
        if one.channel is Channel.ticket and one.recipient == ticket.dedupe_key
    ]
    return sorted(lines)


def _store(settings: Settings) -> Store:
    return open_store(settings.store.url.get_secret_value())


def _say(text: str) -> None:
    _out.print(harmless(text), markup=False, soft_wrap=True)
