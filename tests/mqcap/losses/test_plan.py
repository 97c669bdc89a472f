"""What to change so that a loss can be carried."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.judging.evaluate import DayFacts
from mqcap.losses.carried.lose import loss_of
from mqcap.losses.cell import LossQuantity
from mqcap.losses.cells import cells_of
from mqcap.losses.make import losses_of_day
from mqcap.losses.text.sentences import consequence
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from tests import plan_factories
from tests.mqcap.whatif.sharing_group import (
    CF01,
    CF02,
    CF03,
    CSQ1,
    CSQ2,
    estate,
    facility,
    facts_of,
)


@pytest.mark.thorough
def test_one_engine_more_lets_the_best_survivor_carry_a_facility(tmp_path: Path) -> None:
    """(43.0 + 102.8) / 3 = 48.6 % on CF03, where CF01 would need three engines more."""
    facts = facts_of(tmp_path)
    [loss] = [each for each in losses_of_day(facts) if each.lost == CF02]
    assert loss.changes is not None
    assert loss.carriers == (CF03,)
    assert [change.settings for change in loss.changes.changes] == [{"engines": 3}]
    assert loss.changes.cost.engines == 1
    assert loss.not_kept == ()


@pytest.mark.thorough
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
            if cell.survivor in loss.carriers and cell.is_caused and cell.fails_today
        ]
        assert failing == [], loss.lost


@pytest.mark.thorough
def test_the_plans_of_the_day_are_in_force_before_anything_more_is_changed(
    tmp_path: Path,
) -> None:
    change = plan_factories.plan_change(
        subject=CF03, settings={"engines": 3}, before={"engines": 2}
    )
    plan = plan_factories.plan(resource=CF03, changes=(change,))
    [loss] = [each for each in losses_of_day(facts_of(tmp_path), [plan]) if each.lost == CF02]
    assert loss.changes is not None
    assert (loss.changes.changes, loss.carriers) == ((), (CF03,))
    [presupposed] = loss.presupposes
    assert (presupposed.resource, presupposed.needed_from) == (CF03, loss.site_date)
    assert any(cell.fails_today for cell in loss.cells)


@pytest.mark.thorough
def test_the_changes_are_known_resource_by_resource(tmp_path: Path) -> None:
    [loss] = [each for each in losses_of_day(facts_of(tmp_path)) if each.lost == CF02]
    assert loss.changes is not None
    assert [(each.resource, each.cost) for each in loss.by_resource] == [(CF03, loss.changes.cost)]
    assert loss.by_resource[0].changes == loss.changes.changes


@pytest.mark.thorough
def test_what_no_setting_keeps_fails_from_the_day_with_plans_and_changes_done(
    tmp_path: Path,
) -> None:
    """1,000 channels fewer leave 31-bit storage above 80 %, without all of CSQ2 too."""
    facts = facts_of(tmp_path, changed={("chinit_31bit_used_pct", f"{CSQ1}/CHINIT"): 99.0})
    change = plan_factories.plan_change(
        subject=f"{CSQ1}/CHINIT", settings={"channels_moved": 1_000}
    )
    plan = plan_factories.plan(resource=f"{CSQ1}/CHINIT/storage_31bit", changes=(change,))
    [loss] = [each for each in losses_of_day(facts, [plan]) if each.lost == CSQ2]
    [unkept] = [each for each in loss.not_kept if each.rule_id == "CHI-80-31BIT"]
    [cell] = [each for each in loss.planned_cells if each.rule_id == "CHI-80-31BIT"]
    assert (unkept.fails_from, cell.fails_from) == (loss.site_date, loss.site_date)
    words = "No setting keeps it within the limits, even with the plans of the day."
    assert words in consequence(loss)


@pytest.mark.thorough
def test_a_limit_that_no_setting_keeps_counts_also_where_it_fails_with_nothing_lost(
    tmp_path: Path,
) -> None:
    facts = facts_of(tmp_path, changed={("chinit_31bit_used_pct", f"{CSQ1}/CHINIT"): 85.0})
    [loss] = [each for each in losses_of_day(facts) if each.lost == CSQ2]
    [cell] = [each for each in loss.cells_of(CSQ1) if each.quantity is LossQuantity.chinit_31bit]
    assert (cell.fails_before, cell.needs_more, cell.matters) == (True, True, True)


@pytest.mark.thorough
def test_what_no_change_keeps_is_named(tmp_path: Path) -> None:
    configured = estate((facility("CF01", 1, 15_000, takes_over="CF02"), facility("CF02", 3)))
    facts: DayFacts = facts_of(tmp_path, configured=configured)
    [loss] = [each for each in losses_of_day(facts) if each.lost == CF02]
    assert loss.carriers == (CF01,)
    [storage] = loss.not_kept
    assert (storage.rule_id, storage.subject) == ("LOSS-CF-STORAGE", CF01)
    assert storage.why == "give PLEX1/CF01 42 MiB more storage, or make the structures smaller"


@pytest.mark.thorough
def test_a_structure_without_a_place_asks_for_another_facility(tmp_path: Path) -> None:
    listed = facility("CF02", 3, structures=[{"name": "ISGLOCK", "preference_list": ["CF02"]}])
    configured = estate((facility("CF01", 9), listed))
    [loss] = [
        each
        for each in losses_of_day(facts_of(tmp_path, configured=configured))
        if each.lost == CF02
    ]
    assert loss.not_kept[0].why.startswith("no facility can take ISGLOCK: name another one in PREF")
