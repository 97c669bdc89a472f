"""Cost of answers of the capacity page: 2,000 series of three years.

``PYTHONPATH=plugins python -m devtools.benchmarks.page`` makes a store (SQLite, or with
``--postgres`` a PostgreSQL server; once per folder), and asks pages and addresses of the REST API.
Printed are, of each address, the first answer after a step has ended and the median of later ones:
processor time of the page's process, and elapsed time. What a new process loads once is not
measured, nor Airflow's database. ``--queue-managers 500`` makes 10,000 series.
"""

import argparse
import os
import tempfile
import time
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from devtools.benchmarks.page_store import DAY, LOG, StoreSize, settings_text, store_in
from devtools.benchmarks.ratios import loop_seconds, table, tell
from mqcap.domain.units import KIB_BYTES
from mqcap.store.documents import parse_finding
from mqcap.store.step_runs import save_step_run
from tests.factories import step_run

BUDGETS_MS: Final = {"board": 300.0, "board, by due": 300.0, "board, page 3": 300.0,
                     "series page": 300.0, "resource": 400.0}  # fmt: skip
"""Median elapsed time of later answers."""
ANSWER_MAX_MS: Final = 3_000.0
"""Elapsed time of any answer."""
COLUMNS: Final = ("", "first: ms", "ms of CPU", "median: ms", "ms of CPU", "KiB", "")
ADDRESSES: Final = {
    "board": "/",
    "board, by due": "/?sort=due",
    "board, page 3": "/?sort=used&start=80",
    "series page": f"/series?series={LOG}%2FPLEX1%2FQ001",
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


class Answers(NamedTuple):
    """What an address has cost: the first answer after a step has ended, and later ones.

    Times are elapsed and of the processor, in milliseconds.
    """

    kib: float
    first: tuple[float, float]
    later: list[tuple[float, float]]

    @property
    def medians(self) -> tuple[float, float]:
        """The medians of later answers."""
        elapsed, cpu = map(median, zip(*self.later, strict=True))
        return elapsed, cpu

    def remarks(self, name: str) -> list[str]:
        """Return the budgets that are not met."""
        budget = BUDGETS_MS.get(name, ANSWER_MAX_MS)
        worst = max(elapsed for elapsed, _ in (self.first, *self.later))
        passed = [budget] if self.medians[0] > budget else []
        passed += [ANSWER_MAX_MS] if worst > ANSWER_MAX_MS else []
        return [f"over {limit:,.0f} ms" for limit in passed]


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
    with store_in(folder, size, postgres=arguments.postgres) as url:
        settings.write_text(settings_text(url, size), encoding="utf-8")
        answers = _asked(arguments.rounds)
    missed = {name: found.remarks(name) for name, found in answers.items()}
    rows = [
        (name, *found.first, *found.medians, found.kib, ", ".join(missed[name]))
        for name, found in answers.items()
    ]
    print("\n".join(table(COLUMNS, rows)))
    is_worse = 0
    if size == StoreSize() and not arguments.postgres:
        loop_ms = loop_seconds() * 1_000
        ratios = {
            f"CPU of {name} : plain loop": found.medians[1] / loop_ms
            for name, found in answers.items()
        }
        is_worse = tell("page", ratios)
    return int(is_worse or any(missed.values()))


def _asked(rounds: int) -> dict[str, Answers]:
    """Ask every address: once unmeasured, then after a step has ended, then ``rounds`` times."""
    from fastapi.testclient import TestClient  # noqa: PLC0415 - after Airflow's home is chosen

    from mq_capacity_page.application import create_application  # noqa: PLC0415 - as above
    from mq_capacity_page.pages.data import dag_runs  # noqa: PLC0415 - as above
    from mq_capacity_page.web.context import current_context  # noqa: PLC0415 - as above
    from mq_capacity_page.web.dependencies import get_user, may_edit  # noqa: PLC0415 - as above

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
            assert answer.status_code == HTTPStatus.OK, answer.text[:500]
            ended = step_run(step="alert", ended_at_utc=datetime.now(UTC), site_date=DAY)
            save_step_run(current_context().engine, ended)
            parse_finding.cache_clear()
            first, *later = (_timed(client, address) for _ in range(rounds + 1))
            found[name] = Answers(len(answer.content) / KIB_BYTES, first, later)
    current_context().engine.dispose()
    return found


def _timed(client: Any, address: str) -> tuple[float, float]:
    cpu, started = time.process_time(), time.perf_counter()
    client.get(address)
    return 1_000 * (time.perf_counter() - started), 1_000 * (time.process_time() - cpu)


if __name__ == "__main__":
    raise SystemExit(main())
