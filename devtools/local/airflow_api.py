"""Calls of Airflow's REST API that the local run makes."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final
from urllib.parse import quote

import httpx

from devtools.local.processes import polled
from mqcap.domain.errors import ServiceUnavailable

DAILY: Final = "mqcap_daily"
ENDED: Final = frozenset({"success", "failed"})
TIMEOUT_SECONDS: Final = 30.0
BAD_REQUEST: Final = 400
NOT_FOUND: Final = 404
CONFLICT: Final = 409
SERVER_ERROR: Final = 500
READ_TRIES: Final = 10
RETRY_SECONDS: Final = 2.0
PATIENCE_SECONDS: Final = 300.0
"""So long a call that may be repeated is made again while its answers do not come in time."""
_LOGIN: Final = "/auth/token"


class ApiError(ServiceUnavailable):
    """Airflow answered with an error; ``status`` is the HTTP status."""

    def __init__(self, call: str, status: int, answer: str) -> None:
        self.status = status
        super().__init__(f"Airflow refused {call}", found=f"status {status}: {answer[:500]}")


class SlowAnswer(ServiceUnavailable):
    """Airflow was there and did not answer in time; whether it did what was asked is not known."""


@dataclass(frozen=True)
class TaskState:
    """A task of a run: its state (``None`` before it is scheduled) and its seconds so far."""

    task_id: str
    state: str | None
    duration_s: float | None


class AirflowApi:
    """A logged-in client; logs in at the first call.

    ``remedy`` is what an operator does when Airflow does not answer.
    """

    def __init__(self, url: str, user: str, password: str, *, remedy: str = "") -> None:
        self._url = url
        self._remedy = remedy
        self._user = {"username": user, "password": password}
        self._headers: dict[str, str] = {}

    def healthy_components(self) -> set[str]:
        """Names of the components that report themselves healthy; empty while nothing answers."""
        try:
            answer = self._answer("GET", "/api/v2/monitor/health").json()
        except ServiceUnavailable:
            return set()
        return {name for name, part in answer.items() if part and part.get("status") == "healthy"}

    def wait_for_dag(self, seconds: float) -> None:
        """Wait until the daily DAG can be triggered; ServiceUnavailable says why it cannot."""
        for _ in polled(seconds, 0.5):
            if self._allowing(NOT_FOUND, "GET", f"/api/v2/dags/{DAILY}") is not None:
                return
            if problems := self.import_errors():
                raise ServiceUnavailable(
                    f"Airflow does not know the DAG {DAILY}", found="; ".join(problems)
                )
        raise ServiceUnavailable(f"Airflow does not know the DAG {DAILY}", found="no DAG")

    def import_errors(self) -> list[str]:
        """Return the files that the DAG processor could not parse."""
        answer = self.call("GET", "/api/v2/importErrors")
        return [f"{item['filename']}: {item['stack_trace']}" for item in answer["import_errors"]]

    def put_pool(self, name: str, slots: int, description: str) -> None:
        """Create a pool, or leave the one that exists."""
        body = {"name": name, "slots": slots, "description": description}
        self._allowing(CONFLICT, "POST", "/api/v2/pools", body)

    def set_paused(self, paused: bool, dag_id: str = DAILY) -> None:
        """Pause or un-pause a DAG."""
        self.call("PATCH", f"/api/v2/dags/{dag_id}", {"is_paused": paused}, repeatable=True)

    def start_day(self, day: date, conf: dict[str, Any], dag_id: str = DAILY) -> str:
        """Start the run of a data day, or start it again; returns its run id.

        The run gets the interval that the schedule would give it, so that the scheduler does not
        make a second one for the same day.
        """
        start = datetime(day.year, day.month, day.day, tzinfo=UTC)
        run = self._run_of(start, dag_id)
        if run is None:
            run = self._create_run(start, conf, dag_id)
        elif run["state"] in ENDED:
            self._clear(run, start, dag_id)
        return str(run["dag_run_id"])

    def _run_of(self, start: datetime, dag_id: str) -> Any:
        moment = quote(start.isoformat())
        query = f"logical_date_gte={moment}&logical_date_lte={moment}"
        runs = self.call("GET", f"/api/v2/dags/{dag_id}/dagRuns?{query}")["dag_runs"]
        return runs[0] if runs else None

    def _create_run(self, start: datetime, conf: dict[str, Any], dag_id: str) -> Any:
        """Create the run of a day; its id keeps one whose answer was late from a second run."""
        body = {
            "dag_run_id": f"local__{start.date().isoformat()}",
            "logical_date": start.isoformat(),
            "data_interval_start": start.isoformat(),
            "data_interval_end": (start + timedelta(days=1)).isoformat(),
            "conf": conf,
        }
        try:
            return self.call("POST", f"/api/v2/dags/{dag_id}/dagRuns", body, repeatable=True)
        except ApiError as error:
            run = self._run_of(start, dag_id) if error.status == CONFLICT else None
            if run is None:
                raise
            return run

    def _clear(self, run: Any, start: datetime, dag_id: str) -> None:
        """Run an ended run again; asked once only, as a second time would end tasks that began."""
        try:
            path = f"{_path(run['dag_run_id'], dag_id)}/clear"
            self.call("POST", path, {"dry_run": False, "only_failed": False})
        except SlowAnswer:
            for _ in polled(PATIENCE_SECONDS, RETRY_SECONDS):
                if self._run_of(start, dag_id) != run:
                    return
            raise

    def run_state(self, run_id: str, dag_id: str = DAILY) -> str:
        """State of a run: queued, running, success, failed."""
        return str(self.call("GET", _path(run_id, dag_id))["state"])

    def task_states(self, run_id: str) -> list[TaskState]:
        """The tasks of a run in no particular order."""
        answer = self.call("GET", f"{_path(run_id)}/taskInstances?limit=100")
        return [
            TaskState(item["task_id"], item["state"], item["duration"])
            for item in answer["task_instances"]
        ]

    def task_log(self, run_id: str, task_id: str) -> str:
        """Return the log of the last try of a task, one line per event."""
        path = f"{_path(run_id)}/taskInstances/{task_id}"
        tries = self.call("GET", path)["try_number"]
        content = self.call("GET", f"{path}/logs/{tries}?full_content=true")["content"]
        return "\n".join(
            str(line.get("event", line)) if isinstance(line, dict) else str(line)
            for line in content
        )

    def call(self, method: str, path: str, body: Any = None, *, repeatable: bool = False) -> Any:
        """Make a call with our token; a read that meets an error of the server is repeated.

        A read, and a change that is ``repeatable`` (made twice it has the effect of once), is also
        repeated for ``PATIENCE_SECONDS`` when its answer does not come in time.

        Raises ApiError when Airflow refuses it and ServiceUnavailable when nobody answers.
        """
        self._sign_in(path)
        is_read = method == "GET"
        problem: ServiceUnavailable = SlowAnswer("Airflow does not answer")
        for tries, _ in enumerate(polled(PATIENCE_SECONDS, RETRY_SECONDS), start=1):
            try:
                answer = self._answer(method, path, body)
                return answer.json() if answer.content else {}
            except SlowAnswer as slow:
                if not (is_read or repeatable):
                    raise
                problem = slow
            except ApiError as error:
                if not is_read or error.status < SERVER_ERROR or tries >= READ_TRIES:
                    raise
                problem = error
        raise problem

    def _allowing(self, status: int, method: str, path: str, body: Any = None) -> Any:
        """Make a call that may be repeated; ``None`` where it is refused with this status."""
        try:
            return self.call(method, path, body, repeatable=True)
        except ApiError as error:
            if error.status == status:
                return None
            raise

    def status_of(self, path: str) -> int:
        """Return the HTTP status of a page; ServiceUnavailable when nobody answers."""
        self._sign_in(path)
        return self._response("GET", path).status_code

    def _sign_in(self, path: str) -> None:
        if not self._headers and path != _LOGIN:
            token = self.call("POST", _LOGIN, self._user, repeatable=True)["access_token"]
            self._headers = {"Authorization": f"Bearer {token}"}

    def _answer(self, method: str, path: str, body: Any = None) -> httpx.Response:
        response = self._response(method, path, body)
        if response.status_code >= BAD_REQUEST:
            raise ApiError(f"{method} {path}", response.status_code, response.text)
        return response

    def _response(self, method: str, path: str, body: Any = None) -> httpx.Response:
        try:
            return httpx.request(
                method,
                f"{self._url}{path}",
                json=body,
                headers=self._headers,
                timeout=TIMEOUT_SECONDS,
                trust_env=False,
            )
        except httpx.TimeoutException as error:
            raise SlowAnswer(
                f"Airflow does not answer in time at {self._url}",
                found=f"no answer to {method} {path} within {TIMEOUT_SECONDS:g} s",
                remedy=self._remedy,
            ) from error
        except httpx.TransportError as error:
            raise ServiceUnavailable(
                f"Airflow does not answer at {self._url}", found=str(error), remedy=self._remedy
            ) from error


def _path(run_id: str, dag_id: str = DAILY) -> str:
    return f"/api/v2/dags/{dag_id}/dagRuns/{quote(run_id, safe='')}"
