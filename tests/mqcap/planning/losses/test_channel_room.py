"""Channels that leave the group so that a survivor has room for those of a lost member."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.losses.in_force import with_plans
from mqcap.domain.losses.loss import Loss
from mqcap.domain.metric import owner_subject_of
from mqcap.domain.plan import Plan
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.losses import channel_room
from mqcap.planning.losses.cells import cells_of
from mqcap.planning.losses.in_force import with_plans_in_force
from mqcap.planning.losses.make import losses_of_day
from mqcap.whatif.losses.lose import LossOverlay, loss_of
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from tests import plan_factories
from tests.mqcap.whatif.sharing_group import CSQ1, CSQ2, facts_of

USED = ("chinit_31bit_used_pct", f"{CSQ1}/CHINIT")


def moved(subject: str, channels: int) -> Plan:
    """A plan of the day that moves channels of a member."""
    change = plan_factories.plan_change(
        subject=f"{subject}/CHINIT",
        settings={"channels_moved": channels},
        typed=f"{channels} channels",
    )
    return plan_factories.plan(resource=f"{subject}/CHINIT/storage_31bit", changes=(change,))


def loss_of_csq2(facts: DayFacts, *plans: Plan) -> Loss:
    """The loss of CSQ2, which CSQ1 has to carry."""
    [loss] = [each for each in losses_of_day(facts, plans) if each.lost == CSQ2]
    return loss


def storage_pct(facts: DayFacts, channels: int) -> float:
    """31-bit storage of CSQ1 with the load of CSQ2, less some channels of CSQ2."""
    parts = [{"subject": f"{CSQ2}/CHINIT", "channels_moved": channels}]
    done = overlay(facts, Scenario.model_validate({"configuration": parts})).facts
    cells = cells_of(done, loss_of(done, CSQ2))
    [cell] = [each for each in cells if each.rule_id == "CHI-80-31BIT"]
    assert cell.today is not None
    return cell.today


@pytest.mark.thorough
def test_the_fewest_channels_with_which_the_limit_is_kept_leave_the_larger_member(
    tmp_path: Path,
) -> None:
    """600 MiB are 60 %; 80 % leave 200 MiB / 90 KiB = 2,275 of 6,000 channels: 3,725 leave."""
    facts = facts_of(tmp_path, changed={USED: 60.0})
    loss = loss_of_csq2(facts)
    [move] = loss.moves
    assert (move.subject, move.survivor, move.planned) == (f"{CSQ2}/CHINIT", CSQ1, 0)
    assert move.today == 3_800
    assert storage_pct(facts, 3_700) > 80.0 >= storage_pct(facts, move.today)
    assert move.needed >= move.today
    assert not any(each.rule_id == "CHI-80-31BIT" for each in loss.not_kept)
    assert loss.changes is not None
    [change] = [each for each in loss.changes.changes if "channels_moved" in each.settings]
    assert change.settings == {"channels_moved": move.needed}
    assert loss.changes.cost.work_hours >= 2 + move.needed * 0.1


def test_the_channels_that_leave_are_sought_without_the_other_members(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither facilities nor members without a part in the load are looked at."""
    looked_at: set[str] = set()

    def seen(facts: DayFacts, lost: str) -> LossOverlay:
        looked_at.update(owner_subject_of(subject) for _, subject in facts.observed.series)
        return loss_of(facts, lost)

    facts = facts_of(tmp_path, changed={USED: 60.0})
    in_force = with_plans_in_force(facts, [])
    loss = plan_factories.loss(
        lost=CSQ2, survivors=(CSQ1,), cells=tuple(cells_of(facts, loss_of(facts, CSQ2)))
    )
    monkeypatch.setattr(channel_room, "loss_of", seen)
    [move] = channel_room.with_channel_room(loss, in_force, [CSQ1]).moves
    assert move.today == 3_800
    assert looked_at == {CSQ1, CSQ2}


@pytest.mark.thorough
def test_a_plan_that_moves_channels_is_made_larger_and_typed_once(tmp_path: Path) -> None:
    """Of the 1,000 channels that the plan of CSQ1 moves more leave: 0.1 h for each of those."""
    facts = facts_of(tmp_path, changed={USED: 40.0, ("chinit_31bit_used_mib", USED[1]): 330.0})
    plan = moved(CSQ1, 1_000)
    loss = loss_of_csq2(facts, plan)
    [move] = loss.moves
    assert (move.subject, move.planned) == (f"{CSQ1}/CHINIT", 1_000)
    [part] = [each for each in loss.by_resource if each.resource == f"{USED[1]}/storage_31bit"]
    assert part.cost.work_hours == pytest.approx((move.needed - 1_000) * 0.1)
    assert [each.resource for each in loss.presupposes] == [plan.resource]
    settings = [each.settings for each in with_plans(loss, [plan]) if each.subject == USED[1]]
    assert settings == [{"channels_moved": move.needed}]


@pytest.mark.thorough
def test_the_scenario_of_the_loss_has_the_storage_of_its_changes(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, changed={USED: 60.0})
    plan = moved(CSQ2, 1_000)
    loss = loss_of_csq2(facts, plan)
    [move] = loss.moves
    assert (move.planned, move.today) == (1_000, 3_800)
    [cell] = [each for each in loss.changed_cells if each.rule_id == "CHI-80-31BIT"]
    assert cell.today == pytest.approx(storage_pct(facts, move.needed))


@pytest.mark.thorough
def test_storage_that_is_kept_moves_nothing(tmp_path: Path) -> None:
    loss = loss_of_csq2(facts_of(tmp_path, changed={USED: 20.0}))
    assert loss.moves == ()
