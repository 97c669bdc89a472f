from datetime import date, timedelta

from sqlalchemy import Engine

from mqcap.domain.problem import AcknowledgementKind, ProblemState
from mqcap.store.crossings import replace_crossings
from mqcap.store.findings import finding_dates, replace_findings
from mqcap.store.problems import (
    acknowledgements_of,
    latest_acknowledgements,
    open_problem_keys,
    problem_progress,
    read_problem_history,
    read_problems,
    replace_problems,
    save_acknowledgements,
)
from tests import factories
from tests.factories import DAY

ONE_DAY = timedelta(days=1)
KEY = factories.problem_day().key


def days(count: int) -> list[date]:
    return [DAY + number * ONE_DAY for number in range(count)]


def judge(engine: Engine, count: int) -> None:
    for day in days(count):
        replace_findings(engine, day, [factories.finding(site_date=day)])


def evaluate(engine: Engine, count: int = 1) -> None:
    for day in days(count):
        replace_problems(engine, day, [factories.problem_day(site_date=day)])


def test_problems_are_read_as_they_were_written_and_replaced_by_day(engine: Engine) -> None:
    evaluate(engine)
    replace_problems(engine, DAY, [factories.problem_day(clean_days=3)])
    assert read_problems(engine, DAY) == [factories.problem_day(clean_days=3)]
    assert read_problems(engine, None) == []
    evaluate(engine, 2)
    assert [item.site_date for item in read_problem_history(engine, KEY)] == days(2)
    assert len(read_problem_history(engine, KEY, DAY)) == 1


def test_missing_days_are_those_after_the_last_valid_one(engine: Engine) -> None:
    judge(engine, 4)
    *_, last = every_day = days(4)
    assert problem_progress(engine, last).missing_dates == tuple(every_day)
    evaluate(engine, 4)
    assert problem_progress(engine, last) == (last, ())
    assert finding_dates(engine, DAY + ONE_DAY, last) == every_day[1:]


def test_a_day_that_is_evaluated_again_makes_later_days_invalid(engine: Engine) -> None:
    judge(engine, 3)
    evaluate(engine, 3)
    first, second, third = days(3)
    replace_crossings(engine, second, [])
    assert problem_progress(engine, third) == (first, (second, third))
    assert read_problems(engine, third)


def test_the_last_acknowledgement_counts_from_its_day_on(engine: Engine) -> None:
    judge(engine, 3)
    evaluate(engine, 3)
    later = factories.acknowledgement(
        kind=AcknowledgementKind.false_alarm, noted_date=DAY + ONE_DAY, until_date=None
    )
    assert save_acknowledgements(engine, [factories.acknowledgement(), later]) == 2
    assert save_acknowledgements(engine, []) == 0
    assert latest_acknowledgements(engine, DAY - ONE_DAY) == {}
    assert latest_acknowledgements(engine, DAY) == {KEY: factories.acknowledgement()}
    assert latest_acknowledgements(engine, DAY + ONE_DAY) == {KEY: later}
    assert problem_progress(engine, DAY + ONE_DAY).last_date is None


def test_a_day_may_have_no_problem_and_still_be_valid(engine: Engine) -> None:
    judge(engine, 1)
    assert replace_problems(engine, DAY, [])
    assert problem_progress(engine, DAY) == (DAY, ())


def test_problems_computed_before_an_acknowledgement_are_not_stored(engine: Engine) -> None:
    judge(engine, 1)
    known = latest_acknowledgements(engine, DAY)
    save_acknowledgements(engine, [factories.acknowledgement()])
    assert not replace_problems(engine, DAY, [factories.problem_day()], known)
    assert problem_progress(engine, DAY) == (None, (DAY,))
    known = latest_acknowledgements(engine, DAY)
    save_acknowledgements(engine, [factories.acknowledgement(noted_date=DAY + ONE_DAY)])
    assert replace_problems(engine, DAY, [factories.problem_day()], known)
    assert problem_progress(engine, DAY) == (DAY, ())


def test_problems_of_a_day_are_read_by_key_in_every_state(engine: Engine) -> None:
    problems = [
        factories.problem_day(key, state=state, acknowledgement=acknowledgement)
        for key, state, acknowledgement in (
            ("B/PLEX1", ProblemState.pending, None),
            ("A/PLEX1", ProblemState.acknowledged, factories.acknowledgement("A/PLEX1")),
            ("C/PLEX1", ProblemState.resolved, None),
        )
    ]
    assert replace_problems(engine, DAY, problems)
    assert read_problems(engine, DAY) == [problems[1], problems[0], problems[2]]


def test_keys_of_open_problems_are_those_that_their_states_say(engine: Engine) -> None:
    states = reversed(ProblemState)
    problems = [factories.problem_day(f"{state}/PLEX1", state=state) for state in states]
    assert replace_problems(engine, DAY, problems)
    is_open = sorted(problem.key for problem in problems if problem.state.is_open)
    assert open_problem_keys(engine, DAY) == is_open
    assert open_problem_keys(engine, DAY + ONE_DAY) == []
    assert open_problem_keys(engine, None) == []


def test_acknowledgements_of_problems_come_oldest_first_up_to_a_day(engine: Engine) -> None:
    first = factories.acknowledgement("A/PLEX1")
    second = factories.acknowledgement("A/PLEX1", noted_date=DAY + ONE_DAY)
    other = factories.acknowledgement("B/PLEX1")
    save_acknowledgements(engine, [second, other, first])
    keys = ["A/PLEX1", "A/PLEX1", "C/PLEX1"]
    assert acknowledgements_of(engine, keys, DAY) == [first]
    assert acknowledgements_of(engine, keys, DAY + ONE_DAY) == [first, second]
    assert acknowledgements_of(engine, ["B/PLEX1", "A/PLEX1"], DAY) == [first, other]
    assert acknowledgements_of(engine, [], DAY) == []


def test_every_acknowledgement_of_a_day_is_kept_and_the_last_one_counts(engine: Engine) -> None:
    first = factories.acknowledgement()
    changed = factories.acknowledgement(note="until the new logs", until_date=None)
    counts = [save_acknowledgements(engine, [each]) for each in (first, changed, changed, first)]
    assert counts == [1, 1, 0, 1]
    assert acknowledgements_of(engine, [KEY], DAY) == [first, changed, first]
    assert latest_acknowledgements(engine, DAY) == {KEY: first}
