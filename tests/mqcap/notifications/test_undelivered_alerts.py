"""Alerts of emails that were not delivered: repeated by the next mail, the rows merged."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.delivery import Channel, Stage
from mqcap.domain.finding import Severity
from mqcap.domain.problem import ProblemDay, ProblemState
from mqcap.notifications.digest import Digest
from mqcap.notifications.emails import merge_pending_mails, with_undelivered_alerts
from mqcap.store.findings import replace_findings
from mqcap.store.outbox import find_delivery, save_delivery
from mqcap.store.problems import replace_problems
from tests.factories import DAY, delivery, finding, problem_day
from tests.mqcap.notifications.builders import digest_of, log_plan, results

YESTERDAY = DAY - timedelta(days=1)
KEY = "LOG-FILL-30MIN/PLEX1/CSQ1"


def stored(engine: Engine, day: date, **changed: Any) -> ProblemDay:
    problem = problem_day(site_date=day, **changed)
    replace_problems(engine, day, [problem])
    return problem


def lasting_digest(engine: Engine) -> Digest:
    today = stored(engine, DAY, state=ProblemState.lasting, notified_date=YESTERDAY)
    return digest_of(results([finding()]), [today])


@pytest.mark.parametrize(
    ("day", "then"),
    [
        (YESTERDAY, ProblemState.new),
        (YESTERDAY, ProblemState.worsening),
        (YESTERDAY - timedelta(days=1), ProblemState.lasting),
    ],
    ids=["new", "worse", "notified on another day"],
)
def test_what_was_new_on_an_undelivered_day_is_shown_so_again(
    engine: Engine, day: date, then: ProblemState
) -> None:
    stored(engine, day, state=then, notified_date=day)
    repeated = with_undelivered_alerts(engine, lasting_digest(engine), [day])
    assert [problem.state for problem in repeated.problems] == [then]
    assert repeated.has_changes is (day == YESTERDAY)


def test_without_undelivered_days_the_digest_is_unchanged(engine: Engine) -> None:
    digest = lasting_digest(engine)
    assert with_undelivered_alerts(engine, digest, []) is digest


def test_a_newer_change_of_the_problem_is_kept(engine: Engine) -> None:
    stored(engine, YESTERDAY, state=ProblemState.new, notified_date=YESTERDAY)
    worse = stored(engine, DAY, state=ProblemState.worsening, notified_date=DAY)
    digest = digest_of(results([finding()]), [worse])
    repeated = with_undelivered_alerts(engine, digest, [YESTERDAY])
    assert [problem.state for problem in repeated.problems] == [ProblemState.worsening]


def test_what_was_resolved_on_an_undelivered_day_is_listed_as_resolved(engine: Engine) -> None:
    fine = finding(severity=Severity.ok, breach=False, headroom_ratio=0.6)
    stored(engine, YESTERDAY, state=ProblemState.resolved, resolved_date=YESTERDAY)
    today = stored(engine, DAY, state=ProblemState.resolved, resolved_date=YESTERDAY)
    replace_findings(engine, DAY, [fine])
    replace_problems(engine, DAY, [today])
    digest = digest_of(results([fine]), [today])
    assert digest.resolved == ()
    assert with_undelivered_alerts(engine, digest, [YESTERDAY]).resolved == (fine,)


@pytest.mark.parametrize(
    ("error", "reason"),
    [("server is down", "server is down"), (None, "no attempt was made to send it")],
)
def test_a_pending_mail_of_an_earlier_day_is_merged_into_the_mail_of_today(
    engine: Engine, error: str | None, reason: str
) -> None:
    old = delivery(delivery_id="old", site_date=YESTERDAY, error=error)
    save_delivery(engine, old)
    merge_pending_mails(engine, delivery(delivery_id="new"))
    words = f"merged into the email of {DAY}; {reason}"
    assert find_delivery(engine, "old") == old.model_copy(
        update={"stage": Stage.merged, "error": words}
    )


@pytest.mark.parametrize(
    ("changed", "channel"),
    [
        ({"recipient": "others@example.com"}, Channel.mail),
        ({"channel": Channel.data}, Channel.mail),
        ({"site_date": DAY}, Channel.mail),
        ({"stage": Stage.posting}, Channel.mail),
        *(({"channel": channel}, channel) for channel in (Channel.page, Channel.ticket)),
    ],
    ids=["recipients", "channel", "same day", "perhaps delivered", "pages", "tickets"],
)
def test_other_deliveries_stay_as_they_are(
    engine: Engine, changed: dict[str, Any], channel: Channel
) -> None:
    old = delivery(**({"delivery_id": "old", "site_date": YESTERDAY} | changed))
    save_delivery(engine, old)
    merge_pending_mails(engine, delivery(delivery_id="new", channel=channel))
    assert find_delivery(engine, "old") == old


@pytest.mark.parametrize(("changed_on", "is_changed"), [(YESTERDAY, True), (None, False)])
def test_a_plan_that_changed_on_an_undelivered_day_is_shown_as_changed(
    engine: Engine, changed_on: date | None, is_changed: bool
) -> None:
    stored(engine, YESTERDAY, state=ProblemState.lasting)
    today = stored(engine, DAY, state=ProblemState.lasting, notified_date=DAY - timedelta(days=9))
    plans = [log_plan(changed_on=changed_on)]
    notice = digest_of(results([finding()], plans=plans), [today])
    [group] = with_undelivered_alerts(engine, notice, [YESTERDAY]).groups
    assert group.is_new_or_changed is is_changed
