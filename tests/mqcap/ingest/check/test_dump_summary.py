"""What a check finds: the summary of a dump and cross checks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from devtools.simulator.encode.framing import write_dump
from mqcap.ingest.check.cross_checks import (
    BLOCK_CHECK,
    NAMED_FAILURES,
    TIME_CHECK,
    CheckResult,
    CrossChecks,
    FailedRow,
)
from mqcap.ingest.check.dump_summary import DumpSummary, Writer, summarise
from mqcap.ingest.check.report import report
from tests.mqcap.ingest.dumps import mq_dump_records, small_dump, with_markers
from tests.mqcap.ingest.reading import is_accounted
from tests.mqcap.ingest.smf.test_borrowed_intervals import (
    BERLIN,
    dump,
    half_hours,
    statistics,
    stub,
)
from tests.shared import shared_cases, shared_dir

TASKS = "QCTELTM + QCTWTTM of a task is the interval, within 1 %"
SHARED = shared_dir()
SAMPLES = [] if SHARED is None else sorted((SHARED / "data" / "smf").rglob("*.smf*"))
REAL = [] if SHARED is None else sorted((SHARED / "data" / "smf" / "real").glob("*.dat.gz"))
START = datetime(2025, 3, 10, 13, tzinfo=UTC)
SOUND = {
    "smfid": "SYS1",
    "cf": "CF01",
    "record_type": 74,
    "record_subtype": 4,
    "interval_start_utc": START,
    "interval_seconds": 900.0,
    "section_index": 0,
    "record_offset_bytes": 100,
    "r744slem": 10.0,
    "r744slel": 20.0,
    "r744ssrc": 100.0,
    "r744sstm": 1_000.0,
    "r744pbsy": 1e6,
    "r744pwai": 2e6,
}


def printed(path: Path) -> str:
    return report(path, summarise(path), 160)


def failures(contents: DumpSummary, name: str) -> list[FailedRow]:
    return [row for check in contents.check_results if check.name == name for row in check.failures]


@pytest.mark.thorough
@pytest.mark.parametrize("sample", shared_cases([*SAMPLES, *REAL]), ids=lambda path: path.name)
def test_in_the_sample_dumps_all_figures_agree(sample: Path) -> None:
    contents = summarise(sample)
    assert [result.name for result in contents.check_results if result.failed] == []
    assert is_accounted(contents.totals)
    assert contents.totals.problems == ()
    checked = {result.name for result in contents.check_results}
    assert (
        checked >= {TIME_CHECK.name, BLOCK_CHECK} or "TEST116" in sample.name or "cf" in sample.name
    )


@pytest.mark.thorough
def test_a_header_time_that_is_not_the_end_of_the_interval_is_named(tmp_path: Path) -> None:
    records = statistics(half_hours(BERLIN, datetime(2025, 7, 1, tzinfo=UTC), 3))
    time_hundredths = int.from_bytes(records[1][6:10], "big") + 5
    records[1] = records[1][:6] + time_hundredths.to_bytes(4, "big") + records[1][10:]
    path = dump(tmp_path, records)
    (failure,) = failures(summarise(path), TIME_CHECK.name)
    assert failure.byte_offset == 18 + len(records[0])
    assert failure.found == "0.050"
    assert failure.expected == "-0.020 to 0.020"
    assert failure.whose == "115.1 of PRD1/MQP1, interval from 2025-07-01 00:30:00 UTC"
    assert f"byte {failure.byte_offset}: {failure.whose}" in printed(path)


@pytest.mark.thorough
def test_figures_that_contradict_each_other_are_named_with_their_section(tmp_path: Path) -> None:
    contents = summarise(small_dump(tmp_path))
    by_name = {result.name: result for result in contents.check_results}
    tasks = [result for result in contents.check_results if result.name == TASKS]
    assert sum(task.failed for task in tasks) == sum(task.rows for task in tasks) == 16
    assert any(
        "115.231 section 2 of PRD1/MQP1" in failure.whose
        for task in tasks
        for failure in task.failures
    )
    assert contents.check_results[0].failed
    assert by_name[TIME_CHECK.name].failed == by_name[BLOCK_CHECK].failed == 0


@pytest.mark.thorough
def test_a_block_id_of_another_structure_is_named(tmp_path: Path) -> None:
    records = mq_dump_records()
    at = records[0].index("QJST".encode("cp037")) - 4
    records[0] = records[0][:at] + b"\x00\x99" + records[0][at + 2 :]
    path = tmp_path / "id.smf"
    write_dump(path, with_markers(records), "rdw")
    (failure,) = failures(summarise(path), BLOCK_CHECK)
    assert (failure.found, failure.expected, failure.byte_offset) == ("0099", "0093 of QJST", 18)


@pytest.mark.thorough
def test_records_that_may_pause_leave_no_gaps(tmp_path: Path) -> None:
    every = half_hours(BERLIN, datetime(2025, 7, 1, tzinfo=UTC), 6)
    channels = statistics(every, (116, 10))
    others = statistics(every)
    records = [*others, channels[0], channels[5], stub(others[0]), stub(others[5])]
    assert list(summarise(dump(tmp_path, records)).gaps()) == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("kinds", "gaps"), [(((116, 10),), 0), (((115, 1),), 1), (((115, 1), (116, 10)), 1)]
)
def test_gaps_follow_the_kinds_of_a_writer_whatever_its_name_holds(
    tmp_path: Path, kinds: tuple[tuple[int, int], ...], gaps: int
) -> None:
    item, three = (datetime(2025, 7, 1, hour, tzinfo=UTC) for hour in (1, 3))
    half = timedelta(minutes=30)
    writer = Writer("SY 1", "M/1 116.10", kinds)
    summary = summarise(dump(tmp_path, statistics(half_hours(BERLIN, item, 1))))
    apart = {writer: [(item, item + half), (three, three + half)]}
    assert [*replace(summary, intervals=apart).gaps()] == [(writer, item + half, three)][:gaps]


def results(dataset: str, *rows: dict[str, Any]) -> dict[str, CheckResult]:
    """The results of sound rows with some changes, in order."""
    checks = CrossChecks()
    checks.add(dataset, pa.Table.from_pylist([SOUND | row for row in rows]))
    return {result.name: result for result in checks.in_order()}


def test_figures_that_agree_pass() -> None:
    checks = results("section_r744s", {}, {})
    assert {(result.rows, result.failed) for result in checks.values()} == {(2, 0)}


@pytest.mark.parametrize(
    ("dataset", "changed", "name"),
    [
        ("section_r744s", {"r744slem": 21.0}, "R744SLEM <= R744SLEL"),
        ("section_r744s", {"r744sstm": 1e6}, "R744SSTM / R744SSRC is 1 to 1,000 microseconds"),
        (
            "section_r744p",
            {"r744pbsy": 900e6},
            "R744PBSY + R744PWAI of an engine fits into the interval",
        ),
    ],
)
def test_a_figure_that_contradicts_another_fails_with_its_position(
    dataset: str, changed: dict[str, Any], name: str
) -> None:
    if dataset == "section_r744p":
        changed = {**changed, "r744pwai": 100e6}
    checks = results(dataset, {}, {**changed, "section_index": 2, "record_offset_bytes": 4_711})
    assert (checks[name].rows, checks[name].failed) == (2, 1)
    [failure] = checks[name].failures
    assert failure.byte_offset == 4_711
    assert failure.whose.startswith("74.4 section 3 of SYS1/CF01, interval from 2025-03-10 13:00")
    assert " to " in failure.expected


DEVICE = {
    "sysplex": "PLEX1",
    "record_subtype": 5,
    **{f"r745d{name}": 1.0 for name in ("rcr", "rsr", "rnr", "wrc", "wsr", "wnr", "icl", "bcr")},
}


@pytest.mark.parametrize(("delayed", "failed"), [(7.9, 0), (8.0, 0), (8.1, 1)])
def test_no_more_writes_bypass_the_cache_than_there_are_ios(delayed: float, failed: int) -> None:
    row = {name: value for name, value in SOUND.items() if name != "cf"} | DEVICE
    checks = CrossChecks()
    rows = [row | {"r745dfwb": delayed}, row | {"r745dfwb": None}]
    checks.add("section_r745d", pa.Table.from_pylist(rows))
    [result] = checks.in_order()
    assert (result.name, result.rows) == ("R745DFWB is at most the I/Os of its device", 1)
    assert [failure.whose.split(",")[0] for failure in result.failures] == [
        "74.5 of SYS1/PLEX1"
    ] * failed


def test_rows_to_which_a_check_does_not_apply_are_not_counted() -> None:
    checks = results("section_r744s", {"r744slel": 0.0, "r744ssrc": 0.0})
    assert checks == {}


def test_only_the_first_failures_are_named_and_failed_checks_come_first() -> None:
    wrong = [{"r744slem": 30.0}] * (NAMED_FAILURES + 3)
    first, second = results("section_r744s", *wrong).values()
    assert (first.failed, len(first.failures)) == (NAMED_FAILURES + 3, NAMED_FAILURES)
    assert second.failed == 0
