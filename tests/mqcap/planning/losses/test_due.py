"""When to decide on a loss: the day before it would fail, never before the lead time is over."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from mqcap.domain.losses.cell import LossQuantity
from mqcap.domain.losses.loss import SurvivorChanges
from mqcap.domain.plan import Plan, PlanChange, PlanCost, PlanVariant
from mqcap.planning.losses.due import (
    due_date_of_loss,
    presupposed_plans,
    schedule_of_loss,
    with_due_dates_of_losses,
)
from mqcap.settings import AlertSettings, ChangeFreeze, Settings
from tests.factories import DAY
from tests.plan_factories import loss, loss_cell, plan, plan_change


def due(
    *, lead_days: int, fails_after_days: int, freeze: ChangeFreeze | None = None
) -> date | None:
    """Due day of a loss that passes the limit of CF busy after some days."""
    alerts = AlertSettings(
        lead_time_days={"LOSS-CF-BUSY": lead_days, "default": 99},
        change_freezes=(freeze,) if freeze else (),
    )
    first = DAY + timedelta(days=fails_after_days)
    cell = loss_cell(fails_today=not fails_after_days, fails_from=first)
    return due_date_of_loss(loss(cells=(cell,)), alerts)


@pytest.mark.parametrize(
    ("fails_after_days", "days"), [(0, 30), (30, 30), (31, 30), (32, 31), (100, 99)]
)
def test_the_day_before_the_failure_but_not_before_the_lead_time(
    fails_after_days: int, days: int
) -> None:
    found = due(lead_days=30, fails_after_days=fails_after_days)
    assert found == DAY + timedelta(days=days)


def test_the_lead_time_ends_after_a_change_freeze() -> None:
    freeze = ChangeFreeze(first=DAY + timedelta(days=20), last=DAY + timedelta(days=40))
    assert due(lead_days=30, fails_after_days=0, freeze=freeze) == DAY + timedelta(days=41)


def test_a_loss_without_a_failure_has_no_due_day() -> None:
    cell = loss_cell(fails_today=False)
    assert due_date_of_loss(loss(cells=(cell,)), AlertSettings()) is None


def test_the_longest_lead_time_of_what_fails_counts() -> None:
    leads = {"LOSS-CF-BUSY": 5, "LOSS-CF-STORAGE": 50, "LOSS-CF-PLACE": 70, "default": 99}
    cells = (loss_cell(), loss_cell(quantity=LossQuantity.cf_storage))
    alerts = AlertSettings(lead_time_days=leads)
    assert due_date_of_loss(loss(cells=cells), alerts) == DAY + timedelta(days=50)
    homeless = loss(cells=cells, nowhere_to_go=("PLEX1/CF02/A",))
    assert due_date_of_loss(homeless, alerts) == DAY + timedelta(days=70)


CF03, CSQ1, CSQ2 = "PLEX1/CF03", "PLEX1/CSQ1", "PLEX1/CSQ2"
ALERTS = AlertSettings(lead_time_days={"default": 14})
SETTINGS = Settings(alerts=ALERTS)
WEEK_HOURS = SETTINGS.plan.week_hours
"""Hours of work a week: 40."""
IN_TIME = DAY + timedelta(days=14)
LATER = DAY + timedelta(days=90)


def engine_plan(**changed: Any) -> Plan:
    """The plan of another engine of CF03, due later than the loss."""
    change = plan_change(subject=CF03, typed="ICF engines: 3")
    values = {"resource": CF03, "label": "coupling facility CF03", "due_date": LATER}
    return plan(**{"changes": (change,)} | values | changed)


@pytest.mark.parametrize(
    ("fails_after_days", "is_changed_too", "due_after_days"),
    [(0, False, 14), (15, False, 14), (16, False, 15), (80, False, 79), (100, False, 90),
     (80, True, 14)],
)  # fmt: skip
def test_a_presupposed_plan_is_due_before_what_it_keeps_and_with_what_comes_on_top(
    fails_after_days: int, is_changed_too: bool, due_after_days: int
) -> None:
    first = DAY + timedelta(days=fails_after_days)
    cell = loss_cell(fails_today=not fails_after_days, fails_from=first)
    on_top = SurvivorChanges(resource=CF03, label="coupling facility CF03")
    found = loss(cells=(cell,), due_date=IN_TIME, by_resource=(on_top,) if is_changed_too else ())
    [presupposed] = presupposed_plans(found, [engine_plan()], SETTINGS)
    assert presupposed.needed_from == first
    assert presupposed.due_date == DAY + timedelta(days=due_after_days)
    assert (presupposed.own_due_date, presupposed.typed) == (LATER, ("ICF engines: 3",))


def test_plans_of_what_does_not_fail_and_plans_without_a_change_are_not_presupposed() -> None:
    other = engine_plan(resource="PLEX1/CF01")
    empty = engine_plan(changes=())
    assert presupposed_plans(loss(due_date=IN_TIME), [other, empty], SETTINGS) == ()


def moved(subject: str, **settings: float) -> PlanChange:
    """A change of a channel initiator."""
    return plan_change(subject=f"{subject}/CHINIT", settings=settings)


@pytest.mark.parametrize(
    ("quantity", "settings", "expected"),
    [
        (LossQuantity.channels, {"channels_moved": 100}, [CSQ2, CSQ1]),
        (LossQuantity.log_fill, {"channels_moved": 100}, []),
        (LossQuantity.channels, {"adapters": 30}, []),
    ],
)
def test_plans_that_move_channels_of_what_is_lost_or_of_its_survivor_are_presupposed(
    quantity: LossQuantity, settings: dict[str, float], expected: list[str]
) -> None:
    cell = loss_cell(
        survivor=CSQ1, subject=f"{CSQ1}/CHINIT", rule_id="CHI-MAXCHL", quantity=quantity
    )
    found = loss(lost=CSQ2, survivors=(CSQ1,), cells=(cell,), due_date=IN_TIME)
    plans = [
        plan(resource=f"{subject}/31bit", changes=(moved(subject, **settings),), due_date=LATER)
        for subject in (CSQ2, CSQ1, "PLEX1/CSQ22")
    ]
    assert [each.resource for each in presupposed_plans(found, plans, SETTINGS)] == [
        f"{each}/31bit" for each in sorted(expected)
    ]


def test_a_plan_has_the_earliest_due_day_of_the_losses_that_presuppose_it() -> None:
    own = engine_plan()
    found = [
        loss(lost=lost, due_date=IN_TIME, cells=(loss_cell(fails_today=False, fails_from=first),))
        for lost, first in (("PLEX1/CF01", LATER), ("PLEX1/CF02", DAY + timedelta(days=30)))
    ]
    losses = [
        each.model_copy(update={"presupposes": presupposed_plans(each, [own], SETTINGS)})
        for each in found
    ]
    [moved_plan] = with_due_dates_of_losses([own], losses, WEEK_HOURS)
    assert moved_plan.due_date == DAY + timedelta(days=29)
    assert (moved_plan.own_due_date, moved_plan.needed_by_loss) == (LATER, "PLEX1/CF02")
    assert list(with_due_dates_of_losses([own], [], WEEK_HOURS)) == [own]


def test_what_takes_another_queue_manager_is_presupposed_in_words() -> None:
    structural = plan_change(subject=CF03, typed="6000 channels", is_structural=True)
    release = plan_change(subject=CF03, typed="MQ 9.4", settings={})
    found = loss(due_date=IN_TIME)
    assert presupposed_plans(found, [engine_plan(changes=(release,))], SETTINGS) == ()
    [presupposed] = presupposed_plans(found, [engine_plan(changes=(structural, release))], SETTINGS)
    assert presupposed.typed == ("another queue manager for 6000 channels",)


def work(hours: float) -> PlanVariant:
    return PlanVariant(changes=(plan_change(),), cost=PlanCost(work_hours=hours))


@pytest.mark.parametrize(
    ("plan_hours", "own_hours", "done_after_days"),
    [(None, 80, None), (None, 81, 15), (40, 40, None), (40, 41, 15), (81, 0, 15), (242, 211.3, 80)],
)
def test_the_work_for_a_loss_begins_when_the_plans_are_done_that_come_first(
    plan_hours: float | None, own_hours: float, done_after_days: int | None
) -> None:
    """At 40 h a week 242 h are 42.35 days, and 211.3 h after the 43rd are 36.98 more."""
    first = loss(due_date=IN_TIME, changes=work(own_hours))
    if plan_hours is not None:
        plans = [engine_plan(cost=PlanCost(work_hours=plan_hours))]
        first = first.model_copy(update={"presupposes": presupposed_plans(first, plans, SETTINGS)})
    schedule = schedule_of_loss(first, WEEK_HOURS)
    if done_after_days is None:
        assert schedule is None
        return
    assert schedule is not None
    assert (schedule.until, schedule.done_date) == (IN_TIME, DAY + timedelta(days=done_after_days))
    begin = None if plan_hours is None else first.presupposes[0].done_date
    assert (schedule.begin_date, schedule.is_in_parts) == (begin, False)


def test_a_loss_without_a_due_day_has_no_schedule() -> None:
    assert schedule_of_loss(loss(changes=work(500)), WEEK_HOURS) is None


@pytest.mark.parametrize(("hours", "done_after_days"), [(80, None), (81, 15)])
def test_a_plan_that_a_loss_needs_before_its_work_is_done_says_when_that_is(
    hours: float, done_after_days: int | None
) -> None:
    own = engine_plan(cost=PlanCost(work_hours=hours))
    first = loss(due_date=IN_TIME)
    needing = first.model_copy(update={"presupposes": presupposed_plans(first, [own], SETTINGS)})
    [found] = with_due_dates_of_losses([own], [needing], WEEK_HOURS)
    assert found.due_date == IN_TIME
    done = found.schedule and (found.schedule.until, found.schedule.done_date)
    late = done_after_days and (IN_TIME, DAY + timedelta(days=done_after_days))
    assert done == late
