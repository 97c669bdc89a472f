"""Urgency of a notice: time, probability and class of the system."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.estate import Estate, QueueManager, Sysplex
from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.feed import FeedState
from mqcap.domain.finding import Finding, Severity
from mqcap.notifications.grading import DailyEvaluation, daily_evaluations, probability_within
from tests.factories import DAY, crossing, feed_day, finding
from tests.mqcap.notifications.builders import NO_SITE, cf_finding

TEST = QueueManager(name="CSQT", system_class=SystemClass.test)
RECOVERY = QueueManager(name="CSQD", system_class=SystemClass.disaster_recovery)
PLEX1 = Sysplex(sysplex="PLEX1", qmgrs=(QueueManager(name="CSQ1"), TEST, RECOVERY))
ESTATE = Estate(sysplexes=(PLEX1, Sysplex(sysplex="PLEX2", qmgrs=(TEST,))))


def seen(of: Finding, its_crossing: Crossing | None = None) -> DailyEvaluation:
    crossings = [its_crossing] if its_crossing else []
    [only] = daily_evaluations([of], crossings, [], NO_SITE._replace(estate=ESTATE))
    return only


def in_days(of: Finding, days: int) -> Crossing:
    return crossing(
        of,
        earliest_date=DAY + timedelta(days=days // 2),
        expected_date=DAY + timedelta(days=days),
        latest_date=DAY + timedelta(days=2 * days),
    )


@pytest.mark.parametrize(
    ("days", "share"), [(0, 0.0), (31, 0.1), (58, 0.5), (119, 0.9), (200, 0.9), (15, 0.0484)]
)
def test_the_probability_is_interpolated_between_crossing_dates(days: int, share: float) -> None:
    probability = probability_within(crossing(cf_finding()), days, 0.8)
    assert probability == pytest.approx(share, abs=0.001)


@pytest.mark.parametrize(
    ("facts", "days", "probability"),
    [
        ({"probability_30_days": 0.37, "probability_90_days": 0.6}, 30, 0.37),
        ({"probability_30_days": 0.37, "probability_90_days": 0.6}, 90, 0.6),
        ({"probability_30_days": 0.37, "probability_90_days": 0.6}, 58, 0.5),
        ({"state": CrossingState.unknown}, 30, None),
        ({"state": CrossingState.not_within_horizon}, 30, 0.0),
        ({"state": CrossingState.breached}, 30, 1.0),
    ],
)
def test_what_the_crossing_states_itself_comes_first(
    facts: dict[str, Any], days: int, probability: float | None
) -> None:
    assert probability_within(crossing(cf_finding(), **facts), days, 0.8) == probability


@given(st.integers(0, 400), st.integers(0, 400), st.floats(0.1, 0.99))
def test_a_longer_time_is_never_less_likely(item: int, two: int, width: float) -> None:
    of = crossing(cf_finding())
    first, last = sorted((item, two))
    early, late = (probability_within(of, days, width) or 0.0 for days in (first, last))
    assert 0.0 <= early <= late <= 1.0


@pytest.mark.parametrize(
    ("name", "days", "severity"),
    [
        ("CSQ1", 20, "act"), ("CSQD", 20, "act"), ("CSQT", 20, "watch"),
        ("CSQ1", 80, "watch"), ("CSQD", 29, "watch"), ("CSQT", 170, "ok"),
    ],
)  # fmt: skip
def test_the_same_date_is_less_urgent_on_a_lesser_system(
    name: str, days: int, severity: str
) -> None:
    of = finding(f"PLEX1/{name}", breach=False, headroom_ratio=0.3)
    assert seen(of, in_days(of, days)).severity == severity


def test_a_notice_is_never_graded_above_the_rule() -> None:
    of = finding(breach=False, headroom_ratio=0.3, severity=Severity.watch)
    assert seen(of, in_days(of, 5)).severity is Severity.watch
    fine = of.model_copy(update={"severity": Severity.ok})
    assert seen(fine, in_days(fine, 5)).severity is Severity.ok


@pytest.mark.parametrize(
    ("name", "severity", "production"),
    [("CSQ1", "act", True), ("CSQD", "act", False), ("CSQT", "watch", False)],
)
def test_a_breach_is_one_to_act_on_except_on_a_test_system(
    name: str, severity: str, production: bool
) -> None:
    graded = seen(finding(f"PLEX1/{name}"))
    assert (graded.severity, graded.production) == (severity, production)


def test_the_clear_level_is_further_from_the_limit_than_the_raise_level() -> None:
    for headroom, clear in ((0.10, False), (0.19, False), (0.21, True), (None, True)):
        of = finding(severity=Severity.ok, breach=False, headroom_ratio=headroom)
        assert seen(of).clear is clear


def test_a_date_just_after_the_watch_horizon_is_not_clear() -> None:
    of = finding(severity=Severity.ok, breach=False, headroom_ratio=0.5)
    assert not seen(of, in_days(of, 100)).clear
    assert seen(of, in_days(of, 105)).clear


@pytest.mark.parametrize(
    ("lacking", "complete"),
    [("PLEX1/CSQ1", False), ("PLEX1/CSQ1/CHINIT", False), ("PLEX1/CSQ2", True)],
)
def test_missing_records_of_a_subject_or_of_its_parts_make_its_day_incomplete(
    lacking: str, complete: bool
) -> None:
    [only] = daily_evaluations([finding()], [], [feed_day(lacking)], NO_SITE)
    assert only.complete is complete
    stopped = feed_day(lacking, state=FeedState.stopped)
    [other] = daily_evaluations([finding()], [], [stopped], NO_SITE)
    assert other.complete
