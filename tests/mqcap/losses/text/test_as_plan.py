"""A loss as a plan."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.plan import PlanCost, PlanVariant
from mqcap.losses.model import SurvivorChanges
from mqcap.losses.text.as_plan import needed_text, plan_of_loss, plans_of_losses
from tests.factories import DAY
from tests.plan_factories import loss, plan_change

CF03 = "PLEX1/CF03"
DUE = DAY + timedelta(days=14)
VARIANT = PlanVariant(
    changes=(plan_change(subject=CF03, text="Give it 3 engines.", typed="ICF engines: 3"),),
    cost=PlanCost(engines=1, work_hours=2),
    lasts_until=date(2027, 7, 1),
)


def test_a_loss_reads_as_a_plan_with_its_own_changes() -> None:
    found = plan_of_loss(loss(changes=VARIANT, due_date=DUE, owner="Sysplex team"))
    assert (found.about.label, found.about.owner, found.due_date) == (
        "loss of CF02",
        "Sysplex team",
        DUE,
    )
    assert (found.changes, found.base.cost) == (VARIANT.changes, VARIANT.cost)
    assert found.base.lasts_until == VARIANT.lasts_until


def test_its_worst_rule_is_that_of_the_first_failure() -> None:
    found = plan_of_loss(loss(due_date=DUE))
    assert (found.resource, found.reason.rule_id) == ("PLEX1/CF02/loss", "LOSS-CF-BUSY")


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
