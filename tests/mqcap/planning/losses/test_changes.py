"""What to change so that a loss can be carried."""

from __future__ import annotations

from pathlib import Path

from mqcap.judging.evaluate import DayFacts
from mqcap.planning.losses.cells import cells_of
from mqcap.planning.losses.make import losses_of_day
from mqcap.whatif.lose import loss_of
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from tests import factories
from tests.mqcap.whatif.sharing_group import (
    CF01,
    CF02,
    CF03,
    CSQ1,
    CSQ2,
    LOG,
    estate,
    facility,
    facts_of,
    hours,
    member,
)


def test_one_engine_more_lets_the_best_survivor_carry_a_facility(tmp_path: Path) -> None:
    """(43.0 + 102.8) / 3 = 48.6 % on CF03, where CF01 would need three engines more."""
    facts = facts_of(tmp_path)
    [loss] = [each for each in losses_of_day(facts) if each.lost == CF02]
    assert loss.changes is not None
    assert loss.changed_survivors == (CF03,)
    assert [change.settings for change in loss.changes.changes] == [{"engines": 3}]
    assert loss.changes.cost.engines == 1
    assert loss.not_kept == ()


def test_with_the_changes_nothing_fails_that_failed_because_of_the_loss(tmp_path: Path) -> None:
    facts = facts_of(tmp_path)
    for loss in losses_of_day(facts):
        if loss.changes is None or loss.not_kept:
            continue
        parts = [part for change in loss.changes.changes for part in change.scenario_parts]
        after = overlay(facts, Scenario.model_validate({"configuration": parts})).facts
        cells = list(cells_of(after, loss_of(after, loss.lost)))
        failing = [
            cell
            for cell in cells
            if cell.survivor in loss.changed_survivors and cell.is_caused and cell.fails_today
        ]
        assert failing == [], loss.lost


def test_the_plans_of_the_day_are_in_force_before_anything_more_is_changed(
    tmp_path: Path,
) -> None:
    change = factories.plan_change(subject=CF03, settings={"engines": 3}, before={"engines": 2})
    plan = factories.plan(resource=CF03, changes=(change,))
    [loss] = [each for each in losses_of_day(facts_of(tmp_path), [plan]) if each.lost == CF02]
    assert loss.changes is None
    assert any(cell.fails_today for cell in loss.cells)


def test_the_changes_are_known_resource_by_resource(tmp_path: Path) -> None:
    [loss] = [each for each in losses_of_day(facts_of(tmp_path)) if each.lost == CF02]
    assert loss.changes is not None
    assert [(each.resource, each.cost) for each in loss.by_resource] == [(CF03, loss.changes.cost)]
    assert loss.by_resource[0].changes == loss.changes.changes


def test_channels_that_plans_move_are_taken_to_leave_the_group(tmp_path: Path) -> None:
    change = factories.plan_change(subject=f"{CSQ2}/CHINIT", settings={"channels_moved": 100})
    plan = factories.plan(resource=f"{CSQ2}/CHINIT/chinit_storage_31bit", changes=(change,))
    facts = facts_of(
        tmp_path,
        changed={(LOG, CSQ1): 0.5, (LOG, CSQ2): 6.3},
        by_hour={(LOG, CSQ1): hours((0.5, 0.5)), (LOG, CSQ2): hours((6.3, 6.3))},
    )
    found = {each.lost: each for each in losses_of_day(facts, [plan])}
    assert found[CSQ2].assumptions[-1] == (
        "The channels that plans move away from PLEX1/CSQ2 are taken to leave the queue sharing "
        "group: on another member they would come back with this loss."
    )
    assert "leave" not in "".join(found[CF02].assumptions)


def test_a_limit_that_no_change_keeps_has_its_first_day(tmp_path: Path) -> None:
    """6.8 MiB/s fill the largest log of 4,095 MiB in 10 minutes."""
    facts = facts_of(
        tmp_path,
        changed={(LOG, CSQ1): 0.5, (LOG, CSQ2): 6.3},
        by_hour={(LOG, CSQ1): hours((0.5, 0.5)), (LOG, CSQ2): hours((6.3, 6.3))},
    )
    [loss] = [each for each in losses_of_day(facts) if each.lost == CSQ2]
    [sentence] = [each for each in loss.not_kept if "LOG-FILL-30MIN" in each]
    assert sentence.startswith(
        "CSQ1 active logs: no change keeps LOG-FILL-30MIN from 5 Dec 2026 on"
    )


def test_what_no_change_keeps_is_named(tmp_path: Path) -> None:
    configured = estate((facility("CF01", 1, 15_000, takes_over="CF02"), facility("CF02", 3)))
    facts: DayFacts = facts_of(tmp_path, configured=configured)
    [loss] = [each for each in losses_of_day(facts) if each.lost == CF02]
    assert loss.changed_survivors == (CF01,)
    assert loss.not_kept == (
        "PLEX1/CF01: give it 42 MiB more storage, or make the structures smaller.",
    )


def test_a_structure_without_a_place_asks_for_another_facility(tmp_path: Path) -> None:
    listed = facility("CF02", 3, structures=[{"name": "ISGLOCK", "preference_list": ["CF02"]}])
    configured = estate((facility("CF01", 9), listed))
    [loss] = [
        each
        for each in losses_of_day(facts_of(tmp_path, configured=configured))
        if each.lost == CF02
    ]
    assert loss.not_kept[0].startswith("No facility can take ISGLOCK: name another one in PREFLIST")


def test_the_survivor_of_a_member_gets_larger_logs(tmp_path: Path) -> None:
    """2,048 MiB fill in 68 min at 0.5 MiB/s and in 23 min at 1.5 MiB/s."""
    facts = facts_of(
        tmp_path,
        configured=estate(qmgrs=(member("CSQ1", active_logs=100), member("CSQ2"))),
        changed={(LOG, CSQ1): 0.5, (LOG, CSQ2): 1.0},
        by_hour={(LOG, CSQ1): hours((0.5, 0.5)), (LOG, CSQ2): hours((1.0, 1.0))},
    )
    [loss] = [each for each in losses_of_day(facts) if each.lost == CSQ2]
    assert loss.changes is not None
    logs = [change.settings for change in loss.changes.changes if change.subject == CSQ1]
    assert float(logs[0]["active_log_size_mib"]) >= 1_800 * 1.5
    assert loss.changes.cost.cylinders > 0
