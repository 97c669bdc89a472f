"""``mqcap outbox``: deliveries of emails and ticket updates."""

from datetime import UTC, datetime
from typing import Annotated, Any, Final

import typer

from mqcap.cli.common import print_lines, print_status
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import configured_store
from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.errors import ConfigurationError
from mqcap.store.database import Store
from mqcap.store.outbox import read_deliveries, save_delivery

app = typer.Typer(no_args_is_help=True, help="Inspect the notification outbox.")

CHANNEL_WORDS: Final = {
    Channel.mail: "email",
    Channel.data: "email about missing records",
    Channel.page: "email to the people on call",
    Channel.ticket: "ticket",
}

SHOWN: Final = (
    "delivery_id", "site_date", "channel", "recipient", "subject_line", "stage", "attempts",
    "error", "refused",
)  # fmt: skip
"""Keys of a delivery in the list for programs."""

DeliveryId = Annotated[
    str, typer.Argument(metavar="DELIVERY", help="The delivery id or a unique prefix of it.")
]


@app.command("list")
def list_deliveries(form: FormatOption = ListForm.table) -> None:
    """List notifications that are pending, unconfirmed, or refused by addresses of the newest."""
    _, engine = configured_store()
    stored = [each for each in read_deliveries(engine) if not each.replay]
    newest = {each.channel: each.site_date for each in stored}
    waiting = [
        each
        for each in stored
        if each.stage not in {Stage.sent, Stage.merged}
        or (each.refused and each.site_date == newest[each.channel])
    ]
    if form.is_for_programs:
        objects = (each.model_dump(mode="json", include=set(SHOWN)) for each in waiting)
        print_objects(form, objects, SHOWN)
    elif waiting:
        print_lines("\n".join(map(_line, waiting)))
    else:
        print_status("No notification is pending, unconfirmed or refused.")


def _line(delivery: Delivery) -> str:
    return (
        f"{delivery.delivery_id[:12]}  {delivery.site_date}  {CHANNEL_WORDS[delivery.channel]}  "
        f"{delivery.stage}  {delivery.subject_line}  {delivery.error or ''}"
    ).rstrip()


@app.command()
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


@app.command()
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
