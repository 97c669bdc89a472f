"""Cost of answers of the capacity page: 2,000 series of three years.

``PYTHONPATH=plugins python -m devtools.benchmarks.page`` makes a store (SQLite, or with
``--postgres`` a PostgreSQL server; once per folder), and asks pages and addresses of the REST API.
Printed are, of each address, the first answer after a step has ended and the median of later ones:
processor time of the page's process, and elapsed time. What a new process loads once is not
measured, nor Airflow's database. ``--queue-managers 500`` makes 10,000 series.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from devtools.benchmarks.page_store import DAY, METRICS, StoreSize, settings_text, store_in
from devtools.benchmarks.ratios import loop_seconds, table, tell
from mqcap.domain.units import KIB_BYTES
from mqcap.store.documents import parse_finding
from mqcap.store.models import StepRun
from mqcap.store.step_runs import save_step_run

BUDGETS_MS: Final = {"board": 300.0, "board, by due": 300.0, "board, page 3": 300.0,
                     "series page": 300.0, "resource": 400.0}  # fmt: skip
"""Median elapsed time of later answers."""
ANSWER_MAX_MS: Final = 3_000.0
"""Elapsed time of any answer."""
ADDRESSES: Final = {
    "board": "/",
    "board, by due": "/?sort=due",
    "board, page 3": "/?sort=used&start=80",
    "series page": f"/series?series={METRICS[0]}%2FPLEX1%2FQ001",
    "resource": "/resource?path=PLEX1%2FQ001%2Factive_log",
    "finding": "/finding?rule=LOG-FILL-30MIN&subject=PLEX1%2FQ001",
    "sysplex": "/resources?name=PLEX1",
    "queue manager": "/resources?name=PLEX1%2FQ001",
    "data": "/data",
    "management": "/management",
    "reports": "/reports",
    "findings, JSON": "/api/findings",
    "series, JSON": "/api/series",
    "series, CSV": "/api/series?form=csv",
}


class TimedAnswer(NamedTuple):
    """Cost of one answer, in milliseconds."""

    elapsed_ms: float
    cpu_ms: float


class Answers(NamedTuple):
    """What an address has cost: the first answer after a step has ended, and later ones."""

    status: int
    bytes_count: int
    first: TimedAnswer
    later: list[TimedAnswer]

    @property
    def median(self) -> TimedAnswer:
        """The medians of later answers."""
        return TimedAnswer(*(statistics.median(column) for column in zip(*self.later, strict=True)))


def main() -> int:
    """Measure and print; 1 when a budget is not met or a ratio is worse."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="Where the store is kept; default: a new one.")
    parser.add_argument("--rounds", type=int, default=9, help="Requests measured per page.")
    parser.add_argument("--queue-managers", type=int, default=StoreSize().queue_managers)
    parser.add_argument("--days", type=int, default=StoreSize().days, help="Days of each series.")
    parser.add_argument("--postgres", action="store_true", help="A PostgreSQL store.")
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
        answers = _asked(arguments.rounds)
    missed = _print_answers(answers)
    if size == StoreSize() and not arguments.postgres:
        loop_ms = loop_seconds() * 1_000
        missed += tell(
            "page",
            {
                f"CPU of {name} : plain loop": found.median.cpu_ms / loop_ms
                for name, found in answers.items()
            },
        )
    return min(missed, 1)


def _asked(rounds: int) -> dict[str, Answers]:
    """Ask every address: once unmeasured, then after a step has ended, then ``rounds`` times."""
    from fastapi.testclient import TestClient  # noqa: PLC0415 - after Airflow's home is chosen

    from mq_capacity_page.application import create_application  # noqa: PLC0415 - as above
    from mq_capacity_page.pages.data import dag_runs  # noqa: PLC0415 - as above
    from mq_capacity_page.web.auth import get_user, may_edit  # noqa: PLC0415 - as above
    from mq_capacity_page.web.context import current_context  # noqa: PLC0415 - as above

    page = create_application()
    page.dependency_overrides[get_user] = lambda: "reader"
    page.dependency_overrides[may_edit] = lambda: True
    found = {}
    with (
        patch.object(dag_runs, "last_runs", list),
        patch.object(dag_runs, "day_of_run", lambda *_: DAY),
        TestClient(page, follow_redirects=False) as client,
    ):
        for name, address in ADDRESSES.items():
            answer = client.get(address)
            assert answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR, answer.text[:500]
            ended = StepRun(step="alert", ended_at_utc=datetime.now(UTC), site_date=DAY,
                            versions={}, counts={})  # fmt: skip
            save_step_run(current_context().engine, ended)
            parse_finding.cache_clear()
            first, *later = (_timed(client, address) for _ in range(rounds + 1))
            found[name] = Answers(answer.status_code, len(answer.content), first, later)
    current_context().engine.dispose()
    return found


def _timed(client: Any, address: str) -> TimedAnswer:
    cpu, started = time.process_time(), time.perf_counter()
    client.get(address)
    elapsed, used = time.perf_counter() - started, time.process_time() - cpu
    return TimedAnswer(elapsed * 1_000, used * 1_000)


def _print_answers(answers: Mapping[str, Answers]) -> int:
    """Print a line per address; return the number of missed budgets."""
    missed = 0
    rows = []
    for name, found in answers.items():
        budget = BUDGETS_MS.get(name, ANSWER_MAX_MS)
        worst_ms = max(one.elapsed_ms for one in (found.first, *found.later))
        remarks = [f"over {budget:,.0f} ms"] if found.median.elapsed_ms > budget else []
        remarks += [f"over {ANSWER_MAX_MS:,.0f} ms"] if worst_ms > ANSWER_MAX_MS else []
        missed += len(remarks)
        remarks += [f"status {found.status}"] if found.status != HTTPStatus.OK else []
        size_kib = found.bytes_count / KIB_BYTES
        rows.append((name, *found.first, *found.median, size_kib, ", ".join(remarks)))
    columns = ("", "first: ms", "ms of CPU", "median: ms", "ms of CPU", "KiB", "")
    print("\n".join(table(columns, rows)))
    return missed


if __name__ == "__main__":
    raise SystemExit(main())
