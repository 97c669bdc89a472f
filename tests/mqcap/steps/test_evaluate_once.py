"""The rules of a day are evaluated again after every change of what they rest on, else not."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from mqcap.domain.metric import Statistic
from mqcap.domain.score import SiteCorrection
from mqcap.settings import Settings
from mqcap.steps import evaluate, runner
from mqcap.steps.evaluate_once import RULES_LOOK_BACK_DAYS, evaluate_once, inputs_digest
from mqcap.store.console_states import replace_states
from mqcap.store.crossings import replace_crossings, replace_hold_out, replace_site_correction
from mqcap.store.database import Store
from mqcap.store.feeds import replace_feed_days
from mqcap.store.findings import read_findings, replace_findings
from mqcap.store.forecasts import replace_data_notes, replace_forecasts
from mqcap.store.plans import replace_plans
from mqcap.store.row_digests.digest import digest_of_rows
from mqcap.store.row_digests.rule_rows import rows_read, rows_written
from mqcap.store.tables import Base
from sizing.rulebook.registry import longest_look_back
from tests.factories import console_state, crossing, feed_day, finding
from tests.mqcap.rulebook.builders import DAY, LOG, days, new_store, observe, rising, settings_of
from tests.plan_factories import plan

BEFORE = DAY - timedelta(days=1)
AFTER = DAY + timedelta(days=1)
EARLIER = DAY - timedelta(days=40)
LONG_AGO = 1_700_000_000


@pytest.fixture
def engine(tmp_path: Path) -> Store:
    engine = new_store(tmp_path)
    observe(engine, "log_growth_mib_per_s", "PLEX1/CSQ1", days(30, 2.0))
    replace_forecasts(engine, DAY, [rising(LOG, 1.0, 0.01)])
    return engine


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_of(tmp_path)


def lake_file(settings: Settings, name: str) -> None:
    file = Path(settings.lake) / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"{}")
    os.utime(file, (LONG_AGO, LONG_AGO))


def outcome_of_an_earlier_day(engine: Store) -> None:
    """A stated probability whose days are over, of the first evaluated day of its month."""
    replace_crossings(
        engine, EARLIER, [crossing(cutoff_date=EARLIER, series_id=LOG, probability_30_days=0.3)]
    )
    made = rising(LOG, 1.0, 0.0).model_copy(update={"cutoff_date": EARLIER})
    replace_forecasts(engine, EARLIER, [made])
    replace_site_correction(engine, SiteCorrection(cutoff_date=EARLIER))


CHANGES: dict[str, Callable[[Store], object]] = {
    "an observation": lambda engine: observe(
        engine, "log_growth_mib_per_s", "PLEX1/CSQ2", {BEFORE: 2.0}
    ),
    "a forecast": lambda engine: replace_forecasts(engine, DAY, [rising(LOG, 1.0, 0.011)]),
    "the crossings before": lambda engine: replace_crossings(
        engine, BEFORE, [crossing(cutoff_date=BEFORE)]
    ),
    "the crossings held out": lambda engine: replace_hold_out(
        engine, BEFORE, [crossing(cutoff_date=BEFORE)]
    ),
    "the outcome of an earlier day": outcome_of_an_earlier_day,
    "the plans before": lambda engine: replace_plans(engine, BEFORE, [plan(site_date=BEFORE)]),
    "a feed": lambda engine: replace_feed_days(
        engine, BEFORE, BEFORE, [feed_day(site_date=BEFORE)]
    ),
    "a state of the console": lambda engine: replace_states(
        engine, [BEFORE], [console_state(site_date=BEFORE, last_date=BEFORE)]
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_row_changes_what_the_rules_rest_on(
    engine: Store, settings: Settings, change: str
) -> None:
    before = inputs_digest(settings, engine, DAY)
    assert before == inputs_digest(settings, engine, DAY) is not None
    CHANGES[change](engine)
    assert inputs_digest(settings, engine, DAY) != before


def test_rows_of_later_days_and_rows_that_the_rules_write_change_nothing(
    engine: Store, settings: Settings
) -> None:
    before = inputs_digest(settings, engine, DAY)
    observe(engine, "log_growth_mib_per_s", "PLEX1/CSQ1", {AFTER: 9.0})
    replace_findings(engine, DAY, [finding(site_date=DAY)])
    replace_crossings(engine, DAY, [crossing(cutoff_date=DAY)])
    replace_data_notes(engine, DAY, {(LOG, Statistic.peak): "3 days are incomplete"})
    replace_forecasts(engine, AFTER, [])
    assert inputs_digest(settings, engine, DAY) == before


def test_files_of_the_lake_count_but_not_those_that_a_run_of_a_day_writes(
    engine: Store, settings: Settings
) -> None:
    before = inputs_digest(settings, engine, DAY)
    for name in ("training/a", "forecast_result/a", "locks/forecast", "ran/forecast.json"):
        lake_file(settings, name)
    assert inputs_digest(settings, engine, DAY) == before
    lake_file(settings, "metric_hourly/hour_date=2026-10-15/part-0.parquet")
    assert inputs_digest(settings, engine, DAY) != before


def test_no_rule_looks_back_further_than_the_digest() -> None:
    assert longest_look_back() <= RULES_LOOK_BACK_DAYS


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The days that the rules were evaluated for."""
    found: list[Any] = []
    evaluate_rules = evaluate.evaluate_rules

    def counted(settings: Settings, engine: Store, day: Any) -> dict[str, int]:
        found.append(day)
        return evaluate_rules(settings, engine, day)

    monkeypatch.setattr(evaluate, "evaluate_rules", counted)
    return found


@pytest.mark.thorough
def test_a_replay_without_a_change_leaves_the_rows_and_one_after_a_change_writes_them(
    engine: Store, settings: Settings, runs: list[Any]
) -> None:
    counts = runner.size(settings, DAY)
    rows = digest_of_rows(engine, rows_written(DAY))
    assert runner.size(settings, DAY) == counts
    assert runs == [DAY]
    first = read_findings(engine, DAY)
    replace_findings(engine, DAY, first[1:])  # killed half-way
    assert runner.size(settings, DAY) == counts
    assert runs == [DAY] * 2
    assert read_findings(engine, DAY) == first
    assert digest_of_rows(engine, rows_written(DAY)) == rows
    observe(engine, "log_growth_mib_per_s", "PLEX1/CSQ2", days(30, 40.0))
    runner.size(settings, DAY)
    assert runs == [DAY] * 3
    assert digest_of_rows(engine, rows_written(DAY)) != rows
    runner.size(settings_of(Path(settings.lake).parent, active_logs=7), DAY)
    assert runs == [DAY] * 4


@pytest.fixture
def statements(engine: Store) -> Iterator[list[str]]:
    """The statements that the store has executed."""
    found: list[str] = []

    def noted(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        found.append(" ".join(statement.split()))

    assert isinstance(engine, Engine)
    event.listen(engine, "before_cursor_execute", noted)
    yield found
    event.remove(engine, "before_cursor_execute", noted)


@pytest.mark.thorough
def test_every_table_that_an_evaluation_reads_is_in_the_digest(
    engine: Store, settings: Settings, statements: list[str]
) -> None:
    for change in CHANGES.values():
        change(engine)
    digest_of_rows(engine, [*rows_read(BEFORE, DAY), *rows_written(DAY)])
    digested = tables_read(statements)
    statements.clear()
    evaluate.evaluate_rules(settings, engine, DAY)
    assert {"observation_daily", "forecast_point", "crossing", "site_correction"} < tables_read(
        statements
    )
    assert tables_read(statements) <= digested


def tables_read(statements: list[str]) -> set[str]:
    reads = [statement for statement in statements if statement.startswith("SELECT")]
    names = Base.metadata.tables
    words = {word.strip('",()') for read in reads for word in read.split(" FROM ", 1)[1].split()}
    return {name for name in names if name in words}


def test_a_store_without_runs_is_evaluated(
    tmp_path: Path, runs: list[Any], settings: Settings
) -> None:
    empty = new_store(tmp_path / "other")
    evaluate_once(settings, empty, DAY)
    assert runs == [DAY]
