"""A loss as a plan."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.plan import NotKept, PlanCost, PlanVariant
from mqcap.losses.cell import LossQuantity
from mqcap.losses.model import PresupposedPlan, SurvivorChanges
from mqcap.losses.text.as_plan import needed_text, plan_of_loss, plans_of_losses
from mqcap.losses.text.sentences import effort_lines
from mqcap.presentation.plans.text import plan_lines
from tests.factories import DAY
from tests.plan_factories import loss, loss_cell, plan_change

CF03 = "PLEX1/CF03"
DUE = DAY + timedelta(days=14)
VARIANT = PlanVariant(
    changes=(plan_change(subject=CF03, text="Give it 3 engines.", typed="ICF engines: 3"),),
    cost=PlanCost(engines=1, work_hours=2),
    lasts_until=date(2027, 7, 1),
)


def test_a_loss_reads_as_a_plan_with_its_subjects_and_what_it_is_beside() -> None:
    lines = plan_lines(plan_of_loss(loss(changes=VARIANT, due_date=DUE, owner="Sysplex team")))
    assert lines[0] == (
        "loss of CF02: WATCH, CF03 takes its load: CF busy 72.93 %, limit 60 %. With these changes "
        "it is carried until 1 Jul 2027."
    )
    assert lines[1] == (
        "Begin by 16 Mar 2026 (Sysplex team): beside the plans of the day, CF03: Give it 3 engines "
        "[ICF engines: 3]."
    )
    assert lines[2] == (
        "Takes 1 CF engine, 2 h of work; lasts until 1 Jul 2027 at the 90 % bound of the forecast."
    )


def test_a_survivor_without_a_forecast_says_so_where_no_limit_is_forecast_to_be_passed() -> None:
    today = loss_cell(today=48.6, at_horizon=None, fails_today=False)
    storage = loss_cell(quantity=LossQuantity.cf_storage, at_horizon=None, fails_today=False)
    variant = VARIANT.model_copy(update={"lasts_until": None})
    unknown = loss(changes=variant, due_date=DUE, changed_cells=(today, storage))
    words = "sized for the measured figures: CF busy of CF03 is not forecast."
    assert plan_lines(plan_of_loss(unknown))[2].endswith(f"2 h of work; {words}")
    [line] = effort_lines(unknown)
    assert line.endswith(f"; {words}")
    known = unknown.model_copy(update={"changed_cells": (loss_cell(), storage)})
    assert "lasts as far as the forecast reaches" in plan_lines(plan_of_loss(known))[2]


FIRST = PresupposedPlan(
    resource="PLEX1/CSQ3/CHINIT/storage_64bit",
    label="CSQ3 chinit 64-bit storage",
    typed=("MEMLIMIT=4G",),
    needed_from=DAY + timedelta(days=1),
    due_date=DUE,
)


def test_a_plan_of_the_day_that_suffices_is_what_to_do() -> None:
    found = plan_of_loss(loss(changes=PlanVariant(), presupposes=(FIRST,), due_date=DUE))
    assert plan_lines(found)[1] == (
        "Begin by 16 Mar 2026: the plan of CSQ3 chinit 64-bit storage, needed "
        "from 3 Mar 2026: due 16 Mar 2026 [MEMLIMIT=4G]."
    )


def test_plans_that_come_first_are_one_step_before_the_changes() -> None:
    more = FIRST.model_copy(update={"label": "CSQ3 active logs", "typed": ("3 x CYL(5825)",)})
    found = plan_of_loss(loss(changes=VARIANT, presupposes=(FIRST, more), due_date=DUE))
    assert plan_lines(found)[1] == (
        "Begin by 16 Mar 2026: first the plans of CSQ3 chinit 64-bit storage, "
        "CSQ3 active logs; beside the plans of the day, CF03: Give it 3 engines [ICF engines: 3]."
    )
    assert found.cost == VARIANT.cost


def test_several_changes_are_a_list_of_what_is_typed() -> None:
    pool = plan_change(subject="PLEX1/CSQ2/BP01", text="Give it more.", typed="BUFFERS(370000)")
    variant = VARIANT.model_copy(update={"changes": (*VARIANT.changes, pool)})
    assert plan_lines(plan_of_loss(loss(changes=variant, due_date=DUE)))[1] == (
        "Begin by 16 Mar 2026: beside the plans of the day, CF03 [ICF engines: 3]; CSQ2/BP01 "
        "[BUFFERS(370000)]."
    )


@pytest.mark.parametrize(
    ("last", "words"),
    [
        (DAY - timedelta(days=1), "lasts no day before what cannot be kept is mended; worth"),
        (DAY, "lasts until 2 Mar 2026 at the 90 % bound"),
    ],
)
def test_changes_beside_a_rule_that_fails_today_last_no_day(last: date, words: str) -> None:
    failure = NotKept(rule_id="CHI-80-31BIT", subject=CF03, fails_from=DAY, why="another one")
    variant = VARIANT.model_copy(update={"lasts_until": last})
    found = loss(changes=variant, not_kept=(failure,), due_date=DUE)
    assert f"2 h of work; {words}" in plan_lines(plan_of_loss(found))[2]
    assert words.partition(" at ")[0] in next(effort_lines(found))


def test_what_no_setting_keeps_is_decided_by_the_same_day() -> None:
    failure = NotKept(rule_id="LOSS-CF-PLACE", subject=CF03, fails_from=DAY, why="duplex it")
    lines = plan_lines(plan_of_loss(loss(not_kept=(failure,), due_date=DUE)))
    assert lines[1] == (
        "Begin by 16 Mar 2026: Cannot be kept: LOSS-CF-PLACE fails from 2 Mar 2026: duplex it."
    )


def test_its_worst_rule_is_that_of_the_first_failure() -> None:
    found = plan_of_loss(loss(due_date=DUE))
    assert (found.resource, found.worst_rule) == ("PLEX1/CF02/loss", "LOSS-CF-BUSY")


@pytest.mark.parametrize("severity", [Severity.ok, Severity.suggestion, Severity.unknown])
def test_a_loss_without_anything_to_decide_is_no_plan(severity: Severity) -> None:
    assert plans_of_losses([loss(severity=severity, due_date=None)]) == []


def test_what_all_losses_take_is_stated_once() -> None:
    part = SurvivorChanges(
        resource=CF03, label="CF03 coupling facility", **dict(VARIANT), owner="Sysplex team"
    )
    found = [
        loss(lost=lost, due_date=DUE, changes=VARIANT, by_resource=(part,))
        for lost in ("PLEX1/CF02", "PLEX1/CF01")
    ]
    assert needed_text(found).startswith(
        "For losses, beside the plans of the day: 1 resource, 1 CF engine, 2 h of work."
    )
    assert needed_text([loss()]) == ""
