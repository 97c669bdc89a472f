from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from mqcap.domain.finding import Severity
from mqcap.store.plans import previous_plans, read_plans, replace_plans
from tests.factories import DAY
from tests.plan_factories import plan

LATER = DAY + timedelta(days=3)


def test_plans_of_a_day_are_read_most_urgent_first(engine: Engine) -> None:
    watch = plan(resource="PLEX1/CSQ2/active_log", severity=Severity.watch)
    late = plan(resource="PLEX1/CSQ0/active_log", due_date=DAY + timedelta(days=30))
    assert replace_plans(engine, DAY, [watch, late, plan()]) == 3
    assert read_plans(engine, DAY) == [plan(), late, watch]


def test_plans_of_a_day_replace_the_former_ones_of_that_day_only(engine: Engine) -> None:
    replace_plans(engine, DAY, [plan()])
    replace_plans(engine, LATER, [plan(site_date=LATER)])
    replace_plans(engine, LATER, [])
    assert read_plans(engine, LATER) == []
    assert read_plans(engine, DAY) == [plan()]


def test_previous_plans_are_those_of_the_last_day_before_with_any(engine: Engine) -> None:
    replace_plans(engine, DAY, [plan()])
    replace_plans(engine, LATER, [plan(site_date=LATER)])
    assert previous_plans(engine, LATER) == {"PLEX1/CSQ1/active_log": plan()}
    assert previous_plans(engine, DAY) == {}
