"""The notification outbox: every email, page and ticket is stored before it is handed over.

A run that dies in between leaves a row from which a rerun continues: a ticket is searched for
before one is created; an email that was not confirmed is reported instead of being sent twice.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email import message_from_string
from email.message import EmailMessage
from email.policy import SMTP
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol

from mqcap.domain.delivery import Channel, Delivery, Refusals, Stage
from mqcap.domain.errors import (
    CapacityError,
    ConfigurationError,
    OutcomeUnknown,
    ServiceUnavailable,
)
from mqcap.notifications.digest import Digest
from mqcap.notifications.smtp import Target, send

_HANDED_OVER: Final = frozenset(
    {Stage.posting, Stage.partly_sent, Stage.sent, Stage.unconfirmed, Stage.merged}
)
MAIL_CHANNELS: Final = (Channel.page, Channel.mail, Channel.data)

UNCONFIRMED: Final = (
    "the mail server received the complete email and did not confirm it; it may have been "
    "delivered. The next day's email repeats its alerts. `mqcap outbox resend` sends it unchanged, "
    "`mqcap outbox confirm` records that it arrived."
)


class DeliveryOutcome(StrEnum):
    """The outcome of a delivery in one run."""

    sent = "sent"
    partly_sent = "partly_sent"
    """The server took it for some addresses and refused others."""
    enqueued = "enqueued"
    stored_only = "stored_only"
    """A replay: what would have been sent is in the store."""
    already_sent = "already_sent"
    """An earlier run of the day sent the same alerts."""
    nothing_new = "nothing_new"
    """There is no reason for a mail."""
    failed = "failed"
    unconfirmed = "unconfirmed"


@dataclass(frozen=True)
class OutboxRepository:
    """The stored deliveries: functions of the store."""

    load: Callable[[str], Delivery | None]
    save: Callable[[Delivery], None]
    waiting: Callable[[], list[Delivery]]


class ChannelHandler(Protocol):
    """Hands over the deliveries of one channel."""

    may_repeat: bool
    """True when handing the same delivery over twice has the effect of once."""

    def hand_over(self, delivery: Delivery, posting: Callable[[], None]) -> Refusals | None:
        """Hand it over, ``posting`` just before it may arrive; return addresses that were refused.

        Raises CapacityError when it was not accepted.
        """


@dataclass
class DrainResult:
    """The outcome of handing over everything that was waiting."""

    outcomes: dict[str, DeliveryOutcome] = field(default_factory=dict)
    """By delivery id."""
    failure: CapacityError | None = None
    """The first failure; raise it when the rest of the step is done."""
    refusals: list[str] = field(default_factory=list)
    """Addresses that were refused, with subject line and replies."""

    def count(self, *outcomes: DeliveryOutcome) -> int:
        """Return how many deliveries had one of these outcomes."""
        return sum(actual in outcomes for actual in self.outcomes.values())


HEADER_LINE_MAX: Final = 100
"""Characters: ``Subject:`` and a subject line of 90. A longer line begins with a fold, and so the
subject with a blank, which a filter for the severity does not expect."""
ONE_LINE_SUBJECT: Final = SMTP.clone(max_line_length=HEADER_LINE_MAX)


class MailHandler:
    """Sends stored messages to a mail server or into a folder."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.may_repeat = isinstance(target, Path)

    def hand_over(self, delivery: Delivery, posting: Callable[[], None]) -> Refusals | None:
        """Send the message as it was stored, to those that have not got it."""
        message = message_from_string(delivery.content, policy=ONE_LINE_SUBJECT)
        if not isinstance(message, EmailMessage):  # the policy makes nothing else
            raise TypeError(type(message).__name__)
        return send(message, self._target, posting, delivery.only_to)


def plan_mail(
    digest: Digest,
    message: EmailMessage,
    *,
    replay: bool,
    channel: Channel = Channel.mail,
    alerts_sha256: str | None = None,
) -> Delivery:
    """Return a message as a delivery to enqueue; a page is one delivery per ``alerts_sha256``."""
    recipients = recipients_of(str(message["To"]).split(","))
    alerts = digest.alerts_sha256 if alerts_sha256 is None else alerts_sha256
    identity = f"{recipients}\n{alerts}" if channel == Channel.page else recipients
    whole_subject = message.policy.clone(max_line_length=HEADER_LINE_MAX)
    return Delivery(
        delivery_id=delivery_id(digest, channel, identity),
        site_date=digest.site_date,
        channel=channel,
        recipient=recipients,
        subject_line=str(message["Subject"]),
        digest_sha256=alerts,
        content=message.as_bytes(policy=whole_subject).decode("ascii"),
        replay=replay,
        stage=Stage.replayed if replay else Stage.pending,
        order_number=10,
    )


def recipients_of(addresses: Iterable[str]) -> str:
    """Return one name for a recipient list, whatever its order."""
    return ", ".join(sorted(part.strip() for part in addresses))


def enqueue(planned: Delivery, outbox: OutboxRepository) -> DeliveryOutcome:
    """Store a delivery as pending unless the same alerts were sent, with whatever figures.

    A replay is only stored, and never over the row of something that was handed over.
    """
    stored = outbox.load(planned.delivery_id)
    if stored is not None:
        has_same_alerts = stored.digest_sha256 == planned.digest_sha256
        is_posting = stored.stage is Stage.posting
        if stored.stage in _HANDED_OVER and (planned.replay or has_same_alerts or is_posting):
            return DeliveryOutcome.already_sent
        if stored.stage is Stage.pending:
            # an earlier attempt may have arrived: the handler must know of it
            refused = stored.refused if has_same_alerts else {}
            planned = planned.model_copy(update={"attempts": stored.attempts, "refused": refused})
    outbox.save(planned)
    return DeliveryOutcome.stored_only if planned.replay else DeliveryOutcome.enqueued


def drain(
    outbox: OutboxRepository, handlers: Mapping[str, ChannelHandler], now: Callable[[], datetime]
) -> DrainResult:
    """Hand over everything that is waiting, of earlier days too; one process at a time.

    When a service is unavailable the rest of its channel is left to the next run.
    """
    result = DrainResult()
    unavailable_channels: set[str] = set()
    for delivery in outbox.waiting():
        handler = handlers.get(delivery.channel)
        if handler is None or delivery.channel in unavailable_channels:
            continue
        try:
            after = _hand_over(delivery, handler, outbox, now)
            outcome, refused = _outcome(after)
            result.failure = result.failure or refused
            if after.refused and after.stage is not Stage.unconfirmed:
                result.refusals.append(f"{after.subject_line}: {after.error}")
        except CapacityError as error:
            result.failure = result.failure or error
            outcome = DeliveryOutcome.failed
            if isinstance(error, ServiceUnavailable):
                unavailable_channels.add(delivery.channel)
        result.outcomes[delivery.delivery_id] = outcome
    return result


def delivery_id(digest: Digest, channel: Channel, recipient: str) -> str:
    """Return the identity of a notification of one recipient about one day."""
    parts = (digest.site_date.isoformat(), channel, recipient)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _hand_over(
    delivery: Delivery,
    handler: ChannelHandler,
    outbox: OutboxRepository,
    now: Callable[[], datetime],
) -> Delivery:
    """Hand a delivery over and store it; return it as it is now."""
    if delivery.stage is Stage.posting and not handler.may_repeat:
        change = {"stage": Stage.unconfirmed, "error": UNCONFIRMED}
        outbox.save(unconfirmed := delivery.model_copy(update=change))
        return unconfirmed
    attempted = delivery.model_copy(update={"attempts": delivery.attempts + 1})

    def posting() -> None:
        outbox.save(attempted.model_copy(update={"stage": Stage.posting, "error": None}))

    try:
        refusals = handler.hand_over(delivery, posting)
    except OutcomeUnknown:
        raise  # it stays in posting, as after a crash: it may have arrived
    except CapacityError as error:
        stage = Stage.partly_sent if delivery.sent else Stage.pending
        outbox.save(attempted.model_copy(update={"stage": stage, "error": str(error)}))
        raise
    outbox.save(after := attempted.handed_over(now(), refusals))
    return after


def _outcome(after: Delivery) -> tuple[DeliveryOutcome, CapacityError | None]:
    """Return it with the failure where addresses are to be tried again, or nobody got it."""
    if after.stage is Stage.unconfirmed:
        return DeliveryOutcome.unconfirmed, None
    outcome = DeliveryOutcome.partly_sent if after.refused else DeliveryOutcome.sent
    if not after.sent:
        outcome = DeliveryOutcome.failed
    if after.stage is Stage.partly_sent or (after.refused_for_now and not after.sent):
        return outcome, ServiceUnavailable(
            f"{after.subject_line}: {after.error}",
            remedy="It stays in the outbox for addresses refused for now (4..): run the step "
            "again. Those that have it do not get it again.",
        )
    if after.refused and not after.sent:
        return outcome, ConfigurationError(
            f"{after.subject_line}: nobody got this email; {after.error}",
            remedy="Correct the addresses (alerts.mail_to, data_mail_to, page_to).",
        )
    return outcome, None
