"""The fault matrix as a table: ``python -m tests.faults.table`` runs all of it and prints it."""

import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

import pytest

from tests.faults.site import ORDER

HERE: Final = Path(__file__).parent
SPARK: Final = ("decode_and_aggregate", "fit")
LOAD: Final = ("land", "decode_and_aggregate")
JUDGED: Final = ("export_training", "store_forecasts", "size", "alert")
ROWS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "test_a_step_that_is_killed_": ("SIGKILL within the step and at its end", ()),
    "test_a_load_that_is_killed_": ("SIGKILL between what Spark writes", SPARK[:1]),
    "test_a_fit_that_is_killed_": ("SIGKILL between what Spark writes", SPARK[1:]),
    "test_garbage_kills_": ("garbage; SIGKILL of driver and JVM; disk full in Spark", LOAD),
    "test_python_workers_": ("SIGKILL of Spark's workers", SPARK[1:]),
    "test_a_full_disk_": ("disk full", ()),
    "test_a_locked_store_": ("store locked", ()),
    "test_a_table_that_another_program_locks_": ("store locked", ("size",)),
    "test_a_service_that_drops_": ("mail server or tracker drops, refuses, is away", ("alert",)),
    "test_a_daily_run_and_a_backfill_at_once": ("daily run and backfill at once", JUDGED),
    "test_two_runs_a_backfill_and_the_page_": (
        "two daily runs, a backfill and the page at once",
        ("observe", *JUDGED),
    ),
    "test_a_backfill_that_is_killed_": ("SIGKILL within a backfill", JUDGED),
    "test_a_backfill_over_live_days_": ("backfill over live days", ORDER),
    "test_a_backfill_stores_what_": ("backfill instead of daily runs", ORDER),
    "test_what_was_removed_for_its_age": ("run after what is old was removed", ORDER[:3]),
    "test_days_to_come_": ("later days arrive: answers about past days", ORDER),
}
"""By the beginning of a test's name: the fault, and the steps when no parameter names one."""


class Results:
    """Outcome of every test, by fault and step."""

    def __init__(self) -> None:
        self._about: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.passed: dict[tuple[str, str], list[bool]] = defaultdict(list)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Remember what each test is about."""
        for item in items:
            params = getattr(getattr(item, "callspec", None), "params", {})
            for begin, (fault, steps) in ROWS.items():
                if item.name.startswith(begin):
                    chosen = (str(params["step"]),) if "step" in params else steps
                    self._about[item.nodeid] = fault, chosen

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a test once it has run, or has failed before."""
        if report.when != "call" and not report.failed:
            return
        fault, steps = self._about.get(report.nodeid, (report.nodeid, ()))
        for step in steps:
            self.passed[fault, step].append(report.passed)

    def lines(self) -> list[str]:
        """Markdown: how many tests of each fault and step have passed, of how many."""
        faults = dict.fromkeys(fault for fault, _ in ROWS.values())
        made = [f"| fault | {' | '.join(ORDER)} |", "| --- |" + " --- |" * len(ORDER)]
        for fault in faults:
            cells = [self._cell(fault, step) for step in ORDER]
            made.append(f"| {fault} | {' | '.join(cells)} |")
        return made

    def _cell(self, fault: str, step: str) -> str:
        result = self.passed.get((fault, step), [])
        if not result:
            return ""
        return f"as before ({len(result)})" if all(result) else f"{result.count(False)} DIFFER"


def main() -> int:
    """Run the package and print the table; pytest's exit code."""
    results = Results()
    code = pytest.main(["-q", str(HERE)], plugins=[results])
    for line in results.lines():
        print(line)  # noqa: T201
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
