"""The figures of survivors with the load of a lost part, today and ahead."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.losses.cell import LossCell, LossQuantity
from mqcap.domain.metric import Direction, series_id
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.losses.cells import cells_of, horizon_of, passes
from mqcap.whatif.losses.lose import loss_of
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
