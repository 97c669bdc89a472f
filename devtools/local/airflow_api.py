"""Calls of Airflow's REST API that the local run makes."""

import http.client
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final
from urllib.parse import quote, urlsplit

from tenacity import RetryCallState, Retrying, retry_if_exception, wait_fixed

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
        self._remedy = remedy
        self._address = urlsplit(url)
        self._login = {"username": user, "password": password}
        self._token = ""

    def healthy_components(self) -> set[str]:
        """Names of the components that report themselves healthy; empty while nothing answers."""
        try:
            answer = self._send("GET", "/api/v2/monitor/health", None, {})
        except ServiceUnavailable:
            return set()
        return {name for name, part in answer.items() if part and part.get("status") == "healthy"}

    def has_dag(self, dag_id: str = DAILY) -> bool:
        """Return true if the DAG processor has stored the DAG."""
        try:
            self.call("GET", f"/api/v2/dags/{dag_id}")
        except ApiError as error:
            if error.status == NOT_FOUND:
                return False
            raise
        return True

    def import_errors(self) -> list[str]:
        """Return the files that the DAG processor could not parse."""
        answer = self.call("GET", "/api/v2/importErrors")
        return [f"{item['filename']}: {item['stack_trace']}" for item in answer["import_errors"]]

    def put_pool(self, name: str, slots: int, description: str) -> None:
        """Create a pool, or leave the one that exists."""
        body = {"name": name, "slots": slots, "description": description}
        try:
            self.call("POST", "/api/v2/pools", body, repeatable=True)
        except ApiError as error:
            if error.status != CONFLICT:
                raise

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
            return self._create_run(start, conf, dag_id)
        if run["state"] in ENDED:
            self._clear(run, start, dag_id)
        return str(run["dag_run_id"])

    def _create_run(self, start: datetime, conf: dict[str, Any], dag_id: str) -> str:
        """Create the run of a day; its id keeps one whose answer was late from a second run."""
        body = {
            "dag_run_id": f"local__{start.date().isoformat()}",
            "logical_date": start.isoformat(),
            "data_interval_start": start.isoformat(),
            "data_interval_end": (start + timedelta(days=1)).isoformat(),
            "conf": conf,
        }
        try:
            run = self.call("POST", f"/api/v2/dags/{dag_id}/dagRuns", body, repeatable=True)
        except ApiError as error:
            run = self._run_of(start, dag_id) if error.status == CONFLICT else None
            if run is None:
                raise
        return str(run["dag_run_id"])

    def _clear(self, run: dict[str, Any], start: datetime, dag_id: str) -> None:
        """Run an ended run again; asked once only, as a second time would end tasks that began."""
        path = f"/api/v2/dags/{dag_id}/dagRuns/{quote(run['dag_run_id'], safe='')}/clear"
        try:
            self.call("POST", path, {"dry_run": False, "only_failed": False})
        except SlowAnswer:
            end = time.monotonic() + PATIENCE_SECONDS
            while self._run_of(start, dag_id) == run:
                if time.monotonic() > end:
                    raise
                time.sleep(RETRY_SECONDS)

    def run_state(self, run_id: str, dag_id: str = DAILY) -> str:
        """State of a run: queued, running, success, failed."""
        path = f"/api/v2/dags/{dag_id}/dagRuns/{quote(run_id, safe='')}"
        return str(self.call("GET", path)["state"])

    def task_states(self, run_id: str, dag_id: str = DAILY) -> list[TaskState]:
        """The tasks of a run in no particular order."""
        path = f"/api/v2/dags/{dag_id}/dagRuns/{quote(run_id, safe='')}/taskInstances?limit=100"
        return [
            TaskState(item["task_id"], item["state"], item["duration"])
            for item in self.call("GET", path)["task_instances"]
        ]

    def task_log(self, run_id: str, task_id: str, dag_id: str = DAILY) -> str:
        """Return the log of the last try of a task, one line per event."""
        run = quote(run_id, safe="")
        tries = self.call("GET", f"/api/v2/dags/{dag_id}/dagRuns/{run}/taskInstances/{task_id}")[
            "try_number"
        ]
        path = f"/api/v2/dags/{dag_id}/dagRuns/{run}/taskInstances/{task_id}/logs/{tries}"
        content = self.call("GET", f"{path}?full_content=true")["content"]
        return "\n".join(
            str(line.get("event", line)) if isinstance(line, dict) else str(line)
            for line in content
        )

    def call(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        *,
        repeatable: bool = False,
    ) -> Any:
        """Make a call with our token; a read that meets an error of the server is repeated.

        A read, and a change that is ``repeatable`` (made twice it has the effect of once), is also
        repeated for ``PATIENCE_SECONDS`` when its answer does not come in time.

        Raises ApiError when Airflow refuses it and ServiceUnavailable when nobody answers.
        """
        signed_in = self._signed_in()
        if method == "GET":
            return self._patiently(_is_slow_or_server_error, method, path, body, signed_in)
        if repeatable:
            return self._patiently(_is_slow, method, path, body, signed_in)
        return self._send(method, path, body, signed_in)

    def _patiently(
        self,
        may_pass: Callable[[BaseException], bool],
        method: str,
        path: str,
        body: dict[str, Any] | None,
        headers: dict[str, str],
    ) -> Any:
        """Make a call again while its error is one that ``may_pass``."""
        tries = Retrying(
            retry=retry_if_exception(may_pass),
            stop=_is_enough,
            wait=wait_fixed(RETRY_SECONDS),
            reraise=True,
        )
        return tries(self._send, method, path, body, headers)

    def status_of(self, path: str) -> int:
        """Return the HTTP status of a page; ServiceUnavailable when nobody answers."""
        return self._exchange("GET", path, None, self._signed_in())[0]

    def _signed_in(self) -> dict[str, str]:
        if not self._token:
            answer = self._patiently(_is_slow, "POST", "/auth/token", self._login, {})
            self._token = str(answer["access_token"])
        return {"Authorization": f"Bearer {self._token}"}

    def _run_of(self, start: datetime, dag_id: str) -> dict[str, Any] | None:
        moment = quote(start.isoformat())
        query = f"logical_date_gte={moment}&logical_date_lte={moment}"
        runs = self.call("GET", f"/api/v2/dags/{dag_id}/dagRuns?{query}")["dag_runs"]
        return dict(runs[0]) if runs else None

    def _send(
        self, method: str, path: str, body: dict[str, Any] | None, headers: dict[str, str]
    ) -> Any:
        status, text = self._exchange(method, path, body, headers)
        if status >= BAD_REQUEST:
            raise ApiError(f"{method} {path}", status, text)
        return json.loads(text) if text else {}

    def _exchange(
        self, method: str, path: str, body: dict[str, Any] | None, headers: dict[str, str]
    ) -> tuple[int, str]:
        connection = http.client.HTTPConnection(
            str(self._address.hostname), self._address.port, timeout=TIMEOUT_SECONDS
        )
        payload = None if body is None else json.dumps(body)
        try:
            connection.request(
                method, path, payload, {"Content-Type": "application/json", **headers}
            )
            response = connection.getresponse()
            text = response.read().decode("utf-8", errors="replace")
        except TimeoutError as error:
            raise SlowAnswer(
                f"Airflow does not answer in time at {self._address.geturl()}",
                found=f"no answer to {method} {path} within {TIMEOUT_SECONDS:g} s",
                remedy=self._remedy,
            ) from error
        except (OSError, http.client.HTTPException) as error:
            raise ServiceUnavailable(
                f"Airflow does not answer at {self._address.geturl()}",
                found=str(error),
                remedy=self._remedy,
            ) from error
        finally:
            connection.close()
        return response.status, text


def _is_slow(error: BaseException) -> bool:
    return isinstance(error, SlowAnswer)


def _is_slow_or_server_error(error: BaseException) -> bool:
    """Return true also if a call failed inside Airflow, as when its database is busy too long."""
    return _is_slow(error) or (isinstance(error, ApiError) and error.status >= SERVER_ERROR)


def _is_enough(state: RetryCallState) -> bool:
    """Return true if a call is not made again: slow answers by time, other errors by number."""
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, SlowAnswer):
        return (state.seconds_since_start or 0.0) >= PATIENCE_SECONDS
    return state.attempt_number >= READ_TRIES


def wait_for_dag(api: AirflowApi, seconds: float) -> None:
    """Wait until the daily DAG can be triggered; ServiceUnavailable says why it cannot."""
    end = time.monotonic() + seconds
    while not api.has_dag():
        problems = api.import_errors()
        if problems or time.monotonic() > end:
            raise ServiceUnavailable(
                f"Airflow does not know the DAG {DAILY}", found="; ".join(problems) or "no DAG"
            )
        time.sleep(0.5)
