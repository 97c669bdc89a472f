"""Content of a digest, which is the same for the same findings."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.crossing import CrossingState
from mqcap.domain.feed import FeedKind, FeedState
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.problem import ProblemState
from mqcap.notifications.email_message import subject_line, summary
from mqcap.presentation.summary_text import count_words
from tests.factories import DAY, crossing, feed_day, finding
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import breached, cf_finding, digest, results

YESTERDAY = DAY - timedelta(days=1)
QUIET = finding(severity=Severity.ok, observed=0.2, breach=False, headroom_ratio=0.6)
severities = st.sampled_from(list(Severity))


@st.composite
def findings(draw: st.DrawFn) -> list[Finding]:
    names = [f"PLEX{n}/CSQ{m}" for n in (1, 2) for m in range(5)]
    made = []
    for subject in draw(st.lists(st.sampled_from(names), unique=True, max_size=8)):
        room = draw(st.floats(-2, 1, allow_nan=False))
        severity = draw(severities)
        made.append(finding(subject, severity=severity, headroom_ratio=room, breach=room < 0))
    return made


def test_problems_are_grouped_by_resource_and_the_most_urgent_group_is_first() -> None:
    soon, over = cf_finding("PLEX1/CF01", rule_id="CF-BUSY-N"), finding("PLEX2/CSQ1")
    also = finding("PLEX2/CSQ1", rule_id="LOG-RUNWAY-12H", headroom_ratio=-0.1)
    apart = finding("PLEX2/CSQ1", rule_id="REC-FORMULA-A", headroom_ratio=-0.1)
    notice = digest(results([soon, also, apart, over], [crossing(soon), breached(over)]))
    resources = [group.resource for group in notice.groups]
    assert resources == ["PLEX2/CSQ1/active_log", "PLEX2/CSQ1/recovery", "PLEX1/CF01"]
    first = [problem.finding.rule_id for problem in notice.groups[0].problems]
    assert first == ["LOG-FILL-30MIN", "LOG-RUNWAY-12H"]
    assert notice.problems[0].over
    assert notice.problems[-1].expected_date == DAY + timedelta(days=58)


def test_only_what_must_be_acted_on_becomes_a_ticket() -> None:
    notice = builders.estate_digest()
    assert [ticket[0].key for ticket in notice.tickets] == ["LOG-FILL-30MIN/PLEX1/CSQ1"]
    assert not notice.quiet


@pytest.mark.parametrize(("severity", "headroom"), [("ok", 0.5), ("suggestion", None)])
def test_nothing_over_and_nothing_crossing_is_quiet_and_a_suggestion_is_in_order(
    severity: str, headroom: float | None
) -> None:
    fine = finding(severity=severity, breach=False, headroom_ratio=headroom)
    later = crossing(fine, state=CrossingState.not_within_horizon, expected_date=None)
    notice = digest(results([fine], [later] if headroom else []))
    assert notice.quiet
    assert (notice.problems, notice.tickets, notice.unknown) == ((), (), ())
    assert notice.in_order == ("LOG-FILL-30MIN/PLEX1/CSQ1",)


def test_a_problem_that_is_in_order_again_is_resolved_and_one_that_is_not_judged_is_not() -> None:
    before = results([finding()], day=YESTERDAY)
    fine = finding(severity=Severity.ok, breach=False, headroom_ratio=0.2)
    assert digest(results([fine]), before, builders.QUICK).resolved == (fine,)
    lost = finding(severity=Severity.unknown, breach=None, headroom_ratio=None)
    notice = digest(results([lost]), before)
    assert notice.unknown == (lost,)
    assert notice.resolved == digest(results([]), before).resolved == ()


@pytest.mark.thorough
@given(findings(), st.randoms())
def test_the_order_of_findings_does_not_matter(made: list[Finding], random: Any) -> None:
    crossings = [crossing(item) for item in made]
    notice = digest(results(made, crossings))
    random.shuffle(made)
    random.shuffle(crossings)
    assert digest(results(made, crossings)) == notice
    assert digest(results(made, crossings)).sha256 == notice.sha256


@pytest.mark.thorough
@given(findings())
def test_every_finding_is_in_exactly_one_place(made: list[Finding]) -> None:
    notice = digest(results(made))
    assert len(notice.problems) + len(notice.unknown) + len(notice.in_order) == len(made)
    keys = [problem.key for problem in notice.problems]
    assert len(set(keys)) == len(keys)
    assert keys == [problem.key for problem in sorted(notice.problems, key=lambda p: p.urgency)]


@given(findings(), st.floats(-0.02, 0.02))
def test_a_little_noise_makes_nothing_worse(made: list[Finding], noise: float) -> None:
    before = results(made, day=YESTERDAY)
    moved = [{"headroom_ratio": (item.headroom_ratio or 0.0) + noise} for item in made]
    noisy = [item.model_copy(update=each) for item, each in zip(made, moved, strict=True)]
    notice = digest(results(noisy), before)
    assert {problem.state for problem in notice.problems} <= {ProblemState.lasting}
    assert notice.resolved == ()


@pytest.mark.thorough
@given(findings(), st.data())
def test_another_subjects_findings_do_not_move_ours(
    made: list[Finding], data: st.DataObject
) -> None:
    mine = finding("PLEX9/MINE", severity=data.draw(severities))
    alone, together = digest(results([mine])), digest(results([*made, mine]))
    assert [p for p in together.problems if p.finding == mine] == list(alone.problems)


def test_a_superseded_finding_is_neither_listed_nor_missing() -> None:
    alone = finding()
    led = finding(rule_id="LOG-RATE-MBH", superseded_by="LOG-FILL-30MIN")
    notice = digest(results([alone, led], [breached(alone)]))
    assert [problem.key for problem in notice.problems] == ["LOG-FILL-30MIN/PLEX1/CSQ1"]
    before = results([finding(rule_id="LOG-RATE-MBH")], [], YESTERDAY)
    later = digest(results([alone, led], [breached(alone)]), before)
    assert [problem.key for problem in later.problems] == ["LOG-FILL-30MIN/PLEX1/CSQ1"]
    assert later.unseen == ()


def test_a_missing_feed_is_no_all_clear() -> None:
    notice = digest(results([QUIET], feeds=[feed_day()]))
    assert notice.quiet
    assert not notice.all_clear
    assert subject_line(notice) == (
        "DATA INCOMPLETE PLEX1 CSQ1: Queue manager statistics (SMF 115) partial, 2 Mar 2026"
    )
    assert "1 feed of records incomplete" in summary(notice)


def test_further_missing_feeds_are_counted_and_a_member_is_named() -> None:
    lost = feed_day("PLEX1/CF01", kind=FeedKind.member, member="SYS2", state=FeedState.never_seen)
    notice = digest(results([QUIET], feeds=[lost, feed_day()]))
    assert subject_line(notice).startswith("DATA INCOMPLETE PLEX1 CF01 from SYS2: ")
    assert "never seen" in subject_line(notice)
    assert subject_line(notice).endswith("(+1 more)")


@pytest.mark.parametrize("state", [FeedState.complete, FeedState.stopped])
def test_a_complete_day_and_a_known_stop_are_no_data_findings(state: FeedState) -> None:
    notice = digest(results([QUIET], feeds=[feed_day(state=state)]))
    assert notice.data == ()
    assert subject_line(notice).startswith("OK:")


def test_a_feed_that_is_missing_or_back_is_a_change_and_its_figures_are_not() -> None:
    before = digest(results([QUIET]))
    first = digest(results([QUIET], feeds=[feed_day()]))
    later = digest(results([QUIET], feeds=[feed_day(received_seconds=80_000.0)]))
    assert before.alerts_sha256 != first.alerts_sha256 == later.alerts_sha256


def test_a_group_has_the_plan_of_its_resource_and_the_day_counts_findings_and_plans() -> None:
    plan = builders.log_plan(changed_on=DAY)
    soon = cf_finding()
    notice = digest(results([finding(), soon], [crossing(soon)], plans=[plan]))
    assert notice.group_of("PLEX1/CSQ1/active_log").plan == plan
    assert [group.plan for group in notice.groups] == [plan, None]
    counts = count_words([group.row for group in notice.groups])
    assert summary(notice).startswith(f"{counts} 2 new, 0 changed, 0 resolved.")


def test_a_changed_plan_is_a_change_of_the_day_and_of_its_alerts() -> None:
    before = results([finding()], day=YESTERDAY)
    same, changed = (
        digest(results([finding()], plans=[builders.log_plan(changed_on=day)]), before)
        for day in (None, DAY)
    )
    assert (same.has_changes, changed.has_changes) == (False, True)
    assert same.alerts_sha256 != changed.alerts_sha256
