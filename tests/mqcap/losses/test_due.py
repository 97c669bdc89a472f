"""When to decide on a loss: the lead time before it would fail."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from mqcap.domain.plan import Plan, PlanChange
from mqcap.losses.cell import LossQuantity
from mqcap.losses.model import AssumedPlan, Loss
from mqcap.losses.plan import (
    due_date_of_loss,
    with_needed,
)
from mqcap.settings import AlertSettings, ChangeFreeze
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


@pytest.mark.parametrize(("fails_after_days", "days"), [(0, 0), (30, 0), (31, 1), (100, 70)])
def test_the_lead_time_before_the_failure_else_the_day_itself(
    fails_after_days: int, days: int
) -> None:
    found = due(lead_days=30, fails_after_days=fails_after_days)
    assert found == DAY + timedelta(days=days)


def test_it_is_before_a_change_freeze() -> None:
    freeze = ChangeFreeze(first=DAY + timedelta(days=20), last=DAY + timedelta(days=40))
    assert due(lead_days=30, fails_after_days=60, freeze=freeze) == DAY + timedelta(days=19)


def test_a_loss_without_a_failure_has_no_due_day() -> None:
    cell = loss_cell(fails_today=False)
    assert due_date_of_loss(loss(cells=(cell,)), AlertSettings()) is None


def test_the_longest_lead_time_of_what_fails_counts() -> None:
    leads = {"LOSS-CF-BUSY": 5, "LOSS-CF-STORAGE": 50, "LOSS-CF-PLACE": 70, "default": 99}
    later = {"fails_today": False, "fails_from": DAY + timedelta(days=100)}
    cells = (loss_cell(**later), loss_cell(quantity=LossQuantity.cf_storage, **later))
    alerts = AlertSettings(lead_time_days=leads)
    assert due_date_of_loss(loss(cells=cells), alerts) == DAY + timedelta(days=50)


CF03, CSQ1, CSQ2 = "PLEX1/CF03", "PLEX1/CSQ1", "PLEX1/CSQ2"
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
        AssumedPlan(resource=each.resource, label=each.about.label, typed=(), subjects=())
        for each in plans
    )
    lost = with_needed(found.model_copy(update={"assumed": assumed}), plans)
    return {each.resource: each.needed_from for each in lost.presupposes}


@pytest.mark.parametrize("days", [0, 14, 80])
def test_a_plan_is_needed_from_the_first_day_over_the_limit_that_it_keeps(days: int) -> None:
    first = DAY + timedelta(days=days)
    cell = loss_cell(fails_today=not days, fails_from=first)
    found = loss(cells=(cell,), due_date=IN_TIME)
    other = engine_plan(resource="PLEX1/CF01")
    assert needed(found, engine_plan(), other) == {CF03: first}


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
    assert sorted(needed(found, *plans)) == [f"{each}/31bit" for each in sorted(expected)]
