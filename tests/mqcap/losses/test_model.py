"""The model of losses: what is assumed, what stands beside it, when it is due."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.plan import Plan, PlanCost
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.cell import LossQuantity
from mqcap.losses.model import (
    AssumedPlan,
    Loss,
    SurvivorChanges,
    loss_order,
    needed_changes,
    with_plans,
)
from mqcap.losses.plan import (
    due_date_of_loss,
    with_assumed,
    with_needed,
    with_plans_in_force,
)
from mqcap.settings import AlertSettings, ChangeFreeze
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from tests import plan_factories
from tests.factories import DAY
from tests.mqcap.planning.estates import CHINIT, Load, facts_under
from tests.mqcap.rulebook.builders import new_store
from tests.mqcap.whatif.sharing_group import CSQ1, CSQ2, LOG, facts_of, hours, peak_of
from tests.plan_factories import loss, loss_cell, plan, plan_change

CF01, CF03 = "PLEX1/CF01", "PLEX1/CF03"
CHANNELS = "channels_current_count"
FULL, BUSY = {"today": 129.0, "limit": 30.0}, {"today": 73.0, "limit": 60.0}


@pytest.mark.parametrize(
    ("first", "second", "best"),
    [
        (FULL, BUSY, CF03),
        (FULL | {"today": 31.0}, BUSY | {"today": 59.9, "fails_today": False}, CF03),
        (FULL | {"today": 90.0}, BUSY | {"today": 20.0, "minutes_to_failure": 0.0}, CF01),
    ],
    ids=["less full", "keeps more limits", "does not stop at once"],
)
def test_of_a_load_that_any_survivor_may_take_the_best_one_decides(
    first: dict[str, Any], second: dict[str, Any], best: str
) -> None:
    cells = (loss_cell(survivor=CF01, **first), loss_cell(survivor=CF03, **second))
    found = loss(is_any_enough=True, survivors=(CF01, CF03), cells=cells)
    assert [cell.survivor for cell in found.decisive_cells] == [best]
    assert found.ranked_survivors[0] == best


def test_the_first_failure_is_today_or_the_first_day_of_the_forecast() -> None:
    later = loss_cell(fails_today=False, fails_from=date(2027, 1, 5))
    assert loss(cells=(later,)).first_failure_date == date(2027, 1, 5)
    assert loss(cells=(later, loss_cell())).first_failure_date == loss().site_date
    assert loss(cells=(loss_cell(fails_before=True),)).first_failure_date is None
    homeless = loss(cells=(), nowhere_to_go=("PLEX1/CF02/A",))
    assert homeless.first_failure_date == homeless.site_date
    only = homeless.model_copy(update={"is_only_facility": True})
    assert only.first_failure_date is None


def test_every_survivor_that_is_known_to_take_load_decides_and_what_fails_first_counts() -> None:
    cells = tuple(
        loss_cell(survivor=taker, minutes_to_failure=minutes)
        for taker, minutes in ((CF01, 90.0), (CF03, 43.0))
    )
    lost = loss(survivors=(CF01, CF03), cells=cells)
    assert (lost.decisive_cells, lost.minutes_to_first_failure) == (cells, 43)
    assert loss(cells=(loss_cell(minutes_to_failure=None),)).minutes_to_first_failure is None
    assert loss(cells=(), nowhere_to_go=("PLEX1/CF02/A",)).minutes_to_first_failure == 0


def test_production_and_the_highest_severity_come_first() -> None:
    watch = loss(lost="PLEX1/CF01", severity=Severity.watch)
    act = loss(lost="PLEX1/CF02", severity=Severity.act)
    other = loss(lost="PLEX1/CSQ4", severity=Severity.act, is_production=False)
    assert sorted([other, watch, act], key=loss_order) == [act, watch, other]


def plan_of(subject: str, label: str, **settings: Any) -> Plan:
    """The plan of a label with these settings of one subject."""
    change = plan_factories.plan_change(subject=subject, settings=settings)
    return plan_factories.plan(resource=f"{subject}/{label}", label=label, changes=(change,))


MOVING = plan_of(f"{CSQ2}/CHINIT", "CSQ2 31-bit storage", channels_moved=4_000)
TOO_MANY = plan_of(f"{CSQ1}/CHINIT", "CSQ1 31-bit storage", channels_moved=99_000)


@pytest.fixture(name="facts")
def given_facts(tmp_path: Path) -> DayFacts:
    """A day on which the logs of the survivor fail with the load."""
    return facts_of(
        tmp_path,
        changed={(LOG, CSQ1): 0.5, (LOG, CSQ2): 6.3},
        by_hour={(LOG, CSQ1): hours((0.5, 0.5)), (LOG, CSQ2): hours((6.3, 6.3))},
    )


def test_channels_that_another_queue_manager_takes_have_left(facts: DayFacts) -> None:
    done = with_plans_in_force(facts, [MOVING])
    assert peak_of(done.facts, CHANNELS, f"{CSQ2}/CHINIT") == pytest.approx(2_000)
    assert (done.plans, done.left_out) == ((MOVING,), ())


def test_a_plan_that_what_if_refuses_is_left_out_and_named(facts: DayFacts) -> None:
    done = with_plans_in_force(facts, [TOO_MANY, MOVING])
    assert peak_of(done.facts, CHANNELS, f"{CSQ1}/CHINIT") == 3_000
    assert (done.plans, done.left_out) == ((MOVING,), (TOO_MANY,))
    lost = plan_factories.loss(lost=CSQ2, survivors=(CSQ1,))
    found = with_assumed(lost, done)
    assert found.left_out == ("CSQ1 31-bit storage",)
    [assumed] = found.assumed
    assert (assumed.label, assumed.subjects) == ("CSQ2 31-bit storage", (f"{CSQ2}/CHINIT",))


def test_more_channels_than_a_plan_moves_leave_at_once_as_in_what_if(tmp_path: Path) -> None:
    """In two moves the second share would take storage of the adapters along."""
    facts = facts_under(Load(), new_store(tmp_path))
    plans = [
        plan_of(CHINIT, "adapters", adapters=30),
        plan_of(CHINIT, "31-bit storage", channels_moved=1_000),
    ]
    [more] = plan_of(CHINIT, "31-bit storage", channels_moved=2_000).changes
    done = with_plans_in_force(facts, plans).with_changes([more])
    parts = [{"subject": CHINIT, "adapters": 30, "channels_moved": 2_000}]
    typed = overlay(facts, Scenario.model_validate({"configuration": parts})).facts
    used = "chinit_31bit_used_mib"
    assert peak_of(done, used, CHINIT) == peak_of(typed, used, CHINIT)


def logs(count: int, weighted: float) -> SurvivorChanges:
    """So many active logs of CSQ1."""
    return SurvivorChanges(
        resource=f"{CSQ1}/active_log",
        label="CSQ1 active logs",
        changes=(plan_change(subject=CSQ1, settings={"active_logs": count}),),
        cost=PlanCost(weighted=weighted),
    )


def settings_of(*made: Any, **found: Any) -> dict[str, dict[str, Any]]:
    """Settings by subject of the loss of CSQ2, which CSQ1 carries, beside these plans."""
    lost = loss(lost=CSQ2, survivors=(CSQ1, "PLEX1/CSQ3"), **found)
    return {change.subject: change.settings for change in with_plans(lost, made)}


def test_the_loss_replaces_the_value_of_the_plan_and_keeps_its_other_settings() -> None:
    of_plan = {"active_logs": 21, "active_log_size_mib": 4_095}
    planned = plan(changes=(plan_change(subject=CSQ1, settings=of_plan),))
    assert settings_of(planned, changes=logs(23, 0.0)) == {
        CSQ1: {"active_logs": 23, "active_log_size_mib": 4_095}
    }


def test_plans_of_all_survivors_and_of_what_is_lost_are_in_force_and_no_others() -> None:
    made = [
        plan(changes=(plan_change(subject=subject, settings={"maxarch": 900}),))
        for subject in (CSQ2, "PLEX1/CSQ22", "PLEX1/CSQ3", "PLEX1/CSQ4")
    ]
    assert set(settings_of(*made)) == {CSQ2, "PLEX1/CSQ3"}


def test_a_plan_that_cannot_be_applied_or_has_no_settings_is_not_typed() -> None:
    done = plan(label="CSQ1 recovery", changes=(plan_change(subject=CSQ1, settings={"a": 1}),))
    refused = plan(label="CSQ1 archive", changes=(plan_change(subject=CSQ1, settings={"b": 1}),))
    release = plan(changes=(plan_change(subject=CSQ1, settings={}),))
    assert settings_of(done, refused, release, left_out=("CSQ1 archive",)) == {CSQ1: {"a": 1}}


def test_what_several_losses_need_of_one_resource_counts_once() -> None:
    found = [
        loss(lost=CSQ2, by_resource=(logs(22, 100.0),)),
        loss(lost="PLEX1/CSQ3", by_resource=(logs(23, 200.0),)),
        loss(lost="PLEX1/CSQ4", by_resource=(logs(22, 100.0),)),
    ]
    [needed] = needed_changes(found)
    assert needed.changes[0].settings == {"active_logs": 23}
    assert needed.lost == (CSQ2, "PLEX1/CSQ3", "PLEX1/CSQ4")
    assert needed.cost.weighted == 200


@pytest.mark.parametrize(
    ("fails_after_days", "freezes", "days"),
    [(0, [], 0), (30, [], 0), (31, [], 1), (100, [], 70), (60, [(20, 40)], 19)],
)
def test_it_is_due_the_lead_time_before_the_failure_and_before_a_freeze_else_at_once(
    fails_after_days: int, freezes: list[tuple[int, int]], days: int
) -> None:
    def day(after: int) -> date:
        return DAY + timedelta(days=after)

    alerts = AlertSettings(
        lead_time_days={"LOSS-CF-BUSY": 30, "default": 99},
        change_freezes=tuple(ChangeFreeze(first=day(a), last=day(b)) for a, b in freezes),
    )
    cell = loss_cell(fails_today=not fails_after_days, fails_from=day(fails_after_days))
    assert due_date_of_loss(loss(cells=(cell,)), alerts) == day(days)


def test_the_longest_lead_time_of_what_fails_counts() -> None:
    leads = {"LOSS-CF-BUSY": 5, "LOSS-CF-STORAGE": 50, "LOSS-CF-PLACE": 70, "default": 99}
    later = {"fails_today": False, "fails_from": DAY + timedelta(days=100)}
    cells = (loss_cell(**later), loss_cell(quantity=LossQuantity.cf_storage, **later))
    alerts = AlertSettings(lead_time_days=leads)
    assert due_date_of_loss(loss(cells=cells), alerts) == DAY + timedelta(days=50)
    assert due_date_of_loss(loss(cells=(loss_cell(fails_today=False),)), alerts) is None


IN_TIME = DAY + timedelta(days=14)
LATER = DAY + timedelta(days=90)


def engine_plan(**changed: Any) -> Plan:
    """The plan of another engine of CF03, due later than the loss."""
    change = plan_change(subject=CF03, typed="ICF engines: 3")
    values = {"resource": CF03, "label": "CF03 coupling facility", "due_date": LATER}
    return plan(**{"changes": (change,)} | values | changed)


def needed(found: Loss, *plans: Plan) -> dict[str, date | None]:
    """When each plan is needed by a loss that assumes all of them."""
    assumed = tuple(
        AssumedPlan(resource=plan.resource, label=plan.about.label, typed=(), subjects=())
        for plan in plans
    )
    lost = with_needed(found.model_copy(update={"assumed": assumed}), plans)
    return {other.resource: other.needed_from for other in lost.presupposes}


@pytest.mark.parametrize("days", [0, 14, 80])
def test_a_plan_is_needed_from_the_first_day_over_the_limit_that_it_keeps(days: int) -> None:
    first = DAY + timedelta(days=days)
    cell = loss_cell(fails_today=not days, fails_from=first)
    found = loss(cells=(cell,), due_date=IN_TIME)
    other = engine_plan(resource="PLEX1/CF01")
    assert needed(found, engine_plan(), other) == {CF03: first}


@pytest.mark.parametrize(
    ("quantity", "rule_id", "settings", "expected"),
    [
        (LossQuantity.channels, "CHI-MAXCHL", {"channels_moved": 100}, [CSQ2, CSQ1]),
        (LossQuantity.chinit_64bit, "CHI-80-64BIT", {"channels_moved": 100}, [CSQ2, CSQ1]),
        (LossQuantity.buffer_pool, "BP-FREE-15", {"channels_moved": 100}, []),
        (LossQuantity.channels, "CHI-MAXCHL", {"adapters": 30}, []),
    ],
)
def test_plans_that_move_channels_of_what_is_lost_or_of_its_survivor_are_presupposed(
    quantity: LossQuantity, rule_id: str, settings: dict[str, float], expected: list[str]
) -> None:
    part = "BP01" if quantity is LossQuantity.buffer_pool else "CHINIT"
    cell = loss_cell(survivor=CSQ1, subject=f"{CSQ1}/{part}", rule_id=rule_id, quantity=quantity)
    found = loss(lost=CSQ2, survivors=(CSQ1,), cells=(cell,), due_date=IN_TIME)
    plans = [
        plan(
            resource=f"{subject}/31bit",
            kind="chinit_storage_31bit",
            owner_subject=subject,
            changes=(plan_change(subject=f"{subject}/CHINIT", settings=settings),),
            due_date=LATER,
        )
        for subject in (CSQ2, CSQ1, "PLEX1/CSQ22")
    ]
    assert sorted(needed(found, *plans)) == [f"{each}/31bit" for each in sorted(expected)]
