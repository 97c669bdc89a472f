"""Subject lines of mails."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import Direction
from mqcap.domain.plan import Plan
from mqcap.notifications.digest import digest
from mqcap.notifications.email_subject import (
    MAX_SUBJECT_LENGTH,
    MailTopic,
    brief,
    figure_words,
    group_subject,
    subject_line,
)
from tests.factories import DAY, crossing, differing_sources, feed_day, finding
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import (
    breached,
    cf_finding,
    log_plan,
    resource_group,
    results,
)
from tests.plan_factories import plan, plan_change

RUNWAY = {"unit": "h", "observed": 4.0597, "limit_value": 12.0, "direction": Direction.downward}


def runway(subject: str = "PLEX1/CSQ1") -> Finding:
    return finding(subject, **RUNWAY)


def archiving(**changed: Any) -> Finding:
    """Return the event that archiving failed, which has ended."""
    values = {
        "rule_id": "CONSOLE-ARCHIVE",
        "title": "Archiving failed",
        "is_event": True,
        "has_ended": True,
        "observed": None,
        "limit_value": None,
        "series_id": None,
        "changes": (),
    }
    return finding("PLEX1/CSQ2", **(values | changed))


def archive_plan(*, has_ended: bool = True) -> Plan:
    """Return the plan to find the cause of ``archiving``."""
    return plan(
        resource="PLEX1/CSQ2/archive",
        label="CSQ2 archive logs",
        kind="archive",
        owner_subject="PLEX1/CSQ2",
        worst_rule="CONSOLE-ARCHIVE",
        worst_subject="PLEX1/CSQ2",
        changes=(),
        is_event=True,
        event_has_ended=has_ended,
    )


def test_the_subject_has_the_figure_in_its_natural_unit_the_operand_and_the_due_day() -> None:
    others = [runway("PLEX1/CSQ2"), cf_finding()]
    notice = digest(results([runway(), *others], [breached(runway())], plans=[log_plan()]))
    assert subject_line(notice) == (
        "ACT PLEX1 CSQ1 active logs: 4.1 h of 12 h; 16 x CYL(5825) by 16 Mar (+2 more)"
    )


def test_without_a_plan_the_subject_has_the_date() -> None:
    assert group_subject(resource_group(runway(), breached(runway())), 0) == (
        "ACT PLEX1 CSQ1 active logs: 4.1 h of 12 h; below since 2026-01-30"
    )


def test_a_rate_is_named_by_the_title_of_its_rule() -> None:
    assert figure_words(finding()) == "Log growth that fills one log in 30 minutes"
    assert figure_words(cf_finding()) == "51 %, limit 60 %"
    backups = {"rule_id": "REC-FORMULA-A", "unit": "h", "direction": Direction.downward}
    rare = finding(observed=148.7, limit_value=168.0, **backups)
    assert figure_words(rare) == "6.2 days allowed, 7 days scheduled"
    assert figure_words(cf_finding(observed=None)) == "CF processor busy"
    assert figure_words(cf_finding(limit_value=None)) == "CF processor busy"


@pytest.mark.parametrize(
    ("operand", "end"),
    [
        ("16 x CYL(5825)", "4.1 h of 12 h; 16 x CYL(5825) by 16 Mar (+8 more)"),
        ("x" * 37, f"4.1 h of 12 h; {'x' * 37} by 16 Mar"),
        ("x" * 38, "4.1 h of 12 h; due 16 Mar"),
    ],
)
def test_what_does_not_fit_is_left_out_and_not_cut(operand: str, end: str) -> None:
    plan = log_plan(changes=(plan_change(typed=operand),))
    line = group_subject(resource_group(runway(), plan=plan), 8)
    assert line == f"ACT PLEX1 CSQ1 active logs: {end}"
    assert len(line) <= MAX_SUBJECT_LENGTH


def test_a_title_that_does_not_fit_leaves_resource_and_date() -> None:
    long = finding(title="long " * 20)
    assert group_subject(resource_group(long, breached(long)), 0) == (
        "ACT PLEX1 CSQ1 active logs: over since 2026-01-30"
    )


@pytest.mark.thorough
@given(st.text(max_size=120), st.text(max_size=60))
def test_a_subject_is_one_line_of_at_most_ninety_characters(name: str, operand: str) -> None:
    plan = log_plan(changes=(plan_change(typed=operand),))
    line = group_subject(resource_group(finding(f"PLEX1/{name}", title=name), plan=plan), 3)
    assert len(line) <= MAX_SUBJECT_LENGTH
    assert len(line.splitlines()) == 1


def test_the_subject_names_a_new_problem_before_an_unchanged_one() -> None:
    assert subject_line(builders.estate_digest()).startswith("WATCH PLEX1/CF01: ")


def test_an_event_that_has_ended_comes_after_what_still_asks_for_action() -> None:
    today = results([archiving(), runway()], [breached(runway())], plans=[archive_plan()])
    alone, with_another = digest(results([archiving()], plans=[archive_plan()])), digest(today)
    assert subject_line(alone) == (
        "ACT PLEX1 CSQ2 archive logs: Archiving failed, ended; find the cause"
    )
    assert subject_line(with_another) == (
        "ACT PLEX1 CSQ1 active logs: 4.1 h of 12 h; below since 2026-01-30 (+1 more)"
    )


def test_an_event_that_has_ended_is_new_and_does_not_lead_before_an_older_one_to_act_on() -> None:
    before = results([runway()], [breached(runway())], day=DAY - timedelta(days=1))
    today = results([archiving(), runway()], [breached(runway())], plans=[archive_plan()])
    notice = digest(today, before, builders.QUICK)
    assert notice.by_change[0].resource == "PLEX1/CSQ2/archive"
    assert subject_line(notice).startswith("ACT PLEX1 CSQ1 active logs: 4.1 h of 12 h; ")


def test_an_event_that_has_not_ended_leads() -> None:
    lasting, plan = archiving(has_ended=False), archive_plan(has_ended=False)
    today = results([lasting, runway()], [breached(runway())], plans=[plan])
    assert subject_line(digest(today)) == (
        "ACT PLEX1 CSQ2 archive logs: Archiving failed; find the cause now (+1 more)"
    )


def test_an_event_that_has_ended_is_called_ended_beside_the_change_of_its_plan() -> None:
    event = runway().model_copy(update={"title": "Out of active log space", "has_ended": True})
    group = resource_group(event, plan=log_plan(is_event=True))
    assert group_subject(group, 0) == (
        "ACT PLEX1 CSQ1 active logs: Out of active log space, ended; 16 x CYL(5825) by 16 Mar"
    )


def test_a_long_title_leaves_that_the_event_has_ended() -> None:
    group = resource_group(archiving(title="long " * 20), plan=archive_plan())
    assert group_subject(group, 3) == ("ACT PLEX1 CSQ2 archive logs: event ended; find the cause")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, "expected 2026-04-29"),
        ({"expected_date": None}, "earliest 2026-04-02"),
        ({"state": CrossingState.not_within_horizon, "expected_date": None,
          "earliest_date": None}, "on 2026-03-02"),
    ],
)  # fmt: skip
def test_the_subject_has_the_date_of_a_forecast(changed: dict[str, object], words: str) -> None:
    watch = cf_finding()
    notice = digest(results([watch], [crossing(watch, **changed)]))
    assert subject_line(notice) == (f"WATCH PLEX1/CF01: 51 %, limit 60 %; {words}")


def test_a_word_replaces_the_severity() -> None:
    group = resource_group(runway(), breached(runway()))
    assert group_subject(group, 0, word="PAGE").startswith("PAGE PLEX1 CSQ1 ")


def test_a_resource_that_is_better_than_any_severity_says_so() -> None:
    [over] = resource_group(runway()).problems
    better = over.model_copy(
        update={"status": over.status.model_copy(update={"severity": Severity.ok})}
    )
    group = resource_group(runway(), problems=(better,))
    assert group_subject(group, 0).startswith("BETTER PLEX1 CSQ1 ")


def test_the_brief_line_of_a_resource_is_never_shortened() -> None:
    plan = log_plan(changes=(plan_change(typed="x" * 100),))
    assert brief(resource_group(runway(), plan=plan)) == (
        f"PLEX1 CSQ1 active logs: 4.1 h of 12 h; {'x' * 100} by 16 Mar"
    )


@pytest.mark.parametrize(
    ("observed", "words"),
    [(13.0, "13 h of 12 h (Watch below 13.8 h); "), (13.8, "13.8 h of 12 h; ")],
)
def test_the_brief_line_of_a_figure_within_its_limit_has_the_watch_level_that_it_passes(
    observed: float, words: str
) -> None:
    near = runway().model_copy(update={"observed": observed, "breach": False, "watch_level": 13.8})
    assert words in brief(resource_group(near, plan=log_plan()))


def test_a_mail_is_named_after_the_most_urgent_resource_when_none_is_new() -> None:
    both = [runway(), cf_finding()]
    before = results(both, day=DAY - timedelta(days=1))
    unchanged = digest(results(both), before)
    assert subject_line(unchanged).startswith("ACT PLEX1 CSQ1 active logs: ")


def test_a_mail_about_data_says_when_everything_has_arrived() -> None:
    complete = digest(results([finding(severity=Severity.ok)]))
    assert subject_line(complete, MailTopic.data) == (
        "DATA COMPLETE: all expected records have arrived, 2026-03-02"
    )
    missing = digest(results([finding()], feeds=[feed_day()]))
    assert subject_line(missing, MailTopic.data).startswith("DATA INCOMPLETE PLEX1 CSQ1: ")


def test_sources_that_differ_name_a_mail_only_where_no_records_are_missing() -> None:
    alone = digest(results([finding()], feeds=[differing_sources()]))
    assert subject_line(alone, MailTopic.data) == (
        "DATA DIFFERS PLEX1 CSQ1: Two sources of one figure, 2026-03-02"
    )
    both = digest(results([finding()], feeds=[differing_sources(), feed_day("PLEX1/CSQ2")]))
    assert subject_line(both, MailTopic.data) == ("DATA INCOMPLETE PLEX1 CSQ2: partial (+1 more)")
