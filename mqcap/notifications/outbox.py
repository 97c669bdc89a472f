"""Delivery: everything that is said goes through an outbox in the store.

First it is written down with all else that the run has found out, then it is handed over, then
that is written down. A run that dies in between, or a server that hangs up, leaves a row from
which a rerun goes on: a ticket is looked for before one is made, and a mail of which nobody knows
whether it went out is reported instead of being sent twice; what was news in it is told again by
the next day's mail.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email import message_from_string, policy
from email.message import EmailMessage
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol

from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.errors import CapacityError, OutcomeUnknown, ServiceUnavailable
from mqcap.notifications.digest import Digest
from mqcap.notifications.smtp import Target, send

_TOLD: Final = frozenset({Stage.posting, Stage.sent, Stage.unconfirmed, Stage.merged})
MAIL_CHANNELS: Final = (Channel.page, Channel.mail, Channel.data)

UNCONFIRMED: Final = (
    "the mail server had the whole text, and its answer was not heard; whether it was delivered "
    "is not known. "
    "The next day's mail tells its news again. `mqcap outbox resend` sends it as it was, "
    "`mqcap outbox confirm` notes that it arrived."
)


class DeliveryOutcome(StrEnum):
    """What became of something that was to be said."""

    sent = "sent"
    enqueued = "enqueued"
    stored_only = "stored_only"
    """A replay: what would have been said is in the store."""
    already_sent = "already_sent"
    """The same was said in an earlier run of the day."""
    nothing_new = "nothing_new"
    """Nobody is written to."""
    failed = "failed"
    unconfirmed = "unconfirmed"


@dataclass(frozen=True)
class OutboxRepository:
    """Where deliveries are remembered between runs: functions of the store."""

    load: Callable[[str], Delivery | None]
    save: Callable[[Delivery], None]
    waiting: Callable[[], list[Delivery]]


class ChannelHandler(Protocol):
    """Hands over what goes through one channel."""

    may_repeat: bool
    """Whether handing the same over twice says it once."""

    def hand_over(self, delivery: Delivery, posting: Callable[[], None]) -> None:
        """Hand it over; ``posting`` is called when, from now on, it may have arrived.

        Raises CapacityError when it was not taken.
        """


@dataclass
class DrainResult:
    """What became of the outbox."""

    outcomes: dict[str, DeliveryOutcome] = field(default_factory=dict)
    """By delivery id."""
    failure: CapacityError | None = None
    """The first failure; raise it when the rest of the step is done."""

    def count(self, outcome: DeliveryOutcome) -> int:
        """How many deliveries ended so."""
        return sum(one is outcome for one in self.outcomes.values())


class MailHandler:
    """Sends stored messages."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.may_repeat = isinstance(target, Path)

    def hand_over(self, delivery: Delivery, posting: Callable[[], None]) -> None:
        """Send the message as it was stored."""
        message = message_from_string(delivery.content, policy=policy.SMTP)
        if not isinstance(message, EmailMessage):  # the policy makes nothing else
            raise TypeError(type(message).__name__)
        send(message, self._target, posting)


def plan(
    digest: Digest,
    message: EmailMessage,
    *,
    replay: bool,
    channel: Channel = Channel.mail,
    alerts_sha256: str | None = None,
) -> Delivery:
    """A message as a delivery that nobody has yet."""
    recipients = recipients_of(str(message["To"]).split(","))
    news = digest.alerts_sha256 if alerts_sha256 is None else alerts_sha256
    apart = f"{recipients}\n{news}" if channel == Channel.page else recipients
    return Delivery(
        delivery_id=delivery_id(digest, channel, apart),
        site_date=digest.site_date,
        channel=channel,
        recipient=recipients,
        subject_line=str(message["Subject"]),
        digest_sha256=news,
        content=message.as_bytes().decode("ascii"),
        replay=replay,
        stage=Stage.replayed if replay else Stage.pending,
        order_number=10,
    )


def recipients_of(addresses: Iterable[str]) -> str:
    """One name for a list of people, in whatever order they were given."""
    return ", ".join(sorted(part.strip() for part in addresses))


def enqueue(planned: Delivery, journal: OutboxRepository) -> DeliveryOutcome:
    """Write down what is to be said, unless the same was said before.

    A replay is only stored, and never over the record of something that was really handed
    over. When the same day was told before with other problems, this is said too; a digest that
    differs in its figures alone is not.
    """
    known = journal.load(planned.delivery_id)
    if known is not None and known.stage in _TOLD:
        same = known.digest_sha256 == planned.digest_sha256
        if planned.replay or same or known.stage is Stage.posting:
            return DeliveryOutcome.already_sent
    if known is not None and known.stage is Stage.pending:
        # what was tried before may have arrived: whoever hands it over must know
        planned = planned.model_copy(update={"attempts": known.attempts})
    journal.save(planned)
    return DeliveryOutcome.stored_only if planned.replay else DeliveryOutcome.enqueued


def drain(
    journal: OutboxRepository, handlers: Mapping[str, ChannelHandler], now: Callable[[], datetime]
) -> DrainResult:
    """Hand over everything that waits, of earlier days too; one process at a time.

    After a failure the rest of that channel waits for the next run, which is soon: a service
    that is down would make each delivery wait for its timeout.
    """
    result = DrainResult()
    given_up: set[str] = set()
    for delivery in journal.waiting():
        handler = handlers.get(delivery.channel)
        if handler is None or delivery.channel in given_up:
            continue
        try:
            outcome = _hand_over(delivery, handler, journal, now)
        except CapacityError as error:
            result.failure = result.failure or error
            outcome = DeliveryOutcome.failed
            if isinstance(error, ServiceUnavailable):
                given_up.add(delivery.channel)
        result.outcomes[delivery.delivery_id] = outcome
    return result


def delivery_id(digest: Digest, channel: Channel, recipient: str) -> str:
    """Identity of what is said to one recipient about one day."""
    parts = (digest.site_date.isoformat(), channel, recipient)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _hand_over(
    delivery: Delivery,
    handler: ChannelHandler,
    journal: OutboxRepository,
    now: Callable[[], datetime],
) -> DeliveryOutcome:
    if delivery.stage is Stage.posting and not handler.may_repeat:
        change = {"stage": Stage.unconfirmed, "error": UNCONFIRMED}
        journal.save(delivery.model_copy(update=change))
        return DeliveryOutcome.unconfirmed
    tried = delivery.model_copy(update={"attempts": delivery.attempts + 1})

    def posting() -> None:
        journal.save(tried.model_copy(update={"stage": Stage.posting, "error": None}))

    try:
        handler.hand_over(delivery, posting)
    except OutcomeUnknown:
        raise  # it stays as one that a dead process has left: perhaps it has arrived
    except CapacityError as error:
        journal.save(tried.model_copy(update={"stage": Stage.pending, "error": str(error)}))
        raise
    journal.save(tried.handed_over(now()))
    return DeliveryOutcome.sent


def replayed(planned: Iterable[Delivery]) -> list[Delivery]:
    """The same as what would have been said."""
    change = {"replay": True, "stage": Stage.replayed}
    return [one.model_copy(update=change) for one in planned]
