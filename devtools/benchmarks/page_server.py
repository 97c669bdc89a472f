"""Cost of each answer of the page's server: processor time of its process and of the database."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch
from urllib.parse import urlencode

import psutil
from fastapi import FastAPI
from fastapi.dependencies.utils import get_flat_dependant
from fastapi.routing import APIRoute
from pydantic import BaseModel

from devtools.benchmarks.page_rows import DAY, METRICS
from devtools.local.postgres import PID_FILE
from mqcap.store.documents import parse_finding
from mqcap.store.models import StepRun
from mqcap.store.step_runs import save_step_run

CpuClock = Callable[[], float]


class Answered(NamedTuple):
    """Cost of one answer, in milliseconds; the page and the database are processes of their own."""

    elapsed_ms: float
    page_cpu_ms: float
    database_cpu_ms: float


class Answers(NamedTuple):
    """What an address has cost: the first answer after a step has ended, and later ones."""

    status: int
    bytes_count: int
    first: Answered
    later: Sequence[Answered]

    @property
    def worst_ms(self) -> float:
        """The longest elapsed time of all answers."""
        return max(one.elapsed_ms for one in (self.first, *self.later))

    @property
    def median(self) -> Answered:
        """The median of later answers; of the database the mean, its clock ticks every 10 ms."""
        return Answered(
            statistics.median(one.elapsed_ms for one in self.later),
            statistics.median(one.page_cpu_ms for one in self.later),
            statistics.fmean(one.database_cpu_ms for one in self.later),
        )


def of_server(rounds: int, database_cpu: CpuClock, part: str = "") -> dict[str, Answers]:
    """Ask every address: once unmeasured, then after a step has ended, then ``rounds`` times.

    With ``part`` only those whose name has it.
    What a new process loads once is thus not measured. Airflow's database, which has the runs of
    DAGs and the rights of users, is not there and not measured either.
    """
    from fastapi.testclient import TestClient  # noqa: PLC0415 - after Airflow's home is chosen

    from mq_capacity_page.application import create_application  # noqa: PLC0415 - as above
    from mq_capacity_page.pages.data import dag_runs  # noqa: PLC0415 - as above
    from mq_capacity_page.web.auth import get_user, may_edit  # noqa: PLC0415 - as above

    page = create_application()
    page.dependency_overrides[get_user] = lambda: "reader"
    page.dependency_overrides[may_edit] = lambda: True
    with (
        patch.object(dag_runs, "last_runs", list),
        patch.object(dag_runs, "day_of_run", lambda *_: DAY),
        TestClient(page, follow_redirects=False) as client,
    ):
        asked = [one for one in asked_of(page) if part in one.name]
        return {one.name: _answers(client, one, rounds, database_cpu) for one in asked}


def postgres_cpu(data: Path) -> CpuClock:
    """Return a clock of the processor seconds of a PostgreSQL server with all its processes."""
    server = psutil.Process(int((data / PID_FILE).read_text(encoding="utf-8").split()[0]))

    def seconds() -> float:
        return sum(_cpu_seconds(one) for one in [server, *server.children(recursive=True)])

    return seconds


def no_database_cpu() -> float:
    """The clock of SQLite, which works in the page's own process."""
    return 0.0


def _cpu_seconds(process: psutil.Process) -> float:
    """Seconds of a process and of its children that have ended; 0 of one that has just ended."""
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system + times.children_user + times.children_system)


def _answers(client: Any, asked: PageAddress, rounds: int, database_cpu: CpuClock) -> Answers:
    answer = client.get(asked.address)
    assert answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR, (
        f"{asked.address}: {answer.text[:500]}"
    )
    _end_a_step()
    first, *later = _times(client, asked.address, rounds + 1, database_cpu)
    return Answers(answer.status_code, len(answer.content), first, later)


def _end_a_step() -> None:
    """Let a step end: what the page keeps in memory is stale, and findings are others."""
    from mq_capacity_page.web.context import current_context  # noqa: PLC0415 - as above

    run = StepRun(step="alert", ended_at_utc=datetime.now(UTC), site_date=DAY, versions={},
                  counts={})  # fmt: skip
    save_step_run(current_context().engine, run)
    parse_finding.cache_clear()


def _times(client: Any, address: str, count: int, database_cpu: CpuClock) -> Iterator[Answered]:
    for _ in range(count):
        database, cpu, started = database_cpu(), time.process_time(), time.perf_counter()
        client.get(address)
        yield Answered(
            (time.perf_counter() - started) * 1_000,
            (time.process_time() - cpu) * 1_000,
            (database_cpu() - database) * 1_000,
        )


SERIES: Final = f"{METRICS[0]}/PLEX1/Q001"
GIVEN: Final[Mapping[str, str]] = {
    "at": DAY.isoformat(),
    "dag_id": "mqcap_daily",
    "day": DAY.isoformat(),
    "delivery": "none",
    "kind": "daily",
    "name": "PLEX1/Q001",
    "path": "PLEX1/Q001/active_log",
    "resource": "PLEX1/Q001/active_log",
    "rule": "LOG-FILL-30MIN",
    "run_id": "none",
    "series": SERIES,
    "subject": "PLEX1/Q001",
}
"""Values of the parameters that routes require; no other parameter is given."""
FILE: Final = "page.css"
"""The file of routes with a name of one in their path."""
FURTHER: Final[Mapping[str, str]] = {
    "board": "/",
    "board, all": "/?rows=2000",
    "series page": f"/series?{urlencode({'series': SERIES})}",
    "sysplex": "/resources?name=PLEX1",
}
"""Addresses by name beside those of the routes: the same route with much more, or less, to show."""


class PageAddress(NamedTuple):
    """An address and the name under which it is printed."""

    name: str
    address: str


def asked_of(application: FastAPI) -> list[PageAddress]:
    """Return what is asked: the named addresses, then each route, each list as a file of CSV.

    Raises KeyError for a route that requires a parameter without a value here.
    """
    named = [PageAddress(name, address) for name, address in FURTHER.items()]
    known = {address for _, address in named}
    found = sorted(set(_of_routes(application)))
    return [*named, *(one for one in found if one.address not in known)]


def _of_routes(application: FastAPI) -> Iterator[PageAddress]:
    for route in application.routes:
        if not isinstance(route, APIRoute) or "GET" not in route.methods:
            continue
        path = route.path_format.format_map({"name": FILE})
        parameters = _parameters(route)
        query = {name: GIVEN[name] for name, required in parameters.items() if required}
        yield PageAddress(path, _with(path, query))
        if "form" in parameters and "start" in parameters:
            yield PageAddress(f"{path}, CSV", _with(path, query | {"form": "csv"}))


def _parameters(route: APIRoute) -> dict[str, bool]:
    """Return whether each parameter of a route is required; those of a model one by one."""
    found: dict[str, bool] = {}
    for field in get_flat_dependant(route.dependant).query_params:
        model = field.field_info.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            found |= {name: one.is_required() for name, one in model.model_fields.items()}
        else:
            found[field.alias] = field.field_info.is_required()
    return found


def _with(path: str, query: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(query)}" if query else path
