import logging
import traceback
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import Engine, Table, select

from mqcap.domain.errors import CapacityError, ServiceUnavailable
from mqcap.domain.estate import QueueManager, Sysplex
from mqcap.domain.feed import FeedKind, FeedState
from mqcap.notifications.audit_record import audit_record, audit_record_text
from mqcap.settings import Settings, SmtpServer
from mqcap.steps import runner
from mqcap.steps.notify import alert
from mqcap.store import tables
from mqcap.store.feeds import replace_feed_days
from mqcap.store.problems import read_problem_history, read_problems
from tests.factories import DAY, feed_day
from tests.mqcap.notifications.builders import cf_finding
from tests.mqcap.notifications.jira_server import JiraState
from tests.mqcap.notifications.smtp_server import Mailbox
from tests.mqcap.steps.notify.builders import ONE_DAY, fine, judge, over, site, site_with

pytestmark = pytest.mark.thorough

KEY = "LOG-FILL-30MIN/PLEX1/CSQ1"


def test_a_breach_is_one_mail_and_one_ticket_and_nothing_more(
    engine: Engine, post: tuple[SmtpServer, Mailbox], jira: tuple[Settings, JiraState]
) -> None:
    (server, mailbox), (settings, tracker) = post, jira
    for number in range(5):
        judge(engine, DAY + number * ONE_DAY, [over()])
        counts = alert(settings, engine, DAY + number * ONE_DAY, smtp=server)
    assert counts["mail"] == "nothing_new"
    [mail] = mailbox.mails
    assert mail["Subject"].startswith("ACT CSQ1 active logs: ")
    assert list(tracker.issues) == ["CAP-1"]
    assert tracker.changes == ["POST /rest/api/2/issue"]


def test_what_is_worse_and_what_else_is_wrong_with_the_resource_is_one_comment_each(
    engine: Engine, post: tuple[SmtpServer, Mailbox], jira: tuple[Settings, JiraState]
) -> None:
    (server, mailbox), (settings, tracker) = post, jira
    settings = site_with(settings, weekly_digest="never")
    worse: dict[str, Any] = {"headroom_ratio": -2.0, "summary": "PLEX1/CSQ1: worse."}
    nothing: dict[str, Any] = {}
    for number, changes in enumerate([nothing, worse, worse, worse]):
        others = [over(rule_id="LOG-RUNWAY-12H")] if number > 1 else []
        judge(engine, DAY + number * ONE_DAY, [over(**changes), *others])
        for _ in range(2):
            alert(settings, engine, DAY + number * ONE_DAY, smtp=server)
    [issue] = tracker.issues.values()
    comments = issue["fields"]["comments"]
    assert len(mailbox.mails) == 3
    assert [words.splitlines()[0] for words in comments] == [
        "The plan has changed.", "New: Log growth that fills one log in 30 minutes.",
    ]  # fmt: skip


def test_a_complete_problem_history_over_tracker_and_mail(
    engine: Engine, post: tuple[SmtpServer, Mailbox], jira: tuple[Settings, JiraState]
) -> None:
    (server, mailbox), (settings, tracker) = post, jira
    settings = site_with(settings, weekly_digest="never")
    bad, worse = over(), over(headroom_ratio=-2.0)
    better = over(severity="watch", breach=False, headroom_ratio=0.1)
    course = [bad, worse, worse, better, *[fine()] * 7, worse]
    for number, result in enumerate(course):
        if number == 2:
            tracker.answers = ["acknowledged, we enlarge the logs"]
        judge(engine, DAY + number * ONE_DAY, [result])
        alert(settings, engine, DAY + number * ONE_DAY, smtp=server)
    states = [problem.state.value for problem in read_problem_history(engine, KEY)]
    assert states == [
        "new", "worsening", "acknowledged", *["improving"] * 7, "resolved", "reopened",
    ]  # fmt: skip
    assert [mail["Subject"].split(" ")[0] for mail in mailbox.mails] == ["ACT", "ACT", "OK:", "ACT"]
    [issue] = tracker.issues.values()
    assert len(issue["fields"]["comments"]) == 3
    assert issue["fields"]["status"]["name"] == "Open"


def test_missing_records_have_recipients_of_their_own(
    engine: Engine, tmp_path: Path, post: tuple[SmtpServer, Mailbox]
) -> None:
    server, mailbox = post
    settings = site(tmp_path, data_mail_to=("data@example.com",), weekly_digest="never")
    for number, feeds in enumerate([[], [feed_day()], [feed_day()], []]):
        day = DAY + number * ONE_DAY
        replace_feed_days(
            engine, day, day, [feed.model_copy(update={"site_date": day}) for feed in feeds]
        )
        judge(engine, day, [fine()])
        alert(settings, engine, day, smtp=server)
    assert [(to, mail["Subject"].split(" ")[:2]) for to, mail in arrived(mailbox)] == [
        (["mq-team@example.com", "planners@example.com"], ["OK:", "nothing"]),
        (["data@example.com"], ["DATA", "INCOMPLETE"]),
        (["data@example.com"], ["DATA", "COMPLETE:"]),
    ]


def arrived(mailbox: Mailbox) -> list[tuple[list[str], Any]]:
    return list(zip(map(sorted, mailbox.recipients), mailbox.mails, strict=True))


def test_a_response_in_the_tracker_counts_from_the_next_run_on(
    engine: Engine, post: tuple[SmtpServer, Mailbox], jira: tuple[Settings, JiraState]
) -> None:
    (server, mailbox), (settings, tracker) = post, jira
    settings = site_with(settings, weekly_digest="never")
    for number in range(8):
        day = DAY + number * ONE_DAY
        if number == 2:
            tracker.answers = [f"accepted risk until {DAY + 5 * ONE_DAY}"]
        judge(engine, day, [over(headroom_ratio=-2.5 if number > 2 else -1.158)])
        alert(settings, engine, day, smtp=server)
    states = [problem.state.value for problem in read_problem_history(engine, KEY)]
    assert states == ["new", "lasting", *["acknowledged"] * 4, "worsening", "lasting"]
    assert len(mailbox.mails) == 2
    assert [problem.state.value for problem in read_problems(engine, DAY + ONE_DAY)] == ["lasting"]


def test_a_tracker_that_cannot_be_asked_holds_up_no_mail(
    engine: Engine, post: tuple[SmtpServer, Mailbox], jira: tuple[Settings, JiraState]
) -> None:
    (server, mailbox), (settings, tracker) = post, jira
    judge(engine, DAY, [over()])
    alert(settings, engine, DAY, smtp=server)
    judge(engine, DAY + ONE_DAY, [over(), over("PLEX1/CSQ2")])
    tracker.faults = [500]
    with pytest.raises(ServiceUnavailable, match="500"):
        alert(settings, engine, DAY + ONE_DAY, smtp=server)
    assert len(mailbox.mails) == 2


def test_a_coupling_facility_seen_by_fewer_members_closes_no_ticket_until_all_are_back(
    engine: Engine, post: tuple[SmtpServer, Mailbox], jira: tuple[Settings, JiraState]
) -> None:
    (server, _), (settings, tracker) = post, jira
    lost = feed_day("PLEX1/CF01", kind=FeedKind.member, member="SYS2", state=FeedState.absent)
    busy = cf_finding(severity="act", breach=True, headroom_ratio=-0.2)
    calm = cf_finding(severity="ok", breach=False, headroom_ratio=0.6)
    done: list[str] = []
    for number in range(20):
        day = DAY + number * ONE_DAY
        seen = [lost.model_copy(update={"site_date": day})] if 1 <= number < 12 else []
        replace_feed_days(engine, day, day, seen)
        judge(engine, day, [calm if number else busy])
        alert(settings, engine, day, smtp=server)
        done += [tracker.issues["CAP-1"]["fields"]["status"]["name"]]
    assert done == ["Open"] * 18 + ["Done"] * 2


def test_no_secret_is_left_in_store_mail_audit_record_or_log(
    engine: Engine,
    post: tuple[SmtpServer, Mailbox],
    jira: tuple[Settings, JiraState],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (server, mailbox), (settings, tracker) = post, jira
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(runner, "store_of", lambda _: engine)
    words = ("mail-word", "tracker-word")
    options = {**settings.alerts.ticket_options, "user": "mqcap", "token": words[1]}
    settings = site_with(settings, ticket_options=options)
    secret = server.model_copy(update={"user": "mqcap", "password": SecretStr(words[0])})
    judge(engine, DAY, [over()])
    tracker.faults = [401]
    with pytest.raises(CapacityError) as refused:
        runner.alert(settings, DAY, smtp=secret)
    runner.alert(settings, DAY, smtp=server)
    left = [
        *(str(row) for table in tables.Base.metadata.sorted_tables for row in rows(engine, table)),
        *(mail.as_string() for mail in mailbox.mails),
        audit_record_text(audit_record(engine, DAY)),
        str(tracker.issues),
        caplog.text,
        "".join(traceback.format_exception(refused.value)),
    ]
    assert len(mailbox.mails) == 1
    assert [word for word in words for text in left if word in text] == []


def rows(engine: Engine, table: Table) -> list[Any]:
    with engine.connect() as connection:
        return list(connection.execute(select(table)))


def test_a_queue_manager_that_is_removed_from_the_settings_has_its_ticket_closed_once(
    engine: Engine, jira: tuple[Settings, JiraState]
) -> None:
    settings, tracker = jira

    def with_queue_managers(*names: str) -> Settings:
        plex = Sysplex(sysplex="PLEX1", qmgrs=tuple(QueueManager(name=name) for name in names))
        return settings.model_copy(update={"estate": (plex,)})

    for number in range(4):
        names = ("CSQ1", "CSQ2") if number < 1 else ("CSQ2",)
        findings = [fine("PLEX1/CSQ2"), *([over()] if number < 2 else [])]
        judge(engine, DAY + number * ONE_DAY, findings)
        alert(with_queue_managers(*names), engine, DAY + number * ONE_DAY)
    [issue] = tracker.issues.values()
    assert len([text for text in issue["fields"]["comments"] if "No longer in" in text]) == 1
    assert read_problems(engine, DAY + 3 * ONE_DAY)[0].left_date == DAY + ONE_DAY
