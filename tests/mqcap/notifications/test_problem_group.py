"""Groups of problems, their text and their resources."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.problem import AcknowledgementKind, Problem, ProblemState
from mqcap.domain.shown_text import one_line
from mqcap.notifications.resource_problems import (
    open_problems_of_resource,
    problems_of_rule,
    problems_of_ticket,
)
from mqcap.notifications.ticket_text import link_lines
from mqcap.store.findings import replace_findings
from mqcap.store.problems import replace_problems
from tests.factories import DAY, acknowledgement, finding, problem_day, ticket
from tests.mqcap.notifications.builders import log_plan, problem, problem_group, resource_group
from tests.plan_factories import plan

PATH = "PLEX1/CSQ1/active_log"
FILL = "LOG-FILL-30MIN/PLEX1/CSQ1"
RUNWAY = "LOG-RUNWAY-12H/PLEX1/CSQ1"
DAILY = "LOG-DAY-ACTIVE/PLEX1/CSQ1"
STATES = {
    FILL: ProblemState.lasting,
    RUNWAY: ProblemState.acknowledged,
    DAILY: ProblemState.pending,
    "LOG-COUNT-MIN/PLEX1/CSQ1": ProblemState.resolved,
    "REC-FORMULA-A/PLEX1/CSQ1": ProblemState.new,
    "LOG-FILL-30MIN/PLEX1/CSQ2": ProblemState.new,
    "LOG-FILL-30MIN/PLEX2/CSQ1": ProblemState.new,
}


def standing(rule_id: str = "LOG-FILL-30MIN", **changed: object) -> Problem:
    item = problem(finding(rule_id=rule_id))
    update = {"state": ProblemState.lasting, **changed}
    return item.model_copy(update={"status": item.status.model_copy(update=update)})


def test_the_lead_is_the_problem_of_the_worst_rule_of_the_plan() -> None:
    first, second = standing(), standing("LOG-RUNWAY-12H")
    plan = log_plan(worst_rule="LOG-RUNWAY-12H")
    assert problem_group(PATH, [first, second], plan).lead == second
    assert problem_group(PATH, [first, second], None).lead == first
    assert problem_group(PATH, [first], plan).lead == first


def test_a_plan_that_changed_today_makes_its_resource_changed() -> None:
    for changed_on in (DAY, None, DAY - timedelta(days=1)):
        group = problem_group(PATH, [standing()], log_plan(changed_on=changed_on))
        assert group.is_new_or_changed is (changed_on == DAY)


def test_a_changed_plan_is_no_news_where_every_problem_is_acknowledged() -> None:
    noted = acknowledgement(kind=AcknowledgementKind.acknowledged)
    known = standing(acknowledgement=noted)
    plan = log_plan(changed_on=DAY)
    assert not problem_group(PATH, [known], plan).is_new_or_changed
    assert problem_group(PATH, [known, standing("LOG-RUNWAY-12H")], plan).is_new_or_changed


def test_the_severity_is_that_of_the_plan_whatever_the_class_of_the_system() -> None:
    lower = standing(severity=Severity.watch)
    assert problem_group(PATH, [lower], log_plan()).severity is Severity.act
    assert problem_group(PATH, [lower], None).severity is Severity.watch


def test_groups_are_in_the_order_of_plans_and_without_one_last_of_their_severity() -> None:
    plans = [
        log_plan(), log_plan(due_date=DAY + timedelta(days=90)),
        log_plan(severity=Severity.watch), log_plan(is_production=False),
    ]  # fmt: skip
    first, late, watch, test = (problem_group(PATH, [standing()], one) for one in plans)
    without = problem_group(PATH, [standing()], None)
    mixed = [test, without, watch, late, first]
    assert sorted(mixed, key=lambda one: one.order) == [first, late, without, watch, test]


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


def test_a_row_leads_to_its_plan_its_chart_and_its_arithmetic() -> None:
    row = resource_group(finding(), plan=plan(worst_rule="LOG-FILL-30MIN")).row
    lines = link_lines(row, "http://host/")
    assert [line.partition("&")[0] for line in lines] == [
        "Plan: http://host/resource?path=PLEX1%2FCSQ1%2Factive_log",
        "Chart: http://host/series?series=log_growth_mib_per_s%2FPLEX1%2FCSQ1",
        "How computed: http://host/finding?rule=LOG-FILL-30MIN",
    ]
    assert link_lines(row, "") == []


@pytest.fixture
def troubled(engine: Engine) -> Engine:
    replace_findings(engine, DAY, [finding()])
    replace_problems(engine, DAY, [problem_day(key, state=state) for key, state in STATES.items()])
    return engine


def test_open_problems_of_a_resource_are_those_of_no_other(troubled: Engine) -> None:
    assert open_problems_of_resource(troubled, PATH) == (FILL, RUNWAY)
    assert open_problems_of_resource(troubled, "PLEX1/CSQ9/active_log") == ()


def test_a_store_without_a_day_has_no_open_problems(engine: Engine) -> None:
    assert open_problems_of_resource(engine, PATH) == ()


@pytest.mark.parametrize(
    ("key", "members", "counts"),
    [
        (PATH, (FILL,), (FILL, RUNWAY)),
        (PATH, (DAILY, FILL), (DAILY, FILL, RUNWAY)),
        (FILL, (), (FILL, RUNWAY)),
    ],
    ids=["resource", "with one not open", "without members"],
)
def test_a_ticket_counts_for_its_resource(
    troubled: Engine, key: str, members: tuple[str, ...], counts: tuple[str, ...]
) -> None:
    made = ticket(dedupe_key=key, members=members)
    assert problems_of_ticket(troubled, made) == counts


def test_one_rule_can_be_chosen_among_them() -> None:
    assert problems_of_rule((FILL, RUNWAY), "") == (FILL, RUNWAY)
    assert problems_of_rule((FILL, RUNWAY), "LOG-RUNWAY-12H") == (RUNWAY,)
    with pytest.raises(ConfigurationError, match="no problem of this rule; found CFS-FULL"):
        problems_of_rule((FILL, RUNWAY), "CFS-FULL")
