from datetime import date, timedelta

import pytest

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.estate import QueueManager, Sysplex
from mqcap.domain.finding import Finding, Severity
from mqcap.judging.evaluate import facts_of_day, judge_facts
from mqcap.settings import Settings, load_settings
from mqcap.store.crossings import replace_crossings
from mqcap.store.database import Store
from mqcap.store.forecasts import replace_forecasts
from tests import factories
from tests.mqcap.judging.observations import crossings_of, findings_of
from tests.mqcap.rulebook import builders

DAY = date(2026, 10, 15)
LOG = "log_growth_mib_per_s/PLEX1/CSQ1"
LOG_MIB = 2_048


def settings(**qmgr: object) -> Settings:
    facts = {"name": "CSQ1", "active_log_size_mib": LOG_MIB, "active_logs": 6} | qmgr
    plex = Sysplex(sysplex="PLEX1", qmgrs=(QueueManager.model_validate(facts),))
    return load_settings(estate=(plex,))


def observe(engine: Store, peaks: dict[date, float], series_id: str = LOG) -> None:
    metric, subject = series_id.split("/", 1)
    builders.observe(engine, metric, subject, peaks)


def forecast(engine: Store, expected: float, *, rise: float = 0.0, half: float = 0.001) -> None:
    levels = [expected + rise * number for number in range(1, 181)]
    lines = [(level - half, level, level + half) for level in levels]
    made = factories.forecast(lines=lines, cutoff_date=DAY, trained_days=100)
    replace_forecasts(engine, DAY, [made])


def finding(engine: Store, **qmgr: object) -> Finding:
    return findings_of(settings(**qmgr), engine, DAY)["LOG-FILL-30MIN", "PLEX1/CSQ1"]


def dated(engine: Store, **qmgr: object) -> Crossing:
    return crossings_of(settings(**qmgr), engine, DAY)["LOG-FILL-30MIN"]


def days(count: int, value: float) -> dict[date, float]:
    return {DAY - timedelta(days=number): value for number in range(count)}


def test_a_later_day_is_not_seen(engine: Store) -> None:
    observe(engine, {**days(30, 0.5), DAY + timedelta(days=1): 9.0})
    assert finding(engine).observed == pytest.approx(LOG_MIB / 0.5 / 60)


def test_a_queue_manager_without_any_record_is_not_an_all_clear(engine: Store) -> None:
    assert finding(engine).severity is Severity.unknown


def test_a_crossing_soon_brings_the_change_sized_for_the_forecast(engine: Store) -> None:
    observe(engine, days(30, 1.0))
    forecast(engine, 1.0, rise=0.004)
    judged = finding(engine)
    crossing = dated(engine)
    assert crossing.state is CrossingState.will_cross
    assert crossing.expected_date == DAY + timedelta(days=35)
    assert judged.severity is Severity.watch
    [change, *_] = judged.changes
    needed_mib = (1.0 + 0.004 * 180) * 1_800
    assert f"{needed_mib:,.0f} MiB" in change.action
    assert str(crossing.earliest_date) in judged.advice


def test_a_limit_passed_long_ago_is_dated_by_its_first_day(engine: Store) -> None:
    observe(engine, {**days(200, 0.5), **days(120, 1.2)})
    crossing = dated(engine)
    assert crossing.state is CrossingState.breached
    assert crossing.breached_since == DAY - timedelta(days=119)


@pytest.mark.thorough
def test_the_rules_of_one_queue_manager_are_those_of_the_day_about_it(engine: Store) -> None:
    other = "log_growth_mib_per_s/PLEX1/CSQ11"
    observe(engine, days(30, 0.5))
    observe(engine, days(30, 0.7), other)
    facts = facts_of_day(settings(), engine, DAY)
    every = judge_facts(facts)
    own = judge_facts(facts, "PLEX1/CSQ1")
    assert own == [each for each in every if each.finding.subject == "PLEX1/CSQ1"]
    assert 0 < len(own) < len(every)


def test_a_planned_bigger_log_moves_the_date_on_which_the_limit_is_passed(engine: Store) -> None:
    observe(engine, days(30, 1.0))
    forecast(engine, 1.0, rise=0.004)
    bigger = {"from": DAY + timedelta(days=20), "active_log_size_mib": 2_560, "note": "CHG1"}
    assert dated(engine).expected_date == DAY + timedelta(days=35)
    assert dated(engine, planned=[bigger]).expected_date == DAY + timedelta(days=106)
    assert dated(engine, planned=[bigger | {"from": DAY + timedelta(days=50)}]).expected_date == (
        DAY + timedelta(days=35)
    )


def test_a_planned_change_whose_day_has_come_is_configured(engine: Store) -> None:
    observe(engine, days(30, 1.0))
    bigger = {"from": DAY, "active_log_size_mib": 2_560}
    assert finding(engine, planned=[bigger]).crossing_limit == pytest.approx(2_560 / 1_800)


@pytest.mark.parametrize(("age_days", "kept"), [(1, True), (7, True), (8, False)])
def test_the_last_days_date_is_kept_up_to_a_week(engine: Store, age_days: int, kept: bool) -> None:
    observe(engine, days(30, 1.0))
    forecast(engine, 1.0, rise=0.004, half=0.1)
    fresh = dated(engine)
    assert fresh.expected_date is not None
    other = fresh.expected_date + timedelta(days=1)
    day = DAY - timedelta(days=age_days)
    before = fresh.model_copy(update={"cutoff_date": day, "expected_date": other})
    replace_crossings(engine, day, [before])
    assert dated(engine).expected_date == (other if kept else fresh.expected_date)
