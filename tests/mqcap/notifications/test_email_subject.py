"""Subject lines of mails."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Direction
from mqcap.notifications.digest import digest
from mqcap.notifications.email_subject import (
    MAX_SUBJECT_LENGTH,
    MailTopic,
    lead_problem,
    problem_subject,
    subject_line,
)
from tests.factories import DAY, crossing, feed_day, finding
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import breached, cf_finding, problem, results


def test_the_subject_has_severity_sysplex_resource_figure_and_date() -> None:
    notice = digest(results([cf_finding(), finding()], [breached(finding())]))
    assert subject_line(notice) == (
        "ACT PLEX1 CSQ1 Log growth that fills one log in 30 minutes: "
        "Log growth 4,320 MB/hour, limit 2,001.6 MB/hour, over since 2026-01-30 (+1 more)"
    )


def test_a_long_title_is_cut_in_the_subject_and_not_the_figure_nor_the_date() -> None:
    notice = digest(results([finding(title="long " * 40)], [breached(finding())]))
    line = subject_line(notice)
    assert len(line) <= MAX_SUBJECT_LENGTH
    assert " long…: " in line
    assert line.startswith("ACT PLEX1 CSQ1 long ")
    assert line.endswith(": Log growth 4,320 MB/hour, limit 2,001.6 MB/hour, over since 2026-01-30")


def test_the_subject_names_a_new_problem_before_an_unchanged_one() -> None:
    assert subject_line(builders.estate_digest()).startswith("WATCH PLEX1 CF01 ")


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
    assert subject_line(notice) == (
        f"WATCH PLEX1 CF01 CF processor busy: 51 %, limit 60 %, {words}"
    )


def test_a_word_replaces_the_severity_and_the_others_are_counted() -> None:
    over = problem(finding(), breached(finding()))
    assert problem_subject(over, 2, word="PAGE").startswith("PAGE PLEX1 CSQ1 ")
    assert problem_subject(over, 2).endswith(" (+2 more)")
    assert "more)" not in problem_subject(over, 0)


def test_a_problem_that_is_better_than_any_severity_says_so() -> None:
    over = problem(finding(), breached(finding()))
    better = over.model_copy(
        update={"status": over.status.model_copy(update={"severity": Severity.ok})}
    )
    assert problem_subject(better, 0).startswith("BETTER PLEX1 CSQ1 ")


def test_a_breach_of_a_lowest_limit_is_below_it() -> None:
    low = finding(direction=Direction.downward)
    assert problem_subject(problem(low, breached(low)), 0).endswith("below since 2026-01-30")


def test_the_name_of_a_part_is_separated_by_blanks() -> None:
    pool = finding("PLEX1/CSQ1/BP03")
    assert problem_subject(problem(pool), 0).startswith("ACT PLEX1 CSQ1 BP03 ")


def test_a_mail_is_named_after_the_most_urgent_problem_when_none_is_new() -> None:
    both = [finding(), cf_finding()]
    before = results(both, day=DAY - timedelta(days=1))
    unchanged = digest(results(both), before)
    assert lead_problem(unchanged).finding == both[0]


def test_a_mail_about_data_says_when_everything_has_arrived() -> None:
    complete = digest(results([finding(severity=Severity.ok)]))
    assert subject_line(complete, MailTopic.data) == (
        "DATA COMPLETE: all expected records have arrived, 2026-03-02"
    )
    missing = digest(results([finding()], feeds=[feed_day()]))
    assert subject_line(missing, MailTopic.data).startswith("DATA INCOMPLETE PLEX1 CSQ1: ")
