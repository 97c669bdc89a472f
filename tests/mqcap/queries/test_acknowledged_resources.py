"""Resources: acknowledged, of a day, and their summaries."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.problem import Acknowledgement, AcknowledgementKind, Problem, ProblemState
from mqcap.queries.resources import hit_in_the_same_hour, resource_name, resource_path
from mqcap.queries.summaries import (
    acknowledged_resources,
    kept_summaries_on,
    plan_summaries_on,
)
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_losses, replace_plans
from mqcap.store.problems import replace_problems, save_acknowledgements
from mqcap.store.step_runs import save_step_run
from tests.factories import DAY, NOON, acknowledgement, finding, problem_day, step_run
from tests.plan_factories import loss, plan, plan_rule

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


@pytest.mark.parametrize(
    ("state", "days_before", "counts"),
    [
        ("lasting", -1, False),
        ("lasting", 0, True),
        ("lasting", 1, True),
        ("lasting", 2, False),
        ("worsening", 0, True),
        ("worsening", 1, False),
    ],
)
def test_one_without_an_end_counts_for_its_episode_until_the_problem_gets_worse(
    engine: Engine, state: str, days_before: int, counts: bool
) -> None:
    with_problems(engine, FILL, state=ProblemState(state))
    acknowledge(engine, FILL, noted_date=DAY - days_before * ONE_DAY)
    assert (PATH in found(engine)) is counts


def test_a_resource_without_an_open_problem_counts_by_the_rule_of_its_plan(engine: Engine) -> None:
    with_problems(engine, FILL, state=ProblemState.pending)
    acknowledge(engine, RUNWAY)
    acknowledge(engine, BACKUP)
    assert acknowledged_resources(engine, DAY, {PATH: (FILL,)}) == {}
    acknowledge(engine, FILL)
    assert acknowledged_resources(engine, DAY, {PATH: (FILL,)}).keys() == {PATH}


@pytest.mark.parametrize(
    ("key", "path", "name"),
    [
        (FILL, PATH, "PLEX1 CSQ1 active logs"),
        (RUNWAY, PATH, "PLEX1 CSQ1 active logs"),
        (BACKUP, "PLEX1/CSQ1/recovery", "PLEX1 CSQ1 recovery"),
        ("CFS-FULL/PLEX1/CF01/QSG1APPL1", "PLEX1/QSG1APPL1", "PLEX1 structure QSG1APPL1"),
        ("CFS-FULL/PLEX1/CF02/QSG1APPL1", "PLEX1/QSG1APPL1", "PLEX1 structure QSG1APPL1"),
        ("A-RULE-OF-THE-PAST/PLEX1/CSQ1", "A-RULE-OF-THE-PAST/PLEX1/CSQ1", "PLEX1/CSQ1"),
    ],
)
def test_a_problem_has_the_resource_of_its_rule_and_subject(key: str, path: str, name: str) -> None:
    assert resource_path(key) == path
    assert resource_name(key) == name


def hit(subject: str = "PLEX1/CSQ1", rule: str = "LOG-FILL-30MIN", **status: object) -> Problem:
    key = f"{rule}/{subject}"
    day = problem_day(key, resource=resource_path(key)).model_copy(update=status)
    return Problem(finding=finding(subject, rule_id=rule), crossing=None, status=day)


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (hit("PLEX1/CSQ2"), True),
        (hit("PLEX1/CSQ2", peak_hour_utc=NOON + timedelta(hours=1)), True),
        (hit("PLEX1/CSQ2", peak_hour_utc=NOON - timedelta(hours=1)), True),
        (hit("PLEX1/CSQ2", peak_hour_utc=NOON + timedelta(hours=2)), False),
        (hit("PLEX1/CSQ2", peak_hour_utc=None), False),
        (hit("PLEX2/CSQ2"), False),
        (hit(rule="LOG-RUNWAY-12H"), False),
    ],
)
def test_another_resource_of_the_sysplex_is_named_when_it_was_hit_within_the_hours(
    other: Problem, named: bool
) -> None:
    item, names = hit(), ("PLEX1 CSQ2 active logs",)
    assert hit_in_the_same_hour([item], [item, other], hours=1) == (names if named else ())


def test_a_forecast_was_hit_in_no_hour() -> None:
    fine = finding("PLEX1/CSQ2", rule_id="LOG-FILL-30MIN", breach=False)
    forecast = hit("PLEX1/CSQ2").model_copy(update={"finding": fine})
    assert hit_in_the_same_hour([hit()], [forecast], hours=1) == ()
    assert hit_in_the_same_hour([forecast], [hit()], hours=1) == ()


def test_a_day_has_a_row_for_each_plan_and_each_loss_with_its_figure(engine: Store) -> None:
    judged = finding(rule_id="LOG-RUNWAY-12H", observed=4.13, limit_value=12.0, unit="h")
    replace_findings(engine, DAY, [judged])
    replace_plans(engine, DAY, [plan(rules=(plan_rule(),))])
    replace_losses(engine, DAY, [loss()])
    rows = plan_summaries_on(engine, DAY, Settings())
    assert [(row.title, row.now_of_limit) for row in rows] == [
        ("CSQ1 active logs", "4.1 h of 12 h"),
        ("Loss of CF02", "73 % of 60 %"),
    ]


def test_what_is_acknowledged_comes_last_and_says_by_whom(engine: Store) -> None:
    other = plan(
        resource="PLEX1/CSQ2/active_log", label="CSQ2 active logs", worst_subject="PLEX1/CSQ2"
    )
    replace_plans(engine, DAY, [plan(), other])
    noted = acknowledgement(RUNWAY, who="anna", noted_date=DAY, until_date=date(2026, 4, 1))
    save_acknowledgements(engine, [noted])
    rows = plan_summaries_on(engine, DAY, Settings())
    assert [row.title for row in rows] == ["CSQ2 active logs", "CSQ1 active logs"]
    assert rows[1].acknowledged == "acknowledged by anna until 1 Apr 2026"


def test_pages_keep_rows_until_a_step_ends_and_see_acknowledgements_at_once(engine: Store) -> None:
    def ended(minute: int) -> None:
        at = datetime(2026, 3, 3, 1, minute, tzinfo=UTC)
        save_step_run(engine, step_run(step="size", ended_at_utc=at))

    def shown() -> list[tuple[str, bool]]:
        rows = kept_summaries_on(engine, DAY, Settings())
        return [(row.title, bool(row.acknowledged)) for row in rows]

    replace_plans(engine, DAY, [plan()])
    ended(1)
    assert shown() == [("CSQ1 active logs", False)]
    replace_plans(engine, DAY, [plan(label="Renamed")])
    acknowledge(engine, RUNWAY)
    assert shown() == [("CSQ1 active logs", True)]
    ended(2)
    assert shown() == [("Renamed", True)]
