"""Time in which the capacity page answers and is painted: 2,000 series, three years of days.

``PYTHONPATH=plugins python -m devtools.benchmarks.page`` makes a store (SQLite, or with
``--postgres`` a PostgreSQL server; once per folder), asks each page a few times after a first one,
then opens the overview and a series in a headless Chromium. Printed are bytes of the largest
tables, the median and the worst time in milliseconds, and of the server the processor time of its
own process, and the first answer. ``--queue-managers 500`` makes 10,000 series.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from devtools.benchmarks.page_rows import DAY, METRICS, StoreSize
from devtools.benchmarks.page_store import bytes_by_table, settings_text, store_in
from devtools.benchmarks.ratios import loop_seconds, tell
from mqcap.domain.units import MIB_BYTES

BUDGETS_MS: Final = {
    "overview": 300.0,
    "series page": 300.0,
    "series figure": 300.0,
    "overview, first paint": 1_000.0,
    "overview, largest paint": 1_000.0,
}
TABLES: Final = 5
"""Tables whose size is printed."""
SERIES: Final = f"{METRICS[0]}/PLEX1/Q001"


class Answered(NamedTuple):
    """Time until a page was answered or painted; processor time of the server where it is known."""

    ms: float
    cpu_ms: float | None = None
    is_first: bool = False
    """Asked of a process that has not answered this page before; budgets are of later ones."""


def main() -> int:
    """Measure and print; 1 when a budget is not met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="Where the store is kept; default: a new one.")
    parser.add_argument("--rounds", type=int, default=9, help="Requests measured per page.")
    parser.add_argument("--queue-managers", type=int, default=StoreSize().queue_managers)
    parser.add_argument("--days", type=int, default=StoreSize().days, help="Days of each series.")
    parser.add_argument("--postgres", action="store_true", help="A PostgreSQL store.")
    parser.add_argument("--no-browser", action="store_true", help="The server only.")
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
        answers = _of_server(arguments.rounds)
        missed = _print_times(answers)
        missed += tell("page", _ratios(answers, arguments))
        if not arguments.no_browser:
            missed += _print_times(_of_browser(arguments.rounds))
        _close()
    return 1 if missed else 0


def _print_sizes(url: str) -> None:
    """Print the bytes of the store and of its largest tables with their indexes."""
    sizes = bytes_by_table(url)
    print(f"store                    {sum(sizes.values()) / MIB_BYTES:10,.0f} MiB")
    for name, count in list(sizes.items())[:TABLES]:
        print(f"  {name:22} {count / MIB_BYTES:10,.0f} MiB")


def _print_times(answers: Mapping[str, list[Answered]]) -> int:
    """Print a line per measured page; return the number of missed budgets."""
    missed = 0
    for name, every in answers.items():
        of_page = [one for one in every if not one.is_first]
        budget = BUDGETS_MS.get(name)
        middle = statistics.median(one.ms for one in of_page)
        missed += budget is not None and middle > budget
        words = f"budget {budget:,.0f} ms" if budget else ""
        used = [one.cpu_ms for one in of_page if one.cpu_ms is not None]
        cpu = f"{statistics.median(used):7,.0f} ms of CPU" if used else ""
        worst = max(one.ms for one in of_page)
        first = "".join(f"   first {one.ms:,.0f} ms" for one in every if one.is_first)
        first += "".join(f", {one.cpu_ms:,.0f} ms of CPU" for one in every if one.is_first)
        print(
            f"{name:24} median {middle:7,.0f} ms   worst {worst:7,.0f} ms   {cpu}   {words}{first}"
        )
    return missed


def _ratios(
    answers: Mapping[str, list[Answered]], arguments: argparse.Namespace
) -> dict[str, float]:
    """Return what is compared with the last release; nothing of a store of another size."""
    if (arguments.queue_managers, arguments.days, arguments.postgres) != (*StoreSize(), False):
        return {}
    loop_ms = loop_seconds() * 1_000
    return {
        f"CPU of {name} : plain loop": statistics.median(
            one.cpu_ms or 0.0 for one in of_page if not one.is_first
        )
        / loop_ms
        for name, of_page in answers.items()
    }


def _of_server(rounds: int) -> dict[str, list[Answered]]:
    from fastapi.testclient import TestClient  # noqa: PLC0415 - after Airflow's home is chosen

    from mq_capacity_page.application import create_application  # noqa: PLC0415 - as above
    from mq_capacity_page.web.auth import get_user, may_edit  # noqa: PLC0415 - as above

    page = create_application()
    page.dependency_overrides[get_user] = lambda: "reader"
    page.dependency_overrides[may_edit] = lambda: True
    asked = {
        "overview": "/",
        "overview, all": "/?system_class=all&rows=5000",
        "series page": f"/series?series={SERIES}",
        "series figure": f"/figure?series={SERIES}&day={DAY}",
        "finding": "/finding?rule=LOG-FILL-30MIN&subject=PLEX1/Q001",
        "findings (API)": "/api/findings",
        "days (API)": "/api/days",
        "series (API)": "/api/series",
        "subject": "/subject?name=PLEX1/Q001",
        "completeness": "/completeness",
        "tickets": "/tickets",
        "scorecard": "/scorecard",
    }
    with TestClient(page) as client:
        return {name: list(_times(client, path, rounds)) for name, path in asked.items()}


def _times(client: Any, path: str, rounds: int) -> Iterator[Answered]:
    for number in range(rounds + 1):
        started, cpu = time.perf_counter(), time.process_time()
        answer = client.get(path)
        assert answer.status_code == 200, answer.text[:500]
        elapsed, used = time.perf_counter() - started, time.process_time() - cpu
        yield Answered(elapsed * 1_000, used * 1_000, is_first=not number)


def _of_browser(rounds: int) -> dict[str, list[Answered]]:
    from devtools.benchmarks.page_browser import painted  # noqa: PLC0415 - as above

    times = painted(rounds, overview="./", series=f"series?series={SERIES}")
    return {name: [Answered(one) for one in of_page] for name, of_page in times.items()}


def _close() -> None:
    from mq_capacity_page.web.context import current_context  # noqa: PLC0415 - as above

    current_context().engine.dispose()


if __name__ == "__main__":
    raise SystemExit(main())
