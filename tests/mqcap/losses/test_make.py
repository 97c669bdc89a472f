"""The losses of a day."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.estate import Estate
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic, series_id
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.make import losses_of_day
from mqcap.losses.model import Loss
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


def losses(facts: DayFacts) -> dict[str, Loss]:
    """The losses of the day by part."""
    return {loss.lost: loss for loss in losses_of_day(facts)}


@pytest.mark.thorough
def test_each_facility_of_mq_and_each_member_is_lost_in_turn(tmp_path: Path) -> None:
    """CF03 has no structure of the group, so its loss is not that of MQ."""
    assert set(losses(facts_of(tmp_path))) == {CF01, CF02, CSQ1, CSQ2}


@pytest.mark.thorough
def test_the_loss_of_the_sample_facility_is_129_and_73_percent_and_57_together(
    tmp_path: Path,
) -> None:
    """(26.48 + 21.50 x 2 + 34.28 x 3) / 3 = 57.4 %; 3.5 + 77 of 102.8 % have room."""
    loss = losses(facts_of(tmp_path))[CF02]
    busy = {cell.survivor: cell.today for cell in loss.cells if cell.rule_id.startswith("CF-BUSY")}
    assert busy == pytest.approx({CF01: 129.326, CF03: 72.927})
    assert loss.spread is not None
    assert loss.spread.busy_pct == pytest.approx(57.44, abs=0.01)
    assert loss.spread.moved_engine_pct == pytest.approx(102.85, abs=0.01)
    assert loss.spread.room_engine_pct == pytest.approx(30 - 26.48 + 120 - 43.008)
    assert (loss.severity, loss.is_any_enough) == (Severity.watch, True)


@pytest.mark.thorough
def test_a_loss_that_one_survivor_carries_is_in_order(tmp_path: Path) -> None:
    loss = losses(facts_of(tmp_path))[CF01]
    assert (loss.severity, loss.changes, loss.not_kept) == (Severity.ok, None, ())


@pytest.mark.thorough
def test_structures_without_a_place_are_act_on_production(tmp_path: Path) -> None:
    listed = facility("CF02", 3, structures=[{"name": "QSG1APPL2", "preference_list": ["CF02"]}])
    cfs = (facility("CF01", 1), listed, facility("CF03", 2))
    loss = losses(facts_of(tmp_path, configured=estate(cfs)))[CF02]
    assert (loss.severity, loss.nowhere_to_go) == (Severity.act, (f"{CF02}/QSG1APPL2",))
    test_only = (member("CSQ1", **{"class": "test"}), member("CSQ2", **{"class": "test"}))
    configured = estate(cfs, test_only)
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
    test_only = (member("CSQ1", **{"class": "test"}), member("CSQ2", **{"class": "test"}))
    loss = losses(alone(tmp_path, estate(cfs)))[CF02]
    assert (loss.severity, loss.is_only_facility, loss.due_date) == (
        Severity.suggestion,
        True,
        None,
    )
    loss = losses(alone(tmp_path / "test", estate(cfs, test_only)))[CF02]
    assert (loss.severity, loss.is_only_facility) == (Severity.ok, True)


@pytest.mark.thorough
def test_a_loss_whose_survivors_are_not_measured_is_unknown(tmp_path: Path) -> None:
    loss = losses(alone(tmp_path, estate()))[CF02]
    assert (loss.severity, loss.nowhere_to_go, loss.survivors) == (Severity.unknown, (), ())


@pytest.mark.thorough
def test_a_loss_has_the_owner_and_the_due_day_of_plans(tmp_path: Path) -> None:
    """Over the limit today: as soon as possible, as a plan of a breach."""
    facts = facts_of(tmp_path)
    loss = losses(facts)[CF02]
    assert loss.due_date == loss.site_date
    assert losses(facts)[CF01].due_date is None


def test_a_member_alone_in_its_group_is_left_out(tmp_path: Path) -> None:
    configured = estate(qmgrs=(member("CSQ1"), member("CSQ2", qsg="QSG2")))
    assert {CSQ1, CSQ2}.isdisjoint(losses(facts_of(tmp_path, configured=configured)))


@pytest.mark.thorough
def test_structures_that_fit_if_they_are_spread_are_spread_and_engines_are_the_option(
    tmp_path: Path,
) -> None:
    """CF01 with 2 engines: room of 67.04 + 76.99 for 102.8 % of an engine."""
    facilities = (facility("CF01", 2), facility("CF02", 3), facility("CF03", 2))
    loss = losses(facts_of(tmp_path, configured=estate(cfs=facilities)))[CF02]
    assert loss.spread is not None
    assert loss.spread.room_engine_pct >= loss.spread.moved_engine_pct
    assert loss.changes is not None
    assert [change.typed for change in loss.changes.changes] == ["PREFLIST"]
    assert [option.cost.engines for option in loss.options] == [1]


def test_they_are_spread_also_where_no_amount_of_engines_can_be_stated(tmp_path: Path) -> None:
    facilities = (facility("CF01", 2), facility("CF02", 3), facility("CF03", 2))
    facts = facts_of(tmp_path, configured=estate(cfs=facilities))
    key = (series_id("cf_busy_pct", "PLEX1/CF03"), Statistic.peak)
    short = rising(key[0], 20.0, 0.0, statistic=key[1]).model_copy(
        update={"trained_days": 5, "refusal": "too short", "points": (), "after_horizon": ()}
    )
    loss = losses(facts._replace(forecasts={**facts.forecasts, key: short}))[CF02]
    assert loss.changes is not None
    assert [change.typed for change in loss.changes.changes] == ["PREFLIST"]
    assert (loss.options, loss.not_kept) == ((), ())
