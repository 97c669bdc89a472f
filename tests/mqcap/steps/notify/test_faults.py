import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.domain.delivery import Delivery, Stage
from mqcap.domain.errors import ConfigurationError, OutcomeUnknown, ServiceUnavailable
from mqcap.notifications.audit_record import audit_record
from mqcap.settings import Settings, SmtpServer
from mqcap.steps.notify import alert
from mqcap.store.database import open_store
from mqcap.store.outbox import save_delivery
from tests.factories import DAY
from tests.mqcap.notifications.jira_server import JiraState
from tests.mqcap.notifications.smtp_server import Mailbox
from tests.mqcap.steps.notify.builders import ONE_DAY, judge, mails_of, over, site, site_with
from tests.mqcap.store.postgres import new_database, postgres_server

pytestmark = pytest.mark.thorough


class Killed(BaseException):
    """What ends a process at once, in the same process."""


@pytest.mark.parametrize("status", [409, 429, 500, 503])
def test_a_tracker_that_refuses_for_now_gets_its_ticket_by_the_rerun(
    engine: Engine, post: tuple[SmtpServer, Mailbox], jira: tuple[Settings, JiraState], status: int
) -> None:
    (server, mailbox), (settings, tracker) = post, jira
    judge(engine, DAY, [over()])
    tracker.faults = [status]
    with pytest.raises(ServiceUnavailable, match=str(status)):
        alert(settings, engine, DAY, smtp=server)
    alert(settings, engine, DAY, smtp=server)
    assert (len(tracker.issues), len(mailbox.mails)) == (1, 1)


def test_a_ticket_that_the_tracker_does_not_find_at_once_is_not_made_twice(
    engine: Engine, jira: tuple[Settings, JiraState]
) -> None:
    settings, tracker = jira
    judge(engine, DAY, [over()])
    tracker.reply_delays = [0.0]
    with pytest.raises(ServiceUnavailable, match="does not answer"):
        alert(settings, engine, DAY)
    tracker.blind_searches = 1
    alert(settings, engine, DAY)
    assert list(tracker.issues) == ["CAP-1"]


@pytest.mark.parametrize("channel", ["ticket", "mail"])
@pytest.mark.parametrize("stage", [Stage.posting, Stage.sent])
def test_a_run_that_dies_between_post_and_commit_leaves_one_ticket_and_one_mail(
    engine: Engine,
    post: tuple[SmtpServer, Mailbox],
    jira: tuple[Settings, JiraState],
    monkeypatch: pytest.MonkeyPatch,
    channel: str,
    stage: Stage,
) -> None:
    (server, mailbox), (settings, tracker) = post, jira
    judge(engine, DAY, [over()])
    save = save_delivery

    def dying(store: Engine, delivery: Delivery) -> None:
        if (delivery.channel, delivery.stage) == (channel, stage):
            raise Killed
        save(store, delivery)

    with monkeypatch.context() as patch:
        patch.setattr("mqcap.steps.notify.save_delivery", dying)
        with pytest.raises(Killed):
            alert(settings, engine, DAY, smtp=server)
    counts = alert(settings, engine, DAY, smtp=server)
    assert (len(tracker.issues), len(mailbox.mails)) == (1, 1)
    assert counts["mails_unconfirmed"] == (1 if (channel, stage) == ("mail", Stage.sent) else 0)
    again = alert(settings, engine, DAY, smtp=server)
    assert (again["mails_sent"], again["mails_unconfirmed"]) == (0, 0)
    assert (len(tracker.issues), len(mailbox.mails)) == (1, 1)


def test_a_mail_server_that_hangs_up_before_it_has_the_mail_gets_it_by_the_rerun(
    engine: Engine, tmp_path: Path, post: tuple[SmtpServer, Mailbox]
) -> None:
    server, mailbox = post
    judge(engine, DAY, [over()])
    mailbox.hang_ups = ["recipient"]
    with pytest.raises(ServiceUnavailable, match="does not answer"):
        alert(site(tmp_path), engine, DAY, smtp=server)
    alert(site(tmp_path), engine, DAY, smtp=server)
    assert (len(mailbox.mails), mails_of(engine)[0].stage) == (1, Stage.sent)


@pytest.mark.parametrize(("place", "taken"), [("end", 0), ("reply", 1)])
def test_a_mail_server_that_has_the_mail_and_hangs_up_gets_it_only_once(
    engine: Engine, tmp_path: Path, post: tuple[SmtpServer, Mailbox], place: str, taken: int
) -> None:
    """The two cannot be distinguished; what may not have arrived is repeated the next day."""
    server, mailbox = post
    settings = site(tmp_path, weekly_digest="never")
    judge(engine, DAY, [over()])
    mailbox.hang_ups = [place]
    with pytest.raises(OutcomeUnknown, match="received the complete email"):
        alert(settings, engine, DAY, smtp=server)
    counts = alert(settings, engine, DAY, smtp=server)
    assert (counts["mails_sent"], counts["mails_unconfirmed"]) == (0, 1)
    assert (len(mailbox.mails), mails_of(engine)[0].stage) == (taken, Stage.unconfirmed)
    assert sent_over_days(engine, settings, server, 3) == [1, 0, 0]


def test_a_mail_server_that_takes_the_mail_without_a_reply_gets_it_only_once(
    engine: Engine, tmp_path: Path, post: tuple[SmtpServer, Mailbox]
) -> None:
    server, mailbox = post
    judge(engine, DAY, [over()])
    mailbox.silent_seconds = 5.0
    hasty = server.model_copy(update={"final_reply_seconds": 0.2})
    with pytest.raises(OutcomeUnknown, match="timed out"):
        alert(site(tmp_path), engine, DAY, smtp=hasty)
    alert(site(tmp_path), engine, DAY, smtp=server)
    assert (len(mailbox.mails), mails_of(engine)[0].stage) == (1, Stage.unconfirmed)


def test_a_refused_recipient_is_named_by_the_run_and_in_the_audit_record(
    engine: Engine, tmp_path: Path, post: tuple[SmtpServer, Mailbox]
) -> None:
    server, mailbox = post
    judge(engine, DAY, [over()])
    settings = site(tmp_path, mail_to=("gone@example.com", "there@example.com"))
    mailbox.refused_recipients = {"gone@example.com": "550 no such user"}
    counts = alert(settings, engine, DAY, smtp=server)
    assert (counts["mail"], counts["mails_sent"]) == ("partly_sent", 1)
    assert "gone@example.com (550 no such user)" in str(counts["refused"])
    [said] = [each for each in audit_record(engine, DAY)["said"] if each["channel"] == "mail"]
    assert said["refused"] == {"gone@example.com": "550 no such user"}


def sent_over_days(engine: Engine, settings: Settings, server: SmtpServer, days: int) -> list[int]:
    """Number of emails that each further day sends when nothing changes."""
    sent = []
    for number in range(1, days + 1):
        judge(engine, DAY + number * ONE_DAY, [over()])
        counts = alert(settings, engine, DAY + number * ONE_DAY, smtp=server)
        sent.append(int(counts["mails_sent"]))
    return sent


def _run_until_killed(url: str, settings: Settings, server: SmtpServer) -> None:
    alert(settings, open_store(url), DAY, smtp=server)


def test_a_worker_that_is_killed_holds_no_lock_and_its_rerun_finds_the_ticket(
    engine: Engine, post: tuple[SmtpServer, Mailbox], jira: tuple[Settings, JiraState]
) -> None:
    (server, mailbox), (settings, tracker) = post, jira
    judge(engine, DAY, [over()])
    tracker.reply_delays = [60.0]
    options = {**settings.alerts.ticket_options, "timeout_seconds": "60"}
    patient = site_with(settings, ticket_options=options)
    # a fork, not a spawn: nothing is imported again, so that the test stays short
    worker = multiprocessing.get_context("fork").Process(
        target=_run_until_killed, args=(str(engine.url), patient, server)
    )
    worker.start()
    while not tracker.issues and worker.is_alive():
        time.sleep(0.02)
    os.kill(worker.pid or 0, signal.SIGKILL)
    worker.join()
    alert(settings, engine, DAY, smtp=server)
    assert (len(tracker.issues), len(mailbox.mails)) == (1, 1)


@pytest.fixture(params=["sqlite", "postgresql"])
def shared(request: pytest.FixtureRequest) -> Iterator[Engine]:
    if request.param == "sqlite":
        yield request.getfixturevalue("engine")
        return
    with postgres_server() as server, new_database(server) as url:
        opened = open_store(url)
        yield opened
        opened.dispose()


def test_two_runs_at_once_deliver_once(
    shared: Engine, post: tuple[SmtpServer, Mailbox], jira: tuple[Settings, JiraState]
) -> None:
    (server, mailbox), (settings, tracker) = post, jira
    judge(shared, DAY, [over()])
    runs = [
        threading.Thread(target=alert, args=(settings, shared, DAY), kwargs={"smtp": server})
        for _ in range(3)
    ]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert (len(tracker.issues), len(mailbox.mails)) == (1, 1)


def test_what_could_not_be_sent_goes_out_with_the_run_of_a_later_day(
    engine: Engine, tmp_path: Path, post: tuple[SmtpServer, Mailbox]
) -> None:
    server, mailbox = post
    settings = site(tmp_path, weekly_digest="never")
    judge(engine, DAY, [over()])
    with pytest.raises(ServiceUnavailable):
        alert(settings, engine, DAY, smtp=server.model_copy(update={"port": 1}))
    judge(engine, DAY + ONE_DAY, [over()])
    alert(settings, engine, DAY + ONE_DAY, smtp=server)
    [mail] = mailbox.mails
    assert str(DAY) in mail["Message-ID"]
    assert [item.attempts for item in mails_of(engine)] == [2]


def test_after_days_without_a_mail_server_one_mail_has_the_alerts_of_all(
    engine: Engine, tmp_path: Path, post: tuple[SmtpServer, Mailbox]
) -> None:
    server, mailbox = post
    settings = site(tmp_path, weekly_digest="never")
    dead = server.model_copy(update={"port": 1})
    names = ("PLEX1/CSQ1", "PLEX1/CSQ2", "PLEX1/CSQ3")
    for number in range(len(names)):
        judge(engine, DAY + number * ONE_DAY, [over(name) for name in names[: number + 1]])
        for _ in range(2):
            with pytest.raises(ServiceUnavailable):
                alert(settings, engine, DAY + number * ONE_DAY, smtp=dead)
    rows = [item.stage for item in mails_of(engine)]
    assert rows == [Stage.merged, Stage.merged, Stage.pending]
    alert(settings, engine, DAY + 2 * ONE_DAY, smtp=server)
    alert(settings, engine, DAY + 2 * ONE_DAY, smtp=server)
    [mail] = mailbox.mails
    text = str(mail.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    undelivered = "Repeats the mail of 2 Mar 2026, 3 Mar 2026, which could not be delivered."
    assert undelivered in text.splitlines()
    for name in names:
        assert f"Act  {name.partition('/')[2]} active logs" in text
    judge(engine, DAY + 3 * ONE_DAY, [over(name) for name in (*names, "PLEX1/CSQ4")])
    alert(settings, engine, DAY + 3 * ONE_DAY, smtp=server)
    assert len(mailbox.mails) == 2
    assert "could not be delivered" not in mailbox.mails[-1].as_string()


def test_a_tracker_that_cannot_be_opened_does_not_hold_up_the_mail(
    engine: Engine, tmp_path: Path, post: tuple[SmtpServer, Mailbox]
) -> None:
    server, mailbox = post
    judge(engine, DAY, [over()])
    with pytest.raises(ConfigurationError, match="ticket_backend"):
        alert(site(tmp_path, ticket_backend="pigeon"), engine, DAY, smtp=server)
    assert len(mailbox.mails) == 1
