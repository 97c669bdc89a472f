"""Cost of each answer of the capacity page: 2,000 series of three years.

``PYTHONPATH=plugins python -m devtools.benchmarks.page`` makes a store (SQLite, or with
``--postgres`` a PostgreSQL server; once per folder), and asks every route of the page and of the
REST API. Printed are bytes of the largest tables, and of each address the first answer after a step
has ended and the median of later ones: processor time of the page's process and of the database,
and elapsed time. ``--queue-managers 500`` makes 10,000 series; ``--only series`` asks addresses
with that word.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final

from devtools.benchmarks.page_rows import StoreSize
from devtools.benchmarks.page_server import (
    Answered,
    Answers,
    no_database_cpu,
    of_server,
    postgres_cpu,
)
from devtools.benchmarks.page_store import POSTGRES, bytes_by_table, settings_text, store_in
from devtools.benchmarks.ratios import loop_seconds, tell
from mqcap.domain.units import KIB_BYTES, MIB_BYTES

BUDGETS_MS: Final = {
    "board": 300.0,
    "series page": 300.0,
    "/resource": 400.0,
}
"""Median elapsed time of later answers."""
ANSWER_MAX_MS: Final = 3_000.0
"""Elapsed time of any answer of any route."""
COMPARED: Final = (*BUDGETS_MS, "board, all", "/api/findings", "/api/series", "/data")
"""Addresses whose processor time is compared with that of the last release."""
TABLES: Final = 5
"""Tables whose size is printed."""


def main() -> int:
    """Measure and print; 1 when a budget is not met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="Where the store is kept; default: a new one.")
    parser.add_argument("--rounds", type=int, default=9, help="Requests measured per page.")
    parser.add_argument("--queue-managers", type=int, default=StoreSize().queue_managers)
    parser.add_argument("--days", type=int, default=StoreSize().days, help="Days of each series.")
    parser.add_argument("--postgres", action="store_true", help="A PostgreSQL store.")
    parser.add_argument("--only", default="", help="Part of the addresses that are asked.")
    arguments = parser.parse_args()
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="mqcap-page-"))
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("AIRFLOW_HOME", str(folder / "airflow"))
    settings = folder / "platform.yaml"
    os.environ["MQCAP_SETTINGS_FILE"] = str(settings)
    size = StoreSize(arguments.queue_managers, arguments.days)
    started = time.perf_counter()
    with store_in(folder, size, postgres=arguments.postgres) as url:
        print(f"store filled or found in {time.perf_counter() - started:.0f} s")
        settings.write_text(settings_text(url, size), encoding="utf-8")
        _print_sizes(url)
        clock = postgres_cpu(folder / POSTGRES) if arguments.postgres else no_database_cpu
        answers = of_server(arguments.rounds, clock, arguments.only)
        missed = _print_answers(answers)
        missed += tell("page", _ratios(answers, arguments))
        _close()
    return 1 if missed else 0


def _print_sizes(url: str) -> None:
    """Print the bytes of the store and of its largest tables with their indexes."""
    sizes = bytes_by_table(url)
    print(f"store                    {sum(sizes.values()) / MIB_BYTES:10,.0f} MiB")
    for name, count in list(sizes.items())[:TABLES]:
        print(f"  {name:22} {count / MIB_BYTES:10,.0f} MiB")


def _print_answers(answers: Mapping[str, Answers]) -> int:
    """Print a line per address; return the number of missed budgets."""
    missed = 0
    print(f"{'':28}{'first answer: ms of CPU':>30}{'median: ms of CPU':>31}")
    print(f"{'':28}" + 2 * f"{'page':>10}{'database':>10}{'elapsed':>10} " + f"{'KiB':>8}")
    for name, found in answers.items():
        budget = BUDGETS_MS.get(name)
        over = [f"over {budget:,.0f} ms"] if budget and found.median.elapsed_ms > budget else []
        over += [f"over {ANSWER_MAX_MS:,.0f} ms"] if found.worst_ms > ANSWER_MAX_MS else []
        missed += len(over)
        others = [f"status {found.status}"] if found.status != HTTPStatus.OK else []
        figures = " ".join(map(_figures, (found.first, found.median)))
        remarks = ", ".join([*others, *over])
        print(f"{name:28}{figures} {found.bytes_count / KIB_BYTES:8,.0f}  {remarks}".rstrip())
    return missed


def _figures(answered: Answered) -> str:
    return "".join(
        f"{value:10,.0f}"
        for value in (answered.page_cpu_ms, answered.database_cpu_ms, answered.elapsed_ms)
    )


def _ratios(answers: Mapping[str, Answers], arguments: argparse.Namespace) -> dict[str, float]:
    """Return what is compared with the last release; nothing of a store of another size."""
    if (arguments.queue_managers, arguments.days, arguments.postgres) != (*StoreSize(), False):
        return {}
    loop_ms = loop_seconds() * 1_000
    return {
        f"CPU of {name} : plain loop": answers[name].median.page_cpu_ms / loop_ms
        for name in COMPARED
        if name in answers
    }


def _close() -> None:
    from mq_capacity_page.web.context import current_context  # noqa: PLC0415 - after Airflow's home

    current_context().engine.dispose()


if __name__ == "__main__":
    raise SystemExit(main())
