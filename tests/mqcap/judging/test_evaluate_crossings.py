from datetime import timedelta
from typing import Any

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.domain.estate import CouplingFacility, QueueManager, Sysplex
from mqcap.domain.metric import SubjectKind, series_id
from mqcap.rulebook.explain import explain
from mqcap.settings import Settings, load_settings
from mqcap.steps.evaluate import evaluate_rules
from mqcap.store.database import Store
from mqcap.store.forecasts import replace_forecasts
from tests.mqcap.judging.observations import crossings_of
from tests.mqcap.rulebook.builders import DAY, LOG, QUEUE_MANAGER, days, observe, rising

CF = SubjectKind.coupling_facility
CHINIT = SubjectKind.channel_initiator


def estate(*facilities: CouplingFacility, **manager: Any) -> Settings:
    facts = {"name": "CSQ1", **manager}
    plex = Sysplex(sysplex="PLEX1", qmgrs=(QueueManager.model_validate(facts),), cfs=facilities)
    return load_settings(estate=(plex,))


def facility(engine: Store, name: str, busy: float) -> str:
    observe(engine, "cf_busy_pct", f"PLEX1/{name}", days(5, busy), kind=CF, unit="%")
    observe(engine, "cf_engine_count", f"PLEX1/{name}", days(5, 2.0), kind=CF, unit="count")
    return series_id("cf_busy_pct", f"PLEX1/{name}")


def test_a_survivor_crosses_when_its_own_load_leaves_no_room_for_the_other(engine: Store) -> None:
    identity = facility(engine, "CF01", 20.0)
    facility(engine, "CF02", 30.0)
    replace_forecasts(engine, DAY, [rising(identity, 20.0, 0.1)])
    crossed = crossings_of(estate(CouplingFacility(name="CF01", takes_over="CF02")), engine, DAY)
    crossing = crossed["CF-SURVIVOR"]
    assert (crossing.limit_value, crossing.unit) == (30.0, "%")
    assert crossing.expected_date == DAY + timedelta(days=100)  # as likely as not
    assert crossed["CF-BUSY-N"].limit_value == 60


def test_a_planned_move_is_too_much_from_the_day_its_share_no_longer_fits(engine: Store) -> None:
    identity = facility(engine, "CF01", 20.0)
    replace_forecasts(engine, DAY, [rising(identity, 20.0, 0.1)])
    moved = CouplingFacility(
        name="CF01", moved_transactions_per_s=10_000, moved_us_per_transaction=60
    )
    crossing = crossings_of(estate(moved), engine, DAY)["SYS-CF-CHECK"]
    assert crossing.limit_value == 30.0
    assert crossing.state is CrossingState.will_cross


def test_the_oldest_unit_of_work_outlasts_two_fills_once_the_log_is_faster(engine: Store) -> None:
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, days(30, 0.5))
    replace_forecasts(engine, DAY, [rising(LOG, 0.5, 0.05)])
    settings = estate(active_log_size_mib=1_000, oldest_uow_s=1_000)
    crossing = crossings_of(settings, engine, DAY)["REC-UOW-LONG"]
    assert (crossing.limit_value, crossing.unit) == (2.0, "MiB/s")
    assert crossing.expected_date in {DAY + timedelta(days=30), DAY + timedelta(days=31)}


def test_channels_that_start_in_the_time_allowed_limit_their_series(engine: Store) -> None:
    metric = "channels_current_count"
    observe(engine, metric, QUEUE_MANAGER, days(5, 1_000.0), kind=CHINIT, unit="count")
    made = rising(series_id(metric, QUEUE_MANAGER), 1_000.0, 10.0)
    replace_forecasts(engine, DAY, [made])
    settings = estate(channel_restart_max_s=2_000 / 552)
    crossing = crossings_of(settings, engine, DAY)["CH-START-STOP"]
    assert crossing.limit_value == pytest.approx(2_000)
    assert crossing.expected_date in {DAY + timedelta(days=100), DAY + timedelta(days=101)}


def test_an_event_has_a_day_since_when(engine: Store) -> None:
    quiet = {**days(30, 0.0), DAY - timedelta(days=4): 3.0}
    observe(engine, "log_buffer_wait_count", QUEUE_MANAGER, quiet, unit="count/h")
    crossing = crossings_of(estate(outbuff_kb=400), engine, DAY)["LOG-OUTBUFF-WTB"]
    assert crossing.state is CrossingState.breached
    assert crossing.breached_since == DAY - timedelta(days=4)


def test_a_limit_that_is_a_series_own_past_has_no_crossing(engine: Store) -> None:
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, days(60, 1.0))
    replace_forecasts(engine, DAY, [rising(LOG, 0.5, 0.05, statistic="mean")])
    crossed = crossings_of(estate(active_log_size_mib=1_024, active_logs=100), engine, DAY)
    assert "LOG-RATE-MBH" not in crossed
    assert crossed["LOG-DAY-ACTIVE"].state is CrossingState.will_cross


def test_an_event_has_no_day_to_come_and_says_why(engine: Store) -> None:
    observe(engine, "log_buffer_wait_count", QUEUE_MANAGER, days(30, 0.0), unit="count/h")
    settings = estate(outbuff_kb=400)
    assert "LOG-OUTBUFF-WTB" not in crossings_of(settings, engine, DAY)
    evaluate_rules(settings, engine, DAY)
    text = explain(engine, settings, "LOG-OUTBUFF-WTB", QUEUE_MANAGER, DAY)
    assert "no date is forecast\n  because: a single event is a breach" in text
