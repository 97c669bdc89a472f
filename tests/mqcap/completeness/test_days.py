from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.completeness.days import contradicting_records, judge_day, judge_touched, newest_day
from mqcap.domain.estate import QueueManager, Sysplex
from mqcap.domain.feed import FeedState, data_findings
from mqcap.domain.finding import Finding, Severity
from mqcap.lake.layout import hour_partition
from mqcap.reports.terminal_table import data_lines
from mqcap.settings import AlertSettings, Settings, load_settings
from mqcap.steps.daily_roll_up import DEVIATION, differing_log_growth
from mqcap.steps.evaluate import evaluate_rules
from mqcap.steps.notify import alert
from mqcap.store.database import Store
from mqcap.store.feeds import feeds_between, read_feeds, replace_feed_days
from mqcap.store.findings import read_findings
from mqcap.store.observations import replace_observations
from mqcap.store.outbox import read_deliveries
from tests import factories
from tests.mqcap.completeness.builders import DAY, MOVER, OTHER, QM, at, every, without, write_lake
from tests.mqcap.rulebook.builders import observe

RULE = "LOG-FILL-30MIN"
YESTERDAY = DAY - timedelta(days=1)
WEEK = DAY - timedelta(days=7)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    manager = QueueManager(name="CSQ1", active_log_size_mib=2_048, active_logs=60)
    plex = Sysplex(sysplex="PLEX1", qmgrs=(manager,))
    alerts = AlertSettings(mail_folder=tmp_path / "mail")
    return load_settings(lake=str(tmp_path / "lake"), estate=(plex,), alerts=alerts)


def arrive(settings: Settings, *rows: Iterable[Mapping[str, Any]]) -> None:
    write_lake(Path(settings.lake), [row for some in rows for row in some])


def measured(engine: Store, peak: float, days: Iterable[date]) -> None:
    observe(engine, "log_growth_mib_per_s", "PLEX1/CSQ1", dict.fromkeys(days, peak))


def found(engine: Store) -> Finding:
    [item] = [finding for finding in read_findings(engine, DAY) if finding.rule_id == RULE]
    return item


def test_hours_that_are_missing_make_an_ok_unknown(settings: Settings, engine: Store) -> None:
    arrive(settings, without(every(QM, first=WEEK), at("09:00"), at("12:00")), every(OTHER))
    measured(engine, 0.3, [DAY])
    assert evaluate_rules(settings, engine, DAY)["data_findings"] == 1
    judged = found(engine)
    assert (judged.severity, judged.breach, judged.headroom_ratio) == (Severity.unknown, None, None)
    assert judged.observed == pytest.approx(2_048 / 0.3 / 60)
    assert judged.missing[0].startswith("all records of the day: data are incomplete")
    assert "3 h of 24 h missing, 09:00 to 12:00 (UTC)" in judged.summary
    assert "As far as records have arrived:" in judged.summary


@pytest.mark.thorough
def test_a_day_without_records_is_absent_not_all_clear(settings: Settings, engine: Store) -> None:
    arrive(settings, every(QM, first=WEEK, last=YESTERDAY))
    measured(engine, 0.3, [YESTERDAY])
    evaluate_rules(settings, engine, DAY)
    assert found(engine).severity is Severity.unknown
    alert(settings, engine, DAY)
    [mail] = read_deliveries(engine, DAY)
    absent = "DATA INCOMPLETE PLEX1 CSQ1: Queue manager statistics (SMF 115) absent"
    assert mail.subject_line.startswith(absent)


def test_a_second_evaluation_changes_nothing(settings: Settings, engine: Store) -> None:
    arrive(settings, without(every(QM, first=WEEK), at("09:00"), at("12:00")), every(MOVER))
    first = judge_touched(settings, engine, [WEEK, DAY])
    stored = feeds_between(engine, WEEK, DAY)
    assert judge_touched(settings, engine, [WEEK, DAY]) == first == len(stored)
    judge_day(settings, engine, DAY)
    assert feeds_between(engine, WEEK, DAY) == stored
    assert {day.site_date for day in stored} == {WEEK + timedelta(days=n) for n in range(8)}


def test_a_configured_sender_of_long_ago_is_only_absent(settings: Settings, engine: Store) -> None:
    long_ago = DAY - timedelta(days=90)
    arrive(settings, every(QM, first=long_ago, last=long_ago + timedelta(days=3)), every(OTHER))
    judge_day(settings, engine, DAY)
    states = {day.subject: day.state for day in read_feeds(engine, DAY)}
    assert states == {"PLEX1/CSQ1": FeedState.absent, "PLEX1/CSQ2": FeedState.complete}


def test_an_incomplete_day_before_is_noted_beside_an_ok(settings: Settings, engine: Store) -> None:
    noon = at("12:00", YESTERDAY)
    arrive(settings, without(every(QM, first=WEEK), noon, noon + timedelta(hours=2)))
    measured(engine, 0.3, [DAY])
    judge_touched(settings, engine, [WEEK])
    evaluate_rules(settings, engine, DAY)
    assert found(engine).severity is Severity.ok
    assert any("Of the days evaluated, 1 lacks records" in note for note in found(engine).caveats)


def test_a_lake_of_an_older_version_changes_nothing(settings: Settings, engine: Store) -> None:
    measured(engine, 0.3, [DAY])
    assert judge_day(settings, engine, DAY) == 0
    assert judge_touched(settings, engine, [DAY]) == 0
    evaluate_rules(settings, engine, DAY)
    assert found(engine).severity is Severity.ok


def test_the_printed_report_lists_what_has_not_arrived(settings: Settings, engine: Store) -> None:
    arrive(settings, every(QM, first=WEEK, last=YESTERDAY))
    assert data_lines(engine, DAY) == []
    judge_day(settings, engine, DAY)
    _, line, last = data_lines(engine, DAY)
    assert line.startswith("PLEX1/CSQ1, ")
    assert ": 0 % arrived. " in line
    assert "not in order until they arrive" in last


DAY_OF_LOG_GROWTH = date(2026, 3, 10)


def daily(*means: float, metric: str = DEVIATION) -> pd.DataFrame:
    rows = [(metric, f"PLEX1/CSQ{at}", DAY_OF_LOG_GROWTH, mean) for at, mean in enumerate(means)]
    return pd.DataFrame(rows, columns=["metric", "subject", "site_date", "mean"])


def test_growth_within_the_tolerance_is_not_reported() -> None:
    assert differing_log_growth(daily(10.0, -10.0, 0.0), 10.0) == []
    assert differing_log_growth(daily(99.0, metric="log_growth_mib_per_s"), 10.0) == []
    assert differing_log_growth(daily(), 10.0) == []


@pytest.mark.parametrize(("mean", "word"), [(12.4, "12.4 % more"), (-50.0, "50 % less")])
def test_growth_over_the_limit_names_queue_manager_day_and_setting(mean: float, word: str) -> None:
    (sentence,) = differing_log_growth(daily(mean), 10.0)
    assert sentence.startswith(f"PLEX1/CSQ0, 2026-03-10: the records show {word} log growth")
    assert "ingest.log_growth_tolerance_pct" in sentence


CONTRADICTED = date(2026, 3, 2)
NAMES = {"a": "SYS1.SMF", "b": "SYS1.AGAIN.SMF"}


def write(lake: Path, *rows: dict[str, Any]) -> None:
    folder = hour_partition(lake, "conflict", CONTRADICTED)
    folder.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), folder / "rows.parquet")


def row(hour: int, minutes: str, **changed: Any) -> dict[str, Any]:
    return {
        "dataset": "section_qjst", "interval_start_utc": datetime(2026, 3, 2, hour, tzinfo=UTC),
        "place": "PLEX1/CSQ1", "field": "qjstbffl", "kept_file": "b", "kept_value": minutes,
        "other_file": "a", "other_value": "7.2", **changed,
    }  # fmt: skip


def test_the_finding_of_a_site_day_has_both_figures_and_names_both_files(tmp_path: Path) -> None:
    write(tmp_path, row(10, "37"), row(9, "36"), row(23, "99"), row(9, "1", place="PLEX1/CF01"))
    zone = ZoneInfo("Europe/Berlin")
    found = contradicting_records(tmp_path, NAMES, CONTRADICTED, CONTRADICTED, lambda _: zone)
    assert data_findings(found) == tuple(found)
    other, finding = found
    assert (other.subject, finding.subject, finding.state) == (
        "PLEX1/CF01", "PLEX1/CSQ1", FeedState.differs,
    )  # fmt: skip
    assert not finding.is_incomplete
    assert finding.summary == (
        "PLEX1/CSQ1: 2 sections of records in SYS1.AGAIN.SMF and SYS1.SMF contradict each other; "
        "the first at 10:00: QJST QJSTBFFL is 36 in SYS1.AGAIN.SMF, which was received last and "
        "counts, and 7.2 in SYS1.SMF."
    )
    assert finding.remedy.endswith("mqcap withdraw SYS1.AGAIN.SMF")


def test_rows_of_an_older_release_name_no_figures_and_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, {"dataset": "section_qjst", "subject": "SYS1/CSQ1", "kept_hash": 1})
    zone = ZoneInfo("UTC")
    assert contradicting_records(tmp_path, NAMES, CONTRADICTED, CONTRADICTED, lambda _: zone) == []


LAST = factories.DAY
NEXT = LAST + timedelta(days=1)


@pytest.mark.parametrize(
    ("states", "today", "expected"),
    [
        ({}, NEXT, None),
        ({LAST: FeedState.complete}, NEXT, (LAST, "complete day")),
        ({LAST: FeedState.complete, NEXT: FeedState.partial}, NEXT, (LAST, f"{NEXT} have only")),
        ({LAST: FeedState.complete, NEXT: FeedState.complete}, NEXT, (NEXT, "complete day")),
        ({LAST: FeedState.partial}, NEXT, (LAST, "none is complete")),
        ({LAST: None, NEXT: None}, NEXT, (LAST, "have only begun")),
        ({LAST: None, NEXT: None}, NEXT + timedelta(days=1), (NEXT, "complete day")),
    ],
)
def test_the_newest_complete_day_is_chosen_else_the_newest(
    engine: Store,
    states: dict[date, FeedState | None],
    today: date,
    expected: tuple[date, str] | None,
) -> None:
    replace_observations(
        engine, states, [factories.observation(site_date=day) for day in states], {}
    )
    for day, state in states.items():
        if state is not None:
            replace_feed_days(engine, day, day, [factories.feed_day(site_date=day, state=state)])
    found = newest_day(engine, today)
    assert (found is None) is (expected is None)
    if found and expected:
        assert found.day == expected[0]
        assert expected[1] in found.reason
