"""Plans over nights in a row: forecasts that are fitted anew change no plan materially."""

from collections import Counter
from datetime import date, timedelta
from typing import Any

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.plan import Plan
from mqcap.planning.continuity import steadied
from mqcap.settings import ChangeFreeze
from mqcap.store.database import Store
from tests import plan_factories
from tests.mqcap.planning.builders import plan_of_active_log
from tests.mqcap.planning.estates import Load
from tests.mqcap.planning.nights import Change, Event, changes_over, night_facts
from tests.plan_factories import with_base

TODAY = date(2026, 3, 1)
LOG = "log_growth_mib_per_s"
LOADED = Load(0.9, 0.72, 0.001)


def plan_due(days: int, severity: Severity = Severity.act, *, limit_passed: bool = False) -> Plan:
    due = TODAY + timedelta(days=0 if limit_passed else days)
    earliest = TODAY
    return plan_factories.plan(
        site_date=TODAY, made_on=TODAY, earliest_date=earliest, due_date=due, severity=severity
    )


def due_days(previous: Plan, plan: Plan, freezes: tuple[ChangeFreeze, ...] = ()) -> int:
    return (steadied(plan, previous, freezes).due_date - TODAY).days


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (20, 14, 20), (20, 13, 20), (20, 12, 12),
        (100, 76, 100), (100, 75, 100), (100, 74, 74),
        (20, 50, 20), (20, 51, 51),
        (40, 80, 40), (40, 81, 81),
    ],
)  # fmt: skip
def test_a_due_day_stays_until_it_comes_much_earlier_or_much_later(
    before: int, now: int, expected: int
) -> None:
    assert due_days(plan_due(before), plan_due(now)) == expected


def test_a_due_day_inside_a_change_freeze_is_new() -> None:
    freeze = ChangeFreeze(first=TODAY + timedelta(days=18), last=TODAY + timedelta(days=22))
    assert due_days(plan_due(20), plan_due(17), (freeze,)) == 17
    assert due_days(plan_due(20), plan_due(17)) == 20


def test_severity_rises_at_once_and_falls_with_a_new_due_day() -> None:
    def after(before: Plan, now: Plan) -> Severity:
        return steadied(now, before, ()).severity

    assert after(plan_due(20, Severity.watch), plan_due(20)) is Severity.act
    assert after(plan_due(20), plan_due(30, Severity.watch)) is Severity.act
    assert after(plan_due(20), plan_due(90, Severity.watch)) is Severity.watch


def test_other_changes_are_a_new_plan() -> None:
    before = plan_due(20)
    [change] = before.changes
    other = change.model_copy(update={"settings": dict.fromkeys(change.settings, 99)})
    plan = with_base(plan_due(15), changes=(other,))
    assert steadied(plan, before, ()) == plan
    assert steadied(plan, None, ()) == plan


def changed(
    engine: Store, nights: range, event: Event | None = None, metrics: str = "log"
) -> list[Change]:
    return list(
        changes_over(nights, lambda night: night_facts(LOADED, night, engine, event, metrics))
    )


@pytest.mark.thorough
def test_a_planted_event_changes_the_plan_at_once(engine: Store) -> None:
    result = changed(engine, range(8, 13), Event(10, LOG, 1.6))
    [change] = [item for item in result if item.resource.endswith("active_log")]
    assert change.night == 10
    assert change.old is not None
    assert change.new is not None
    assert change.new.base.cost.weighted > change.old.base.cost.weighted
    assert change.new.dates.made_on == change.new.site_date


@pytest.mark.thorough
def test_a_plan_that_is_carried_out_is_gone_or_much_smaller(engine: Store) -> None:
    first = plan_of_active_log(night_facts(LOADED, 0, engine, metrics="log"))
    assert first is not None
    done: dict[str, Any] = {key: value for (_, key), value in first.settings.items()}
    after = plan_of_active_log(night_facts(LOADED, 1, engine, metrics="log", **done), first)
    assert after is None or after.base.cost.weighted < first.base.cost.weighted / 4


@pytest.mark.thorough
@pytest.mark.parametrize("metrics", ["log", "page_set", "structure"])
def test_sixty_nights_change_a_plan_materially_at_most_once_a_month(
    engine: Store, metrics: str
) -> None:
    result = changed(engine, range(60), metrics=metrics)
    counts = Counter((item.resource, item.night // 30) for item in result)
    assert max(counts.values(), default=0) <= 1, result
