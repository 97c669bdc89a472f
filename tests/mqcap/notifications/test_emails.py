"""Emails of a day: which are due, to whom, and with what from the store."""

from datetime import timedelta
from email import message_from_string, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.delivery import Channel, Delivery, Stage
from mqcap.domain.finding import Severity
from mqcap.domain.plan import Plan
from mqcap.domain.problem import ProblemState
from mqcap.notifications.digest import Digest
from mqcap.notifications.emails import DailyEmails
from mqcap.store.observations import replace_observations
from mqcap.store.outbox import save_delivery
from mqcap.store.tickets import save_ticket
from tests.factories import (
    DAY,
    crossing,
    delivery,
    feed_day,
    finding,
    observation,
    problem_day,
    ticket,
)
from tests.mqcap.notifications.builders import (
    breached,
    cf_finding,
    digest,
    digest_of,
    log_plan,
    results,
)
from tests.mqcap.steps.notify.builders import site

YESTERDAY = DAY - timedelta(days=1)
TO = "mq-team@example.com, planners@example.com"
QUIET: dict[str, Any] = {"weekly_digest": "never"}


def mails(
    engine: Engine, folder: Path, notice: Digest, *, replay: bool = False, **alerts: Any
) -> list[Delivery]:
    return DailyEmails(site(folder, **alerts), engine, notice, replay=replay).all()


def lasting(*plans: Plan) -> Digest:
    """The digest of a day on which one problem lasts."""
    status = problem_day(state=ProblemState.lasting, notified_date=YESTERDAY)
    return digest_of(results([finding()], plans=plans), [status], results([], day=YESTERDAY))


def notified_before(engine: Engine) -> None:
    sent = delivery(site_date=YESTERDAY, recipient=TO, stage=Stage.sent)
    save_delivery(engine, sent)


def text(mail: Delivery) -> str:
    message = message_from_string(mail.content, policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    return "" if body is None else str(body.get_content())


def test_a_new_problem_is_a_mail_to_the_planners(engine: Engine, tmp_path: Path) -> None:
    [mail] = mails(engine, tmp_path, digest(results([finding()])), **QUIET)
    assert (mail.channel, mail.recipient, mail.stage) == (Channel.mail, TO, Stage.pending)
    assert mail.subject_line.startswith("ACT CSQ1 ")


@pytest.mark.parametrize(("weekly", "count"), [("never", 0), ("monday", 1), ("tuesday", 0)])
def test_an_unchanged_day_has_the_weekly_mail_or_none(
    engine: Engine, tmp_path: Path, weekly: str, count: int
) -> None:
    notified_before(engine)
    assert len(mails(engine, tmp_path, lasting(), weekly_digest=weekly)) == count


def test_the_first_day_of_a_store_has_a_mail(engine: Engine, tmp_path: Path) -> None:
    quiet = digest(results([finding(severity=Severity.ok)]))
    [mail] = mails(engine, tmp_path, quiet, **QUIET)
    assert mail.subject_line.startswith("OK: ")


def test_what_was_only_replayed_is_notified_by_the_first_live_run(
    engine: Engine, tmp_path: Path
) -> None:
    assert len(mails(engine, tmp_path, lasting(), **QUIET)) == 1
    assert mails(engine, tmp_path, lasting(), replay=True, **QUIET) == []


def test_a_replay_makes_the_same_mail_for_the_store_only(engine: Engine, tmp_path: Path) -> None:
    notice = digest(results([finding()]))
    [live] = mails(engine, tmp_path, notice)
    [replayed] = mails(engine, tmp_path, notice, replay=True)
    assert (replayed.stage, replayed.replay) == (Stage.replayed, True)
    assert (replayed.delivery_id, replayed.content) == (live.delivery_id, live.content)


def test_missing_records_are_in_the_mail_or_in_one_of_their_own(
    engine: Engine, tmp_path: Path
) -> None:
    before = results([], day=YESTERDAY)
    notice = digest(results([finding(severity=Severity.ok)], feeds=[feed_day()]), before)
    [together] = mails(engine, tmp_path, notice, **QUIET)
    assert together.subject_line.startswith("DATA INCOMPLETE ")
    [apart] = mails(engine, tmp_path, notice, data_mail_to=("data@example.com",), **QUIET)
    assert (apart.channel, apart.recipient) == (Channel.data, "data@example.com")


def test_a_measured_breach_pages_when_somebody_is_on_call(engine: Engine, tmp_path: Path) -> None:
    notice = digest(results([finding()], [breached(finding())]))
    page, mail = mails(engine, tmp_path, notice, page_to=("pager@example.com",))
    assert (page.channel, page.recipient) == (Channel.page, "pager@example.com")
    assert mail.channel is Channel.mail


def test_the_mail_names_the_ticket_of_the_day_and_no_later_one(
    engine: Engine, tmp_path: Path
) -> None:
    save_ticket(engine, ticket(external_ref="MQCAP-1"), "embedded")
    later = {"first_seen_date": DAY + timedelta(days=9), "last_seen_date": DAY + timedelta(days=9)}
    save_ticket(engine, ticket(dedupe_key="R/PLEX1/CSQ2", external_ref="MQCAP-2", **later),
                "embedded")  # fmt: skip
    notice = digest(results([finding(), finding("PLEX1/CSQ2", rule_id="R")]))
    [mail] = mails(engine, tmp_path, notice)
    assert "MQCAP-1" in mail.content
    assert "MQCAP-2" not in mail.content


def test_the_mail_repeats_what_could_not_be_delivered(engine: Engine, tmp_path: Path) -> None:
    lost = delivery(site_date=YESTERDAY, recipient=TO, stage=Stage.unconfirmed)
    save_delivery(engine, lost)
    [mail] = mails(engine, tmp_path, digest(results([finding()])))
    words = "Repeats the mail of 1 Mar 2026, which could not be delivered."
    assert words in text(mail)
    [replayed] = mails(engine, tmp_path, digest(results([finding()])), replay=True)
    assert words not in text(replayed)


def test_a_changed_plan_of_a_standing_problem_is_a_mail(engine: Engine, tmp_path: Path) -> None:
    notified_before(engine)
    [mail] = mails(engine, tmp_path, lasting(log_plan(changed_on=DAY)), **QUIET)
    assert "NEW OR CHANGED" in text(mail)
    for earlier in (None, YESTERDAY):
        assert mails(engine, tmp_path, lasting(log_plan(changed_on=earlier)), **QUIET) == []


def test_rows_have_the_line_of_their_series(engine: Engine, tmp_path: Path) -> None:
    of = cf_finding()
    observed = [
        observation(series_id=of.series_id, site_date=DAY - timedelta(days=back), peak=50.0 - back)
        for back in range(20)
    ]
    replace_observations(engine, [day.site_date for day in observed], observed, {})
    [mail] = mails(engine, tmp_path, digest(results([of], [crossing(of)])), **QUIET)
    assert mail.content.count("Content-Type: image/png") == 1
