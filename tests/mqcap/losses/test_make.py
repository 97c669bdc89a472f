"""Losses as plans: made and judged."""

from pathlib import Path

import pytest

from mqcap.domain.estate import Estate
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic, series_id
from mqcap.domain.plan import Plan
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.carried.lose import loss_of
from mqcap.losses.cell import LossQuantity
from mqcap.losses.cells import cells_of
from mqcap.losses.make import losses_of_day
from mqcap.losses.model import Loss
from mqcap.losses.text.sentences import consequence
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from tests import plan_factories
from tests.mqcap.rulebook.builders import rising
from tests.mqcap.whatif.sharing_group import (
    CF01,
    CF02,
    CF03,
    CSQ1,
    CSQ2,
    estate,
    facility,
    facts_of,
    member,
)

TEST_ONLY = tuple(member(name, **{"class": "test"}) for name in ("CSQ1", "CSQ2"))
ROOMY = (facility("CF01", 2), facility("CF02", 3), facility("CF03", 2))


def losses(facts: DayFacts, *plans: Plan) -> dict[str, Loss]:
    """The losses of the day by part."""
    return {loss.lost: loss for loss in losses_of_day(facts, plans)}


@pytest.mark.thorough
def test_each_facility_of_mq_and_each_member_is_lost_in_turn(
    sample_losses: dict[str, Loss],
) -> None:
    """CF03 has no structure of the group, so its loss is not that of MQ."""
    assert set(sample_losses) == {CF01, CF02, CSQ1, CSQ2}


@pytest.mark.thorough
def test_the_load_of_the_sample_facility_spread_over_both_survivors_is_57_percent(
    sample_losses: dict[str, Loss],
) -> None:
    """(26.48 + 21.50 x 2 + 34.28 x 3) / 3 = 57.4 %; 3.5 + 77 of 102.8 % have room."""
    loss = sample_losses[CF02]
    assert loss.spread is not None
    assert loss.spread.busy_pct == pytest.approx(57.44, abs=0.01)
    assert loss.spread.moved_engine_pct == pytest.approx(102.85, abs=0.01)
    assert loss.spread.room_engine_pct == pytest.approx(30 - 26.48 + 120 - 43.008)
    assert (loss.severity, loss.is_any_enough) == (Severity.watch, True)


@pytest.mark.thorough
def test_structures_without_a_place_are_act_on_production(tmp_path: Path) -> None:
    listed = facility("CF02", 3, structures=[{"name": "QSG1APPL2", "preference_list": ["CF02"]}])
    cfs = (facility("CF01", 1), listed, facility("CF03", 2))
    loss = losses(facts_of(tmp_path, configured=estate(cfs)))[CF02]
    assert (loss.severity, loss.nowhere_to_go) == (Severity.act, (f"{CF02}/QSG1APPL2",))
    assert loss.not_kept[0].why.startswith("no facility can take QSG1APPL2: name another one in")
    configured = estate(cfs, TEST_ONLY)
    loss = losses(facts_of(tmp_path / "test", configured=configured))[CF02]
    assert loss.severity is Severity.watch


def alone(folder: Path, configured: Estate) -> DayFacts:
    """The facts of CF02 without the other measured facilities."""
    facts = facts_of(folder, configured=configured)
    return facts._replace(observed=facts.observed.without(CF01).without(CF03))


@pytest.mark.thorough
def test_the_only_facility_is_a_suggestion_for_production_and_nothing_for_test(
    tmp_path: Path,
) -> None:
    cfs = (facility("CF02", 3),)
    loss = losses(alone(tmp_path, estate(cfs)))[CF02]
    assert (loss.severity, loss.is_only_facility) == (Severity.suggestion, True)
    assert loss.due_date is None
    loss = losses(alone(tmp_path / "test", estate(cfs, TEST_ONLY)))[CF02]
    assert (loss.severity, loss.is_only_facility) == (Severity.ok, True)


@pytest.mark.thorough
def test_a_loss_whose_survivors_are_not_measured_is_unknown(tmp_path: Path) -> None:
    loss = losses(alone(tmp_path, estate()))[CF02]
    assert (loss.severity, loss.nowhere_to_go, loss.survivors) == (Severity.unknown, (), ())


@pytest.mark.thorough
def test_a_loss_over_its_limit_is_due_at_once_and_one_that_a_survivor_carries_is_in_order(
    sample_losses: dict[str, Loss],
) -> None:
    over, carried = sample_losses[CF02], sample_losses[CF01]
    assert over.due_date == over.site_date
    assert (carried.severity, carried.changes, carried.not_kept) == (Severity.ok, None, ())
    assert carried.due_date is None


def test_a_member_alone_in_its_group_is_left_out(tmp_path: Path) -> None:
    configured = estate(qmgrs=(member("CSQ1"), member("CSQ2", qsg="QSG2")))
    assert {CSQ1, CSQ2}.isdisjoint(losses(facts_of(tmp_path, configured=configured)))


@pytest.mark.thorough
def test_structures_that_fit_if_they_are_spread_are_spread_and_engines_are_the_option(
    tmp_path: Path,
) -> None:
    """CF01 with 2 engines: room of 67.04 + 76.99 for 102.8 % of an engine."""
    loss = losses(facts_of(tmp_path, configured=estate(cfs=ROOMY)))[CF02]
    assert loss.spread is not None
    assert loss.spread.room_engine_pct >= loss.spread.moved_engine_pct
    assert loss.changes is not None
    assert [change.typed for change in loss.changes.changes] == ["PREFLIST"]
    assert [option.cost.engines for option in loss.options] == [1]


def test_they_are_spread_also_where_no_amount_of_engines_can_be_stated(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, configured=estate(cfs=ROOMY))
    key = (series_id("cf_busy_pct", "PLEX1/CF03"), Statistic.peak)
    short = rising(key[0], 20.0, 0.0, statistic=key[1]).model_copy(
        update={"trained_days": 5, "refusal": "too short", "points": (), "after_horizon": ()}
    )
    loss = losses(facts._replace(forecasts={**facts.forecasts, key: short}))[CF02]
    assert loss.changes is not None
    assert [change.typed for change in loss.changes.changes] == ["PREFLIST"]
    assert (loss.options, loss.not_kept) == ((), ())


@pytest.mark.thorough
def test_one_engine_more_lets_the_best_survivor_carry_a_facility(
    sample_losses: dict[str, Loss],
) -> None:
    """(43.0 + 102.8) / 3 = 48.6 % on CF03, where CF01 would need three engines more."""
    loss = sample_losses[CF02]
    assert loss.changes is not None
    assert loss.carriers == (CF03,)
    assert [change.settings for change in loss.changes.changes] == [{"engines": 3}]
    assert loss.changes.cost.engines == 1
    [part] = loss.by_resource
    assert (part.resource, part.changes, part.cost) == (
        CF03, loss.changes.changes, loss.changes.cost
    )  # fmt: skip
    assert loss.not_kept == ()


@pytest.mark.thorough
def test_with_the_changes_nothing_fails_that_failed_because_of_the_loss(sample: DayFacts) -> None:
    for loss in losses_of_day(sample):
        if loss.changes is None or loss.not_kept:
            continue
        parts = [part for change in loss.changes.changes for part in change.scenario_parts]
        after = overlay(sample, Scenario.model_validate({"configuration": parts})).facts
        cells = list(cells_of(after, loss_of(after, loss.lost)))
        failing = [
            cell
            for cell in cells
            if cell.survivor in loss.carriers and cell.is_caused and cell.fails_today
        ]
        assert failing == [], loss.lost


@pytest.mark.thorough
def test_the_plans_of_the_day_are_in_force_before_anything_more_is_changed(
    sample: DayFacts,
) -> None:
    change = plan_factories.plan_change(
        subject=CF03, settings={"engines": 3}, before={"engines": 2}
    )
    plan = plan_factories.plan(resource=CF03, changes=(change,))
    loss = losses(sample, plan)[CF02]
    assert loss.changes is not None
    assert (loss.changes.changes, loss.carriers) == ((), (CF03,))
    [presupposed] = loss.presupposes
    assert (presupposed.resource, presupposed.needed_from) == (CF03, loss.site_date)
    assert any(cell.fails_today for cell in loss.cells)


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
    loss = losses(facts, plan)[CSQ2]
    [unkept] = [each for each in loss.not_kept if each.rule_id == "CHI-80-31BIT"]
    [cell] = [cell for cell in loss.planned_cells if cell.rule_id == "CHI-80-31BIT"]
    assert (unkept.fails_from, cell.fails_from) == (loss.site_date, loss.site_date)
    words = "No setting keeps it within the limits, even with the plans of the day."
    assert words in consequence(loss)


@pytest.mark.thorough
def test_a_limit_that_no_setting_keeps_counts_also_where_it_fails_with_nothing_lost(
    tmp_path: Path,
) -> None:
    facts = facts_of(tmp_path, changed={("chinit_31bit_used_pct", f"{CSQ1}/CHINIT"): 85.0})
    loss = losses(facts)[CSQ2]
    [cell] = [each for each in loss.cells_of(CSQ1) if each.quantity is LossQuantity.chinit_31bit]
    assert (cell.fails_before, cell.needs_more, cell.matters) == (True, True, True)


@pytest.mark.thorough
def test_what_no_change_keeps_is_named(tmp_path: Path) -> None:
    configured = estate((facility("CF01", 1, 15_000, takes_over="CF02"), facility("CF02", 3)))
    facts: DayFacts = facts_of(tmp_path, configured=configured)
    loss = losses(facts)[CF02]
    assert loss.carriers == (CF01,)
    [storage] = loss.not_kept
    assert (storage.rule_id, storage.subject) == ("LOSS-CF-STORAGE", CF01)
    assert storage.why == "give PLEX1/CF01 42 MiB more storage, or make the structures smaller"
