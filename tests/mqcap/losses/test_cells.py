"""Cells of a loss and the findings of a day."""

from datetime import date, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from mqcap.domain.finding import Finding, Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction, SubjectKind, series_id
from mqcap.domain.plan import PlanVariant
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.carried.lose import carried_text, loss_of
from mqcap.losses.cell import PLACE_RULE, LossCell, LossQuantity
from mqcap.losses.cells import carried, cells_of, pairs_of, passes
from mqcap.losses.make import loss_findings, losses_of_day
from mqcap.settings import load_settings
from mqcap.whatif.comparison import Baseline, WhatIfResult, as_document
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.terminal import details, table
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
from tests.plan_factories import loss, loss_cell, plan_change

SETTINGS = load_settings()


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
    sample: DayFacts,
) -> None:
    found = cells(sample, CF02)
    cell = found[CF03, LossQuantity.cf_processor]
    assert (cell.rule_id, cell.limit, cell.before) == ("CF-BUSY-N", 60, 21.504)
    assert cell.today == pytest.approx(72.93, abs=0.01)
    assert (cell.fails_before, cell.fails_today, cell.fails_from) == (False, True, DAY)
    assert (cell.at_horizon, cell.minutes_to_failure) == (None, None)
    more_than_its_engines = found[CF01, LossQuantity.cf_processor]
    assert more_than_its_engines.today == pytest.approx(129.3, abs=0.1)
    assert more_than_its_engines.minutes_to_failure == 0
    runway = cells(sample, CSQ2)[CSQ1, LossQuantity.log_runway]
    assert runway.minutes_to_failure == pytest.approx(60 * (runway.today or 0))


def test_a_survivor_fails_from_the_first_day_on_which_its_forecast_passes(tmp_path: Path) -> None:
    """(34.282 x 3 + own) / 3 passes 60 % once the own engine of CF01 needs 77.2 %."""
    facts = facts_of(tmp_path, forecasts=(forecast(CF02, "cf_busy_pct", 35.0, 51.2, 51.1),))
    cell = cells(facts, CF01)[CF02, LossQuantity.cf_processor]
    assert (cell.fails_today, cell.fails_from) == (False, DAY + timedelta(days=2))
    assert cell.at_horizon == pytest.approx(51.2 + 26.48 / 3)


def test_structures_are_held_against_free_storage(tmp_path: Path) -> None:
    configured = estate((facility("CF01", 1, 15_000), facility("CF02", 3), facility("CF03", 2)))
    found = cells(facts_of(tmp_path, configured=configured), CF02)
    tight, enough = (found[each, LossQuantity.cf_storage] for each in (CF01, CF03))
    assert (tight.today, tight.fails_today, tight.minutes_to_failure) == (8_292, True, 0)
    assert (enough.today, enough.fails_today, enough.minutes_to_failure) == (8_292, False, None)


PAGE_SETS = (LossQuantity.recovery, "REC-FORMULA-A", "page_set_backup_hours", (1.0, 1.5))
STRUCTURES = (LossQuantity.structure_recovery, "CFB-INTERVAL", "structure_backup_hours", (7.5, 7.5))


@pytest.mark.parametrize(
    ("recovered", "schedule_h", "before", "after", "fails"),
    [
        (PAGE_SETS, 1.5, 5.0, 2.0, False),
        (PAGE_SETS, 2, 5.0, 2.0, False),
        (PAGE_SETS, 2.5, 5.0, 2.0, True),
        (STRUCTURES, 12, 29.0, 14.5, False),
        (STRUCTURES, 14.5, 29.0, 14.5, False),
        (STRUCTURES, 15, 29.0, 14.5, True),
    ],
)
def test_a_survivor_is_recovered_from_the_log_of_both(
    tmp_path: Path,
    recovered: tuple[LossQuantity, str, str, tuple[float, float]],
    schedule_h: float,
    before: float,
    after: float,
    fails: bool,
) -> None:
    """5 min at 60 MiB/s are 18,000 MiB: five hours of 1 MiB/s, two hours of 2.5 MiB/s.

    450 MiB/s for 29 min are 783,000 MiB: 29 hours of 7.5 MiB/s, 14.5 hours of 15 MiB/s.
    """
    quantity, rule_id, key, rates = recovered
    reading = {"restart_target_minutes": 5, "log_read_mib_per_s": 60}
    backed_up = member("CSQ1", **reading, **{key: schedule_h})
    configured = estate(qmgrs=(backed_up, member("CSQ2")))
    by_hour = {
        (LOG, name): hours((rate, rate), (rate, rate))
        for name, rate in zip((CSQ1, CSQ2), rates, strict=True)
    }
    facts = facts_of(tmp_path, configured=configured, by_hour=by_hour)
    cell = cells(facts, CSQ2)[CSQ1, quantity]
    assert (cell.rule_id, cell.unit, cell.limit) == (rule_id, "h", schedule_h)
    assert [cell.before, cell.today] == pytest.approx([before, after])
    assert (cell.fails_before, cell.fails_today) == (False, fails)
    assert (cell.minutes_to_failure, cell.stops_at_once) == (None, False)


def test_channels_stop_at_the_limit_itself(tmp_path: Path) -> None:
    key = ("channels_current_count", f"{CSQ2}/CHINIT")
    for count, fails, minutes in ((6_998, False, None), (6_999, True, 0)):
        facts = facts_of(tmp_path / str(count), changed={key: count})
        cell = cells(facts, CSQ2)[CSQ1, LossQuantity.channels]
        assert (cell.fails_today, cell.minutes_to_failure) == (fails, minutes)


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


def test_a_facility_is_evaluated_itself_and_a_member_with_its_parts(sample: DayFacts) -> None:
    facility = [pair.subject for _, pair in pairs_of(sample, CF01, SubjectKind.coupling_facility)]
    assert facility == [CF01, CF01]
    member = {
        (entry.quantity, pair.subject)
        for entry, pair in pairs_of(sample, CSQ1, SubjectKind.queue_manager)
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
    assert three.states[CF01] == "CF busy 129 % of 30 %; work stops at once"
    [five] = carried(result_of(baseline, configuration=engines(CF01, 5), lose=CF02))
    assert (five.survivor, five.states[CF03]) == (CF01, "CF busy 73 % of 60 %")


@pytest.mark.thorough
def test_without_changes_the_best_survivor_is_that_of_the_losses_of_the_day(
    baseline: Baseline,
) -> None:
    for each_loss in losses_of_day(baseline.facts):
        found = carried(result_of(baseline, lose=each_loss.lost))
        assert [each.survivor for each in found] == each_loss.ranked_survivors[: len(found)]


def test_of_several_corners_the_worst_one_counts(baseline: Baseline) -> None:
    """CF03 is 73 % busy with two engines and 49 % with three, CF01 with five always 26 %."""
    both = [{"subject": CF03, "engines": [2, 3]}, *engines(CF01, 5)]
    [carrying] = carried(result_of(baseline, configuration=both, lose=CF02))
    assert (carrying.survivor, carrying.states[CF03]) == (CF01, "CF busy 73 % of 60 %")


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


@pytest.mark.parametrize(
    ("quantity", "today", "limit", "ratio"),
    [
        (LossQuantity.cf_processor, 30.0, 60.0, 0.5),
        (LossQuantity.log_runway, 6.0, 12.0, 2.0),
        (LossQuantity.log_fill, 60.0, 30.0, 0.5),
        (LossQuantity.cf_storage, 100.0, None, 0.0),
        (LossQuantity.cf_storage, None, 100.0, 0.0),
    ],
)
def test_a_time_is_fuller_the_shorter_it_is(
    quantity: LossQuantity, today: float | None, limit: float | None, ratio: float
) -> None:
    assert loss_cell(quantity=quantity, today=today, limit=limit).use_ratio == ratio


def findings_of(**changed: Any) -> list[Finding]:
    return loss_findings(SETTINGS, [loss(**changed)])


def test_a_limit_that_is_passed_is_a_finding_of_the_lost_part() -> None:
    [finding] = findings_of()
    assert (finding.rule_id, finding.subject) == ("LOSS-CF-BUSY", "PLEX1/CF02")
    assert (finding.observed, finding.limit_value, finding.breach) == (72.93, 60, True)
    assert finding.severity is Severity.watch
    assert finding.statement == "when it is lost, PLEX1/CF03: CF busy 72.93 % of 60 %."


@pytest.mark.parametrize(
    ("minutes", "is_production", "severity"),
    [(0.0, True, Severity.act), (0.0, False, Severity.watch), (43.0, True, Severity.watch)],
)
def test_only_work_of_production_that_stops_at_once_is_act(
    minutes: float, is_production: bool, severity: Severity
) -> None:
    cells = (loss_cell(minutes_to_failure=minutes),)
    [finding] = findings_of(cells=cells, is_production=is_production)
    assert finding.severity is severity


def test_a_limit_that_is_kept_is_in_order() -> None:
    cell = loss_cell(today=43.1, fails_today=False)
    [finding] = findings_of(cells=(cell,))
    assert (finding.severity, finding.breach, finding.changes) == (Severity.ok, False, ())


def test_a_limit_that_is_passed_ahead_is_watch_with_its_day() -> None:
    cell = loss_cell(today=55.0, at_horizon=64.0, fails_today=False, fails_from=date(2027, 1, 5))
    [finding] = findings_of(cells=(cell,))
    assert (finding.severity, finding.breach) == (Severity.watch, False)
    words = "fails from 5 Jan 2027 on: 64 % at the bound of the forecast."
    assert finding.statement.endswith(f" It {words}")
    [planned] = findings_of(cells=(cell,), planned_cells=(cell,))
    assert planned.statement.endswith(f" Without the plans of the day it {words}")


def test_what_fails_without_the_loss_and_what_is_not_known_is_left_out() -> None:
    cells = (
        loss_cell(fails_before=True),
        loss_cell(quantity=LossQuantity.cf_storage, limit=None, fails_today=False),
    )
    assert findings_of(cells=cells) == []


def test_what_fails_without_the_loss_but_stops_with_it_is_a_finding() -> None:
    storage = {"quantity": LossQuantity.chinit_31bit, "before": 84.6, "today": 103.1, "limit": 80.0}
    cell = loss_cell(**storage, fails_before=True, minutes_to_failure=0.0)
    [finding] = findings_of(lost="PLEX1/CSQ1", cells=(cell,))
    assert (finding.rule_id, finding.severity) == ("LOSS-CHINIT-31BIT", Severity.act)


@pytest.mark.parametrize(
    ("severity", "expected"),
    [(Severity.suggestion, [Severity.suggestion]), (Severity.ok, [])],
)
def test_the_only_facility_of_a_sysplex_is_no_alert(
    severity: Severity, expected: list[Severity]
) -> None:
    found = loss(
        nowhere_to_go=("PLEX1/CF02/ISGLOCK",), cells=(), is_only_facility=True, severity=severity
    )
    assert [finding.severity for finding in loss_findings(SETTINGS, [found])] == expected


def test_of_several_pools_the_worst_is_the_finding() -> None:
    pool = {"quantity": LossQuantity.buffer_pool, "limit": 85.0}
    pools = [
        loss_cell(**pool, subject=f"PLEX1/CSQ1/{name}", today=today)
        for name, today in (("BP01", 122.0), ("BP02", 94.0))
    ]
    [finding] = findings_of(lost="PLEX1/CSQ2", cells=tuple(pools))
    assert (finding.rule_id, finding.observed) == ("LOSS-BUFFER-POOL", 122)


def test_structures_without_a_place_are_named_and_act() -> None:
    found = loss(nowhere_to_go=("PLEX1/CF02/ISGLOCK",), cells=())
    [finding] = loss_findings(SETTINGS, [found])
    assert (finding.rule_id, finding.severity) == (PLACE_RULE, Severity.act)
    assert finding.statement.endswith("ISGLOCK")


def test_the_changes_of_the_loss_are_those_of_its_findings() -> None:
    variant = PlanVariant(changes=(plan_change(subject="PLEX1/CF03", text="Give it 3 engines."),))
    [finding] = findings_of(changes=variant)
    assert finding.changes[0].action.startswith("PLEX1/CF03: Give it 3 engines.")


def test_the_limit_is_stated_once_where_the_rule_of_the_survivor_states_it() -> None:
    both = ("limit = 60 % of 3 engines", "observed = 72.93 %")
    [stated] = findings_of(cells=(loss_cell(arithmetic=both),))
    assert [line for line in stated.arithmetic if line.startswith("limit =")] == [both[0]]
    [plain] = findings_of(cells=(loss_cell(arithmetic=both[1:]),))
    assert [line for line in plain.arithmetic if line.startswith("limit =")] == ["limit = 60 %"]
