"""Subject lines of mails."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.finding import Severity
from mqcap.notifications.digest import digest
from mqcap.notifications.email_subject import (
    MAX_SUBJECT_LENGTH,
    MailTopic,
    group_subject,
    subject_line,
)
from tests.factories import differing_sources, feed_day, finding
from tests.mqcap.notifications.builders import (
    breached,
    cf_finding,
    log_plan,
    resource_group,
    results,
)
from tests.plan_factories import plan_change


def test_the_subject_has_what_is_wrong_the_operand_and_the_due_day() -> None:
    others = [finding("PLEX1/CSQ2"), cf_finding()]
    notice = digest(results([finding(), *others], [breached(finding())], plans=[log_plan()]))
    assert subject_line(notice) == (
        "ACT CSQ1 active logs: One log fills too fast; 16 x CYL(5825) by 16 Mar 2026 (+2 more)"
    )


@pytest.mark.parametrize(
    ("operand", "end"),
    [
        ("16 x CYL(5825)", "One log fills too fast; 16 x CYL(5825) by 16 Mar 2026 (+8 more)"),
        ("x" * 28, f"One log fills too fast; {'x' * 28} by 16 Mar 2026"),
        ("x" * 40, f"{'x' * 40} by 16 Mar 2026"),
        ("x" * 80, "One log fills too fast"),
    ],
)
def test_what_does_not_fit_is_left_out_and_not_cut(operand: str, end: str) -> None:
    plan = log_plan(changes=(plan_change(typed=operand),))
    line = group_subject(resource_group(finding(), plan=plan), 8)
    assert line.startswith(f"ACT CSQ1 active logs: {end}")
    assert len(line) <= MAX_SUBJECT_LENGTH


@pytest.mark.thorough
@given(st.text(max_size=120), st.text(max_size=60))
def test_every_subject_is_one_short_line(name: str, operand: str) -> None:
    plan = log_plan(f"PLEX1/{name}", changes=(plan_change(typed=operand),))
    line = group_subject(resource_group(finding(f"PLEX1/{name}"), plan=plan), 3)
    assert len(line) <= MAX_SUBJECT_LENGTH
    assert len(line.splitlines()) <= 1


def test_an_event_that_has_ended_gives_way_to_what_still_asks_for_action() -> None:
    event = finding(
        "PLEX1/CSQ2", rule_id="CONSOLE-ARCHIVE", title="Archiving failed", is_event=True,
        has_ended=True, observed=None, limit_value=None, series_id=None, changes=(),
    )  # fmt: skip
    assert subject_line(digest(results([event, finding()]))).startswith("ACT CSQ1 active logs: ")
    assert subject_line(digest(results([event]))).startswith(
        "ACT CSQ2 archive logs: Archiving failed; "
    )


def test_a_quiet_day_and_missing_records_have_subjects_of_their_own() -> None:
    fine = finding(severity=Severity.ok)
    assert subject_line(digest(results([fine]))).startswith("OK: nothing over a limit")
    late = digest(results([fine], feeds=[feed_day(), feed_day("PLEX1/CSQ2")]))
    assert subject_line(late) == (
        "DATA INCOMPLETE PLEX1 CSQ1: Queue manager statistics (SMF 115) partial, 2 Mar 2026"
        " (+1 more)"
    )[:MAX_SUBJECT_LENGTH] or subject_line(late).endswith("(+1 more)")
    differs = digest(results([fine], feeds=[differing_sources()]))
    assert subject_line(differs, MailTopic.data).startswith("DATA DIFFERS PLEX1 CSQ1")
