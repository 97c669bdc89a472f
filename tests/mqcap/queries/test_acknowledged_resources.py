"""Resources whose open problems are all acknowledged."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.problem import Acknowledgement, AcknowledgementKind, ProblemState
from mqcap.queries.acknowledged_resources import acknowledged_plans, acknowledged_resources
from mqcap.store.problems import replace_problems, save_acknowledgements
from tests.factories import DAY, problem_day
from tests.plan_factories import plan

FILL = "LOG-FILL-30MIN/PLEX1/CSQ1"
RUNWAY = "LOG-RUNWAY-12H/PLEX1/CSQ1"
BACKUP = "REC-FORMULA-A/PLEX1/CSQ1"
PATH = "PLEX1/CSQ1/active_log"
ONE_DAY = timedelta(days=1)


def acknowledge(engine: Engine, key: str, **fields: Any) -> None:
    values = {"kind": AcknowledgementKind.acknowledged, "noted_date": DAY, "who": "anna"} | fields
    save_acknowledgements(engine, [Acknowledgement(key=key, **values)])


def with_problems(engine: Engine, *keys: str, **changed: Any) -> None:
    values = {"state": ProblemState.lasting, "raised_date": DAY - ONE_DAY} | changed
    replace_problems(engine, DAY, [problem_day(key, **values) for key in keys])


def found(engine: Engine, day: date = DAY) -> dict[str, Acknowledgement]:
    return acknowledged_resources(engine, day, {})


def test_a_resource_counts_once_each_of_its_open_problems_is_acknowledged(engine: Engine) -> None:
    with_problems(engine, FILL, RUNWAY, BACKUP)
    assert found(engine) == {}
    acknowledge(engine, FILL)
    assert found(engine) == {}
    acknowledge(engine, RUNWAY)
    assert found(engine).keys() == {PATH}


def test_the_acknowledgement_that_ends_first_is_returned(engine: Engine) -> None:
    with_problems(engine, FILL, RUNWAY)
    acknowledge(engine, FILL)
    accepted = AcknowledgementKind.accepted_until
    acknowledge(engine, RUNWAY, kind=accepted, until_date=DAY + ONE_DAY)
    assert found(engine)[PATH].until_date == DAY + ONE_DAY


@pytest.mark.parametrize(("days_left", "counts"), [(-1, False), (0, True), (1, True)])
def test_an_accepted_risk_counts_up_to_and_including_its_last_day(
    engine: Engine, days_left: int, counts: bool
) -> None:
    with_problems(engine, FILL)
    until = DAY + days_left * ONE_DAY
    acknowledge(engine, FILL, kind=AcknowledgementKind.accepted_until, until_date=until)
    assert (PATH in found(engine)) is counts


@pytest.mark.parametrize(("days_before", "counts"), [(0, True), (1, True), (2, False)])
def test_one_without_an_end_counts_for_the_episode_that_it_was_written_in(
    engine: Engine, days_before: int, counts: bool
) -> None:
    with_problems(engine, FILL)
    acknowledge(engine, FILL, noted_date=DAY - days_before * ONE_DAY)
    assert (PATH in found(engine)) is counts


@pytest.mark.parametrize(("days_before", "counts"), [(0, True), (1, False)])
def test_a_problem_that_got_worse_must_be_acknowledged_on_that_day(
    engine: Engine, days_before: int, counts: bool
) -> None:
    with_problems(engine, FILL, state=ProblemState.worsening)
    acknowledge(engine, FILL, noted_date=DAY - days_before * ONE_DAY)
    assert (PATH in found(engine)) is counts


def test_one_of_a_later_day_does_not_count(engine: Engine) -> None:
    with_problems(engine, FILL)
    acknowledge(engine, FILL, noted_date=DAY + ONE_DAY)
    assert found(engine) == {}


def test_a_plan_without_an_open_problem_counts_by_its_worst_rule(engine: Engine) -> None:
    rule, _, subject = FILL.partition("/")
    plans = [plan(resource=PATH, worst_rule=rule, worst_subject=subject)]
    with_problems(engine, FILL, state=ProblemState.pending)
    acknowledge(engine, RUNWAY)
    assert acknowledged_plans(engine, plans, DAY) == {}
    acknowledge(engine, FILL)
    assert acknowledged_plans(engine, plans, DAY).keys() == {PATH}


def test_only_resources_of_the_given_plans_are_returned(engine: Engine) -> None:
    with_problems(engine, FILL, BACKUP)
    acknowledge(engine, FILL)
    acknowledge(engine, BACKUP)
    assert acknowledged_plans(engine, [plan(resource=PATH)], DAY).keys() == {PATH}
