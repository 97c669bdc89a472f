"""The state of a problem over the days: raised, worse, acknowledged, better, resolved, back."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqcap.domain.finding import Severity
from mqcap.domain.problem import Acknowledgement, AcknowledgementKind, ProblemDay, ProblemState
from mqcap.notifications.grading import DailyEvaluation
from mqcap.notifications.problem_states import EstateOfDay, advance
from mqcap.settings import AlertSettings

DAY = date(2026, 3, 2)
KEY = "LOG-FILL-30MIN/PLEX1/CSQ1"
POLICY = AlertSettings()
OVER: dict[str, Any] = {"severity": Severity.act, "over": True, "headroom": -0.1}
SOON: dict[str, Any] = {
    "severity": Severity.watch, "headroom": 0.2, "expected_date": DAY + timedelta(days=80),
}  # fmt: skip
FINE: dict[str, Any] = {"severity": Severity.ok, "headroom": 0.5, "clear": True}
NEAR: dict[str, Any] = {"severity": Severity.ok, "headroom": 0.17, "clear": False}
LOST: dict[str, Any] = {"severity": Severity.unknown}


def sight(key: str = KEY, **values: Any) -> DailyEvaluation:
    return DailyEvaluation(key=key, **values)


def live(
    days: Iterable[dict[str, Any] | None],
    marks: dict[str, Acknowledgement] | None = None,
    policy: AlertSettings = POLICY,
) -> list[ProblemDay | None]:
    """The problem on each day; a day that is ``None`` has no finding of it."""
    problem_days: list[ProblemDay] = []
    result = []
    for number, values in enumerate(days):
        seen = [sight(**values)] if values else []
        problem_days = advance(
            problem_days,
            seen,
            marks or {},
            policy,
            day=DAY + timedelta(days=number),
            judged_before=min(number, policy.raise_window_days),
        )
        result.append(problem_days[0] if problem_days else None)
    return result


def states(days: Iterable[dict[str, Any] | None], **more: Any) -> list[str]:
    return [item.state.value if item else "-" for item in live(days, **more)]


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ([FINE, OVER, OVER, OVER], "- new lasting lasting"),
        ([FINE, FINE, SOON, FINE, SOON], "- - pending pending new"),
        ([FINE, FINE, SOON, FINE, FINE, FINE], "- - pending pending pending -"),
        ([SOON], "new"),
        ([OVER, *[FINE] * 40], f"new {'improving ' * 6}resolved {'resolved ' * 30}- - -"),
        ([OVER, *[FINE] * 6, NEAR, *[FINE] * 7], f"new {'improving ' * 13}resolved"),
        ([{**OVER, "headroom": -0.05}, {**OVER, "headroom": -0.09}], "new lasting"),
        ([{**OVER, "headroom": -0.05}, {**OVER, "headroom": 0.01}], "new improving"),
        ([SOON, {**SOON, "expected_date": DAY + timedelta(days=67)}], "new lasting"),
        ([SOON, {**SOON, "expected_date": DAY + timedelta(days=110)}], "new lasting"),
    ],
    ids=["a breach at once", "two of three", "one of three", "the very first day", "dropped",
         "a day between the levels", "hardly worse", "better", "hardly earlier", "later"],
)  # fmt: skip
def test_a_problem_is_notified_when_enough_days_agree_and_resolved_after_enough_clean_ones(
    days: list[dict[str, Any]], expected: str
) -> None:
    assert " ".join(states(days)) == expected


def test_days_without_complete_data_neither_resolve_nor_count_against() -> None:
    partial = {**FINE, "complete": False}
    assert "resolved" not in states([OVER, *[partial] * 60])
    assert "resolved" not in states([OVER, *[LOST] * 60])
    assert "resolved" not in states([OVER, *[None] * 60])
    assert states([OVER, *[FINE] * 3, LOST, partial, *[FINE] * 4])[-1] == "resolved"


def test_what_comes_back_soon_is_reopened_and_later_is_new() -> None:
    for fine_days, state, raised in (
        (27, ProblemState.reopened, DAY),
        (38, ProblemState.new, DAY + timedelta(days=39)),
    ):
        last = live([OVER, *[FINE] * fine_days, OVER])[-1]
        assert last is not None
        assert (last.state, last.raised_date) == (state, raised)


def test_a_breach_after_a_reopened_forecast_is_notified_and_may_page() -> None:
    course = live([OVER, *[FINE] * 8, SOON, SOON, OVER, OVER])
    last = [item for item in course[-4:] if item]
    assert [item.state.value for item in last] == ["resolved", "reopened", "worsening", "lasting"]
    assert [item.pages for item in last] == [False, False, True, False]
    assert states([{**OVER, "headroom": -0.5}, *[FINE] * 8, OVER, OVER])[-1] == "lasting"


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (SOON, {**SOON, "severity": Severity.act}),
        ({**SOON, "expected_date": None}, {**SOON, "expected_date": None, "headroom": 0.14}),
        (SOON, {**SOON, "expected_date": DAY + timedelta(days=66)}),
        (SOON, OVER),
        ({**OVER, "headroom": -0.05}, {**OVER, "headroom": -0.1}),
    ],
)
def test_clearly_worse_is_notified_once(before: dict[str, Any], now: dict[str, Any]) -> None:
    assert states([before, before, now, now]) == ["new", "lasting", "worsening", "lasting"]


def test_a_slow_decline_is_compared_with_the_last_notification_and_not_with_yesterday() -> None:
    growth = [{**SOON, "headroom": 0.3 - step * 0.01} for step in range(30)]
    assert states({**day, "expected_date": None} for day in growth).count("worsening") in {5, 6}
    assert states(growth) == ["new", *["lasting"] * 29], "as forecast"


def test_a_problem_between_two_severities_is_notified_once_for_each() -> None:
    act = {**SOON, "severity": Severity.act}
    course = states([SOON, act] * 30)
    assert course.count("new") == course.count("worsening") == 1
    assert {*course[2:]} == {"improving", "lasting"}


def mark(
    kind: AcknowledgementKind, noted: int = 1, until: int | None = None
) -> dict[str, Acknowledgement]:
    end = None if until is None else DAY + timedelta(days=until)
    noted_date = DAY + timedelta(days=noted)
    return {KEY: Acknowledgement(key=KEY, kind=kind, noted_date=noted_date, until_date=end)}


ACKNOWLEDGED, ACCEPTED = AcknowledgementKind.acknowledged, AcknowledgementKind.accepted_until
WORSE: dict[str, Any] = {**OVER, "headroom": -0.3}
BACK = [OVER, OVER, *[FINE] * 7, OVER, OVER]


@pytest.mark.parametrize(
    ("days", "marks", "expected"),
    [
        ([OVER] * 4, mark(ACKNOWLEDGED, noted=2), "new lasting acknowledged acknowledged"),
        *(
            ([OVER, OVER, WORSE, WORSE], mark(kind), "new acknowledged worsening acknowledged")
            for kind in (ACKNOWLEDGED, AcknowledgementKind.known_project)
        ),
        (
            [OVER, OVER, WORSE, WORSE],
            mark(ACCEPTED, until=2),
            "new acknowledged acknowledged worsening",
        ),
        ([OVER] * 5, mark(ACCEPTED, until=2), "new acknowledged acknowledged reopened lasting"),
        ([SOON, SOON, OVER], mark(ACCEPTED, until=90), "new acknowledged worsening"),
        (
            [OVER, OVER, WORSE, *[FINE] * 7],
            mark(AcknowledgementKind.false_alarm),
            f"new acknowledged acknowledged {'improving ' * 6}resolved",
        ),
    ],
    ids=["not before its day", "worse", "worse project", "worse after its date", "after its date",
         "a breach of an accepted forecast", "a false alarm"],
)  # fmt: skip
def test_an_acknowledged_problem_is_notified_when_it_gets_worse_or_its_date_is_over(
    days: list[dict[str, Any]], marks: dict[str, Acknowledgement], expected: str
) -> None:
    assert " ".join(states(days, marks=marks)) == expected


def test_an_acknowledgement_of_an_older_ticket_does_not_cover_a_new_one() -> None:
    far = [OVER, OVER, *[FINE] * 7, *[FINE] * 31, OVER, OVER, {**OVER, "headroom": -0.9}]
    for kind in set(AcknowledgementKind) - {ACCEPTED}:
        assert states(far, marks=mark(kind))[-3:] == ["new", "lasting", "worsening"]
    accepted = states(far, marks=mark(ACCEPTED, until=200))
    assert accepted[-3:] == ["new", "acknowledged", "acknowledged"]


def test_an_accepted_risk_that_comes_back_before_its_date_is_not_notified_again() -> None:
    course = live(BACK, marks=mark(ACCEPTED, until=60))
    assert not any(item.is_new_or_changed for item in course[9:] if item)
    for marks, last in (
        (mark(ACCEPTED, until=60), ["acknowledged", "acknowledged"]),
        (mark(ACCEPTED, until=5), ["reopened", "lasting"]),
        (mark(ACKNOWLEDGED), ["reopened", "acknowledged"]),
    ):
        assert states(BACK, marks=marks)[-2:] == last


def test_a_forecast_never_pages_and_a_breach_of_production_does_once() -> None:
    act = {**SOON, "severity": Severity.act}
    for days, pages in (
        ([act, act, OVER, OVER], [False, False, True, False]),
        ([OVER, {**OVER, "headroom": -0.4}], [True, False]),
        ([{**OVER, "production": False}] * 3, [False] * 3),
    ):
        assert [item.pages for item in live(days) if item] == pages


def noise(values: Iterable[float]) -> list[dict[str, Any]]:
    """A measured figure around its limit as grading would see it."""
    days = []
    for headroom in values:
        severity = Severity.act if headroom < 0 else Severity.ok
        severity = Severity.watch if 0 <= headroom < 0.15 else severity
        over, clear = headroom < 0, headroom >= 0.2
        days.append({"severity": severity, "over": over, "headroom": headroom, "clear": clear})
    return days


@settings(max_examples=25)
@given(st.lists(st.floats(-0.5, 0.5), min_size=1, max_size=90), st.integers(0, 89))
def test_any_course_that_is_back_within_the_window_opens_one_ticket(
    values: list[float], place: int
) -> None:
    course = [*values]
    for start in range(place % 30, len(course), 30):
        course[start] = -0.1
    assert states(noise(course)).count("new") <= 1


@settings(max_examples=25)
@given(st.lists(st.sampled_from([OVER, SOON, FINE, NEAR, LOST, None]), max_size=60), st.data())
def test_a_day_never_looks_ahead(days: list[dict[str, Any] | None], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(days)))
    assert live(days[:cut]) == live(days)[:cut]


def test_a_loss_is_raised_and_not_paged_because_nothing_is_lost() -> None:
    for key, pages in ((KEY, True), ("LOSS-CF-BUSY/PLEX1/CF02", False)):
        [problem] = advance([], [sight(key, **OVER)], {}, POLICY, day=DAY, judged_before=0)
        assert (problem.state, problem.pages) == (ProblemState.new, pages), key


def after_removal(
    named: list[bool | None], reported: list[bool], day_of: dict[str, Any] = OVER
) -> list[ProblemDay]:
    """The problem on each day on which the settings describe its subject, or do not."""
    before: list[ProblemDay] = []
    days = []
    for number, (is_named, is_reported) in enumerate(zip(named, reported, strict=True)):
        estate = EstateOfDay(
            lambda _, is_named=is_named: is_named,  # type: ignore[misc]  # of this day
            frozenset({"PLEX1/CSQ1"} if is_reported else ()),
        )
        today = [sight(**day_of)] if is_reported else []
        day = DAY + timedelta(days=number)
        before = advance(before, today, {}, POLICY, day=day, judged_before=3, estate=estate)
        days += before
    return days


@pytest.mark.parametrize("others", [False, None])
def test_what_the_settings_no_longer_describe_is_resolved_once(others: bool | None) -> None:
    days = after_removal([True, True, others, others, others], [True, True, True, False, True])
    states = [problem.state for problem in days]
    assert states == [ProblemState.new, ProblemState.lasting, *[ProblemState.resolved] * 3]
    assert {problem.left_date for problem in days[2:]} == {DAY + timedelta(days=2)}
    assert [problem.is_new_or_changed for problem in days[2:]] == [True, False, False]


def test_what_the_settings_describe_again_is_a_problem_again() -> None:
    days = after_removal([True, False, True], [True] * 3)
    assert [problem.state for problem in days][1:] == [ProblemState.resolved, ProblemState.reopened]
    assert days[-1].left_date is None


@pytest.mark.parametrize(
    ("named", "reported", "state"),
    [
        (False, True, ProblemState.lasting),
        (None, False, ProblemState.lasting),
        (True, False, ProblemState.lasting),
        (False, False, ProblemState.resolved),
    ],
)
def test_a_subject_that_was_never_described_leaves_when_others_are_and_nothing_reports_on_it(
    named: bool | None, reported: bool, state: ProblemState
) -> None:
    days = after_removal([False if named is False else None, named], [True, reported])
    assert days[-1].state is state
