"""The outbox: one delivery per day and recipient list, whatever happens in between."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.delivery import Channel, Delivery, Refusals, Stage
from mqcap.domain.errors import (
    CapacityError,
    ConfigurationError,
    OutcomeUnknown,
    ServiceUnavailable,
)
from mqcap.domain.finding import Severity
from mqcap.notifications import email_message
from mqcap.notifications.digest import Digest
from mqcap.notifications.outbox import (
    UNCONFIRMED,
    DeliveryOutcome,
    DrainResult,
    MailHandler,
    drain,
    enqueue,
    plan_mail,
    recipients_of,
)
from mqcap.notifications.ticket_delivery import replayed_tickets
from mqcap.settings import AlertSettings, SmtpServer
from tests import factories
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import digest
from tests.mqcap.notifications.memory_outbox import MemoryOutbox
from tests.mqcap.notifications.smtp_server import smtp_server

AT = datetime(2026, 3, 3, 6, tzinfo=UTC)


def message(notice: Digest | None = None) -> EmailMessage:
    return email_message.render(notice or builders.estate_digest(), builders.MESSAGE_CONTEXT)


def run(
    outbox: MemoryOutbox, target: SmtpServer | Path, notice: Digest | None = None
) -> DeliveryOutcome:
    notice = notice or builders.estate_digest()
    planned = plan_mail(notice, message(notice), replay=False)
    queued = enqueue(planned, outbox.repository)
    drained = drain(outbox.repository, {Channel.mail: MailHandler(target)}, lambda: AT)
    if drained.failure is not None:
        raise drained.failure
    return drained.outcomes.get(planned.delivery_id, queued)


@pytest.mark.parametrize("length", [69, 70, 90])
def test_a_subject_begins_on_the_line_of_its_name(length: int, tmp_path: Path) -> None:
    notice, mail = builders.estate_digest(), message()
    subject = "ACT PLEX1 CSQ1 ".ljust(length, "x")
    mail.replace_header("Subject", subject)
    planned = plan_mail(notice, mail, replay=False)
    assert f"\nSubject: {subject}\r\n" in f"\n{planned.content}"
    outbox = MemoryOutbox()
    enqueue(planned, outbox.repository)
    drain(outbox.repository, {Channel.mail: MailHandler(tmp_path)}, lambda: AT)
    [file] = tmp_path.iterdir()
    assert f"Subject: {subject}\r\n".encode() in file.read_bytes()


@pytest.mark.thorough
def test_a_rerun_with_another_problem_is_sent_and_one_with_other_figures_is_not() -> None:
    outbox = MemoryOutbox()
    first, other = factories.finding(), factories.finding("PLEX1/CSQ2")
    moved = factories.finding(observed=1.21, headroom_ratio=-1.2)
    watch = factories.finding(severity=Severity.watch)
    days = [[first], [moved], [first, other], [watch, other]]
    with smtp_server() as (server, mailbox):
        outcomes = [run(outbox, server, digest(builders.results(day))) for day in days]
    assert outcomes == ["sent", "already_sent", "sent", "sent"]
    assert len(mailbox.mails) == 3
    assert len({email_message["Message-ID"] for email_message in mailbox.mails}) == 3


def test_another_recipient_list_is_another_delivery() -> None:
    notice = builders.estate_digest()
    others = builders.MESSAGE_CONTEXT.model_copy(update={"mail_to": ("other@example.com",)})
    first = plan_mail(notice, message(notice), replay=False)
    second = plan_mail(notice, email_message.render(notice, others), replay=False)
    assert first.delivery_id != second.delivery_id
    assert second.recipient == "other@example.com"


def test_a_replay_stores_its_tickets_too() -> None:
    new = digest(builders.results([factories.finding()]))
    [planned] = replayed_tickets(new, AlertSettings())
    assert (planned.channel, planned.recipient) == (Channel.ticket, "PLEX1/CSQ1/active_log")
    assert (planned.replay, planned.stage, planned.sent) == (True, Stage.replayed, False)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ("451 try later", ServiceUnavailable),
        ("452 disk full", ServiceUnavailable),
        ("554 no such mail here", ConfigurationError),
    ],
)
def test_a_refusal_is_retried_only_when_it_is_temporary(
    reply: str, error: type[CapacityError]
) -> None:
    outbox = MemoryOutbox()
    with smtp_server() as (server, mailbox):
        mailbox.replies = [reply]
        with pytest.raises(error, match=reply.split(maxsplit=1)[0]):
            run(outbox, server)
        assert reply.split(maxsplit=1)[0] in (outbox.only.error or "")
        assert run(outbox, server) is DeliveryOutcome.sent
    assert len(mailbox.mails) == 1


GONE, GREY = "mq-team@example.com", "planners@example.com"


@pytest.mark.thorough
def test_a_recipient_that_is_refused_for_now_is_tried_again_alone() -> None:
    outbox = MemoryOutbox()
    with smtp_server() as (server, mailbox):
        mailbox.refused_recipients = {GREY: "451 4.7.1 try later"}
        for _ in range(2):
            with pytest.raises(ServiceUnavailable, match=rf"{GREY} \(451"):
                run(outbox, server)
            assert (outbox.only.stage, mailbox.recipients) == (Stage.partly_sent, [[GONE]])
        mailbox.refused_recipients = {}
        assert run(outbox, server) is DeliveryOutcome.sent
        assert run(outbox, server) is DeliveryOutcome.already_sent
    assert mailbox.recipients == [[GONE], [GREY]]
    assert (outbox.only.refused, outbox.only.error) == ({}, None)


@pytest.mark.thorough
def test_a_mail_that_nobody_got_is_a_failure_and_only_who_was_refused_for_now_is_tried_again() -> (
    None
):
    outbox = MemoryOutbox()
    with smtp_server() as (server, mailbox):
        mailbox.refused_recipients = {GONE: "550 no such user", GREY: "451 try later"}
        with pytest.raises(ServiceUnavailable, match=f"(?s){GONE}.*{GREY}"):
            run(outbox, server)
        del mailbox.refused_recipients[GREY]
        assert run(outbox, server) is DeliveryOutcome.partly_sent
        assert (mailbox.recipients, set(outbox.only.refused)) == ([[GREY]], {GONE})
    everybody = MemoryOutbox()
    with smtp_server() as (server, mailbox):
        mailbox.refused_recipients = dict.fromkeys((GONE, GREY), "550 no such user")
        with pytest.raises(ConfigurationError, match="nobody got this email"):
            run(everybody, server)
    assert (everybody.only.stage, everybody.only.sent) == (Stage.pending, False)


@pytest.mark.parametrize(("days", "stage"), [(4, Stage.partly_sent), (5, Stage.sent)])
def test_an_address_that_stays_refused_for_now_is_given_up_after_five_days(
    days: int, stage: Stage
) -> None:
    refusals = Refusals({GREY: "452 mailbox full"}, is_taken=True)
    first = planned().handed_over(AT, refusals)
    later = first.handed_over(AT + timedelta(days=days), refusals._replace(is_taken=False))
    assert (later.stage, later.sent_at_utc, set(later.refused)) == (stage, AT, {GREY})


def test_without_a_server_the_mail_is_a_file_that_a_rerun_writes_the_same(tmp_path: Path) -> None:
    outbox = MemoryOutbox()
    folder = tmp_path / "mail"
    assert run(outbox, folder) is DeliveryOutcome.sent
    [file] = folder.iterdir()
    identity = str(message()["Message-ID"]).partition("@")[0].removeprefix("<mqcap.")
    assert file.name == f"{identity}.eml"
    assert file.name.startswith("2026-03-02.")
    content = file.read_bytes()
    outbox.rows.clear()
    run(outbox, folder)
    assert [path.read_bytes() for path in folder.iterdir()] == [content]
    assert content == plan_mail(builders.estate_digest(), message(), replay=False).content.encode()


class Recorder:
    """A handler that records what it hands over, and fails on request."""

    def __init__(self, *, may_repeat: bool = False) -> None:
        self.may_repeat = may_repeat
        self.handed_over: list[str] = []
        self.errors: list[CapacityError] = []

    def hand_over(self, delivery: Delivery, posting: Callable[[], None]) -> None:
        if self.errors:
            raise self.errors.pop(0)
        posting()
        self.handed_over.append(delivery.delivery_id)


def planned(name: str = "a", **changed: Any) -> Delivery:
    return factories.delivery(**({"delivery_id": name, "digest_sha256": "alerts"} | changed))


def filled() -> MemoryOutbox:
    """Two deliveries that wait."""
    return holding(planned("a"), planned("b"))


def holding(*rows: Delivery) -> MemoryOutbox:
    outbox = MemoryOutbox()
    for row in rows:
        outbox.repository.save(row)
    return outbox


def drained(outbox: MemoryOutbox, handler: Recorder) -> DrainResult:
    return drain(outbox.repository, {Channel.mail: handler}, lambda: AT)


@pytest.mark.parametrize(
    ("stage", "alerts", "is_enqueued"),
    [
        (None, "", True),
        (Stage.sent, "alerts", False),
        (Stage.unconfirmed, "alerts", False),
        (Stage.merged, "alerts", False),
        (Stage.posting, "alerts", False),
        (Stage.sent, "other alerts", True),
        (Stage.unconfirmed, "other alerts", True),
        (Stage.posting, "other alerts", False),
    ],
)
def test_the_same_alerts_are_not_enqueued_again_nor_others_while_a_mail_is_handed_over(
    stage: Stage | None, alerts: str, is_enqueued: bool
) -> None:
    outbox = holding(*([planned(stage=stage, digest_sha256=alerts)] if stage else ()))
    outcome = DeliveryOutcome.enqueued if is_enqueued else DeliveryOutcome.already_sent
    assert enqueue(planned(), outbox.repository) is outcome
    assert outbox.only.stage is (Stage.pending if is_enqueued else stage)


def test_a_pending_delivery_keeps_the_number_of_its_attempts() -> None:
    outbox = holding(planned(attempts=3))
    enqueue(planned(subject_line="newer figures"), outbox.repository)
    assert (outbox.only.attempts, outbox.only.subject_line) == (3, "newer figures")


def test_a_replay_never_replaces_what_was_sent() -> None:
    outbox = holding(planned(stage=Stage.sent))
    replay = planned(replay=True, stage=Stage.replayed, digest_sha256="other alerts")
    assert enqueue(replay, outbox.repository) is DeliveryOutcome.already_sent
    assert outbox.only.stage is Stage.sent
    other = planned("b", replay=True, stage=Stage.replayed)
    assert enqueue(other, outbox.repository) is DeliveryOutcome.stored_only


def test_everything_that_waits_is_handed_over_and_stored_as_sent() -> None:
    outbox, handler = filled(), Recorder()
    result = drained(outbox, handler)
    assert handler.handed_over == ["a", "b"]
    assert (result.count(DeliveryOutcome.sent), result.failure) == (2, None)
    assert {row.stage for row in outbox.rows.values()} == {Stage.sent}
    assert {(row.attempts, row.sent_at_utc) for row in outbox.rows.values()} == {(1, AT)}
    assert drained(outbox, handler).outcomes == {}


def test_a_channel_without_a_handler_is_left_alone() -> None:
    outbox = holding(planned(channel=Channel.ticket))
    assert drained(outbox, Recorder()).outcomes == {}
    assert outbox.only.stage is Stage.pending


def test_after_an_unavailable_service_the_rest_of_the_channel_waits() -> None:
    outbox, handler = filled(), Recorder()
    handler.errors = [ServiceUnavailable("server is down")]
    result = drained(outbox, handler)
    assert result.outcomes == {"a": DeliveryOutcome.failed}
    assert isinstance(result.failure, ServiceUnavailable)
    tried = {name: (row.attempts, row.error) for name, row in outbox.rows.items()}
    assert tried == {"a": (1, "server is down."), "b": (0, None)}


def test_after_a_refused_delivery_the_others_are_handed_over_and_the_first_failure_is_kept() -> (
    None
):
    handler = Recorder()
    handler.errors = [ConfigurationError("wrong address")]
    result = drained(filled(), handler)
    assert result.outcomes == {"a": DeliveryOutcome.failed, "b": DeliveryOutcome.sent}
    assert isinstance(result.failure, ConfigurationError)
    handler.errors = [ConfigurationError("first"), ConfigurationError("second")]
    assert "first" in str(drained(filled(), handler).failure)


def test_a_mail_that_a_dead_process_was_handing_over_is_reported_and_not_repeated() -> None:
    outbox, handler = holding(planned(stage=Stage.posting)), Recorder()
    result = drained(outbox, handler)
    assert result.outcomes == {"a": DeliveryOutcome.unconfirmed}
    assert handler.handed_over == []
    assert (outbox.only.stage, outbox.only.error) == (Stage.unconfirmed, UNCONFIRMED)


def test_a_ticket_that_a_dead_process_was_handing_over_is_handed_over_again() -> None:
    outbox = holding(planned(stage=Stage.posting))
    assert drained(outbox, Recorder(may_repeat=True)).outcomes == {"a": DeliveryOutcome.sent}


def test_an_unknown_outcome_leaves_the_row_as_a_dead_process_does() -> None:
    outbox, handler = holding(planned()), Recorder()
    handler.errors = [OutcomeUnknown("no reply")]
    result = drained(outbox, handler)
    assert isinstance(result.failure, OutcomeUnknown)
    assert outbox.only == planned()


def test_recipients_have_one_name_in_any_order() -> None:
    assert recipients_of([" b@example.com", "a@example.com "]) == "a@example.com, b@example.com"


def test_the_identity_of_a_delivery_is_that_of_the_release_before() -> None:
    notice = builders.estate_digest()
    mail = plan_mail(notice, message(notice), replay=False)
    assert mail.delivery_id == "40e4480a82cfdb9f669811fa429a6dcc0a4499dbe5ff1ffc8a4892b19e2e4b29"
    page: dict[str, Any] = {"replay": False, "channel": Channel.page}
    pages = [
        plan_mail(notice, message(notice), alerts_sha256=name, **page).delivery_id
        for name in ("resource", "other resource")
    ]
    assert pages[0] != pages[1]
