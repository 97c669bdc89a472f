"""The figures of survivors with the load of a lost part, today and ahead."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from mqcap.domain.finding import Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction, SubjectKind, series_id
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.carried.carrier import carried_text
from mqcap.losses.carried.lose import loss_of
from mqcap.losses.cell import LossCell, LossQuantity
from mqcap.losses.cells import SURVIVOR_RULES, carried, cells_of, horizon_of, pairs_of, passes
from mqcap.losses.make import losses_of_day
from mqcap.whatif.as_document import as_document
from mqcap.whatif.comparison import Baseline, WhatIfResult
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.terminal import details, table
from sizing.rulebook.registry import all_rules
from tests import factories
from tests.mqcap.whatif.sharing_group import (
    CF01,
    CF02,
    CF03,
    CSQ1,
    CSQ2,
    DAY,
    LOG,
    estate,
    facility,
    facts_of,
    hours,
    member,
)


def cells(facts: DayFacts, lost: str) -> dict[tuple[str, LossQuantity], LossCell]:
    """The cells of a loss by survivor and quantity."""
    return {(cell.survivor, cell.quantity): cell for cell in cells_of(facts, loss_of(facts, lost))}


def forecast(subject: str, metric: str, *expected: float) -> Forecast:
    """A forecast without any width."""
    return factories.forecast(
        series_id=series_id(metric, subject),
        cutoff_date=DAY,
        lines=[(value, value, value) for value in expected],
    )


def test_a_cell_has_the_figure_before_and_with_the_load_and_the_limit_of_the_rule(
    tmp_path: Path,
) -> None:
    cell = cells(facts_of(tmp_path), CF02)[CF03, LossQuantity.cf_processor]
    assert (cell.rule_id, cell.limit, cell.before) == ("CF-BUSY-N", 60, 21.504)
    assert cell.today == pytest.approx(72.93, abs=0.01)
    assert (cell.fails_before, cell.fails_today, cell.fails_from) == (False, True, DAY)
    assert (cell.at_horizon, cell.minutes_to_failure) == (None, None)


def test_a_facility_that_needs_more_than_its_engines_stops_at_once(tmp_path: Path) -> None:
    cell = cells(facts_of(tmp_path), CF02)[CF01, LossQuantity.cf_processor]
    assert cell.today == pytest.approx(129.3, abs=0.1)
    assert cell.minutes_to_failure == 0


def test_a_survivor_fails_from_the_first_day_on_which_its_forecast_passes(tmp_path: Path) -> None:
    """(34.282 x 3 + own) / 3 passes 60 % once the own engine of CF01 needs 77.2 %."""
    facts = facts_of(tmp_path, forecasts=(forecast(CF02, "cf_busy_pct", 35.0, 51.2, 51.1),))
    cell = cells(facts, CF01)[CF02, LossQuantity.cf_processor]
    assert (cell.fails_today, cell.fails_from) == (
        False,
        factories.forecast(cutoff_date=DAY, lines=[(1, 1, 1), (1, 1, 1)]).points[1].site_date,
    )
    assert cell.at_horizon == pytest.approx(51.2 + 26.48 / 3)


def test_structures_are_held_against_free_storage(tmp_path: Path) -> None:
    configured = estate((facility("CF01", 1, 15_000), facility("CF02", 3), facility("CF03", 2)))
    found = cells(facts_of(tmp_path, configured=configured), CF02)
    tight, enough = (found[each, LossQuantity.cf_storage] for each in (CF01, CF03))
    assert (tight.today, tight.fails_today, tight.minutes_to_failure) == (8_292, True, 0)
    assert (enough.today, enough.fails_today, enough.minutes_to_failure) == (8_292, False, None)


def test_the_logs_of_a_survivor_last_so_many_minutes_if_archiving_stops(tmp_path: Path) -> None:
    cell = cells(facts_of(tmp_path), CSQ2)[CSQ1, LossQuantity.log_runway]
    assert cell.fails_today
    assert cell.today is not None
    assert cell.minutes_to_failure == pytest.approx(60 * cell.today)


@pytest.mark.parametrize(("schedule_hours", "fails"), [(1.5, False), (2, False), (2.5, True)])
def test_a_survivor_is_recovered_from_the_log_of_both(
    tmp_path: Path, schedule_hours: float, fails: bool
) -> None:
    """5 min at 60 MiB/s are 18,000 MiB: five hours of 1 MiB/s, two hours of 2.5 MiB/s."""
    backed_up = member(
        "CSQ1",
        restart_target_minutes=5,
        log_read_mib_per_s=60,
        page_set_backup_hours=schedule_hours,
    )
    configured = estate(qmgrs=(backed_up, member("CSQ2")))
    by_hour = {
        (LOG, CSQ1): hours((1.0, 1.0), (1.0, 1.0)),
        (LOG, CSQ2): hours((1.5, 1.5), (1.5, 1.5)),
    }
    facts = facts_of(tmp_path, configured=configured, by_hour=by_hour)
    cell = cells(facts, CSQ2)[CSQ1, LossQuantity.recovery]
    assert (cell.rule_id, cell.unit, cell.limit) == ("REC-FORMULA-A", "h", schedule_hours)
    assert [cell.before, cell.today] == pytest.approx([5.0, 2.0])
    assert (cell.fails_before, cell.fails_today) == (False, fails)
    assert (cell.minutes_to_failure, cell.stops_at_once) == (None, False)


@pytest.mark.parametrize(("schedule_hours", "fails"), [(12, False), (14.5, False), (15, True)])
def test_structures_are_recovered_from_the_log_of_both(
    tmp_path: Path, schedule_hours: float, fails: bool
) -> None:
    """450 MiB/s for 29 min are 783,000 MiB: 29 hours of 7.5 MiB/s, 14.5 hours of 15 MiB/s."""
    backed_up = member("CSQ1", structure_backup_hours=schedule_hours)
    configured = estate(qmgrs=(backed_up, member("CSQ2")))
    by_hour = {(LOG, name): hours((7.5, 7.5), (7.5, 7.5)) for name in (CSQ1, CSQ2)}
    facts = facts_of(tmp_path, configured=configured, by_hour=by_hour)
    cell = cells(facts, CSQ2)[CSQ1, LossQuantity.structure_recovery]
    assert (cell.rule_id, cell.unit, cell.limit) == ("CFB-INTERVAL", "h", schedule_hours)
    assert [cell.before, cell.today] == pytest.approx([29.0, 14.5])
    assert (cell.fails_before, cell.fails_today) == (False, fails)


def test_channels_stop_at_the_limit_itself(tmp_path: Path) -> None:
    chinit = f"{CSQ2}/CHINIT"
    known = {
        count: cells(
            facts_of(tmp_path / str(count), changed={("channels_current_count", chinit): count}),
            CSQ2,
        )[CSQ1, LossQuantity.channels]
        for count in (6_998, 6_999)
    }
    assert [known[count].fails_today for count in (6_998, 6_999)] == [False, True]
    assert [known[count].minutes_to_failure for count in (6_998, 6_999)] == [None, 0]


def test_what_the_loss_does_not_change_has_no_cell(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, changed={("buffer_pool_used_pct", f"{CSQ2}/BP01"): 0.0})
    assert (CSQ1, LossQuantity.buffer_pool) not in cells(facts, CSQ2)


def test_a_figure_that_cannot_be_confirmed_passes_by_its_own_value() -> None:
    unknown = factories.finding(severity=Severity.unknown, breach=None, limit_value=30.0)
    for observed, result in ((29.9, False), (30.0, False), (30.1, True)):
        assert passes(unknown.model_copy(update={"observed": observed})) is result
    down = unknown.model_copy(update={"direction": Direction.downward, "observed": 29.9})
    assert passes(down) is True
    assert passes(unknown.model_copy(update={"observed": None})) is False


def test_the_horizon_is_that_of_plans(tmp_path: Path) -> None:
    facts = facts_of(tmp_path)
    assert (horizon_of(facts) - DAY).days == facts.settings.plan.horizon_days


def test_every_quantity_but_the_storage_of_a_facility_has_the_rule_of_the_survivor() -> None:
    named = {entry.quantity for entry in SURVIVOR_RULES}
    assert named == set(LossQuantity) - {LossQuantity.cf_storage}
    assert {entry.rule_id for entry in SURVIVOR_RULES} <= set(all_rules())


def test_a_facility_is_evaluated_itself_and_a_member_with_its_parts(tmp_path: Path) -> None:
    facts = facts_of(tmp_path)
    facility = [pair.subject for _, pair in pairs_of(facts, CF01, SubjectKind.coupling_facility)]
    assert facility == [CF01, CF01]
    member = {
        (entry.quantity, pair.subject)
        for entry, pair in pairs_of(facts, CSQ1, SubjectKind.queue_manager)
    }
    assert (LossQuantity.buffer_pool, f"{CSQ1}/BP01") in member
    assert (LossQuantity.channels, f"{CSQ1}/CHINIT") in member
    assert all(subject.startswith(CSQ1) for _, subject in member)


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> Baseline:
    return Baseline(facts_of(Path(tmp_path_factory.mktemp("carrier"))))


def result_of(baseline: Baseline, **scenario: Any) -> WhatIfResult:
    return baseline.compare(Scenario.model_validate(scenario))


def engines(facility: str, count: int) -> list[dict[str, Any]]:
    return [{"subject": facility, "engines": count}]


def test_the_best_survivor_is_that_of_the_scenario(baseline: Baseline) -> None:
    """CF03 with three engines is 48.6 % busy, CF01 with five 25.9 %."""
    [three] = carried(result_of(baseline, configuration=engines(CF03, 3), lose=CF02))
    assert (three.survivor, three.others) == (CF03, (CF01,))
    assert three.states[CF01] == "CF busy 129.3 %, limit 30 %; work stops at once"
    [five] = carried(result_of(baseline, configuration=engines(CF01, 5), lose=CF02))
    assert (five.survivor, five.states[CF03]) == (CF01, "CF busy 72.93 %, limit 60 %")


@pytest.mark.thorough
def test_without_changes_the_best_survivor_is_that_of_the_losses_of_the_day(
    baseline: Baseline,
) -> None:
    for loss in losses_of_day(baseline.facts):
        found = carried(result_of(baseline, lose=loss.lost))
        assert [each.survivor for each in found] == loss.ranked_survivors[: len(found)]


def test_of_several_corners_the_worst_one_counts(baseline: Baseline) -> None:
    """CF03 is 73 % busy with two engines and 49 % with three, CF01 with five always 26 %."""
    both = [{"subject": CF03, "engines": [2, 3]}, *engines(CF01, 5)]
    [carrying] = carried(result_of(baseline, configuration=both, lose=CF02))
    assert (carrying.survivor, carrying.states[CF03]) == (CF01, "CF busy 72.93 %, limit 60 %")


def test_a_survivor_that_is_lost_too_carries_nothing(baseline: Baseline) -> None:
    assert carried(result_of(baseline, lose=[CF02, CF01])) == []
    assert carried(result_of(baseline)) == []


def test_table_and_json_name_the_best_survivor(baseline: Baseline) -> None:
    result = result_of(baseline, configuration=engines(CF03, 3), lose=CF02)
    console = Console(file=StringIO(), width=400)
    every = carried(result)
    console.print(table(result, every))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert f"  {carried_text(every[0])}" in list(details(result, every))
    assert "* PLEX1/CF01: PLEX1/CF03 carries the loss better." in text
    assert f"{CF01} *" in text
    assert f"{CF03} *" not in text
    assert as_document(result, every)["lost"][0]["best_survivor"] == CF03
    assert as_document(result)["lost"][0]["best_survivor"] is None
