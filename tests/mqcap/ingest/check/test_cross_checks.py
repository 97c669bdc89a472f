from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from mqcap.ingest.check.cross_checks import NAMED_FAILURES, CheckResult, CrossChecks

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


def results(dataset: str, *rows: dict[str, Any]) -> dict[str, CheckResult]:
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
    checks = CrossChecks()
    checks.add("section_r744s", pa.Table.from_pylist([SOUND | row for row in wrong]))
    first, second = checks.in_order()
    assert (first.failed, len(first.failures)) == (NAMED_FAILURES + 3, NAMED_FAILURES)
    assert second.failed == 0


def test_datasets_without_checks_have_no_results() -> None:
    assert results("console_event", {}) == {}
