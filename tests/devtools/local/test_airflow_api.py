"""The REST client against a server that answers as Airflow does."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from devtools.local import airflow_api
from devtools.local.airflow_api import AirflowApi, ApiError, TaskState, wait_for_dag
from mqcap.domain.errors import ServiceUnavailable

RUN = "/api/v2/dags/mqcap_daily/dagRuns/local__2026-11-20"


@dataclass
class FakeAirflow:
    """Answers by method and path; the last answer of a list stays."""

    answers: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)
    calls: list[tuple[str, Any]] = field(default_factory=list)
    tokens: set[str | None] = field(default_factory=set)
    slow: dict[str, int] = field(default_factory=dict)
    """Of a call: how many of its next answers come too late, though it takes effect."""
    may_answer: threading.Event = field(default_factory=threading.Event)

    def on(self, call: str, *bodies: Any, status: int = 200) -> None:
        self.answers[call] = [(status, body) for body in bodies]

    def answer(self, call: str, body: Any, token: str | None) -> tuple[int, Any]:
        self.calls.append((call, body))
        if call == "POST /auth/token":
            return (201, {"access_token": "t"}) if body["password"] == "right" else (401, {})
        self.tokens.add(token)
        known = self.answers.get(call)
        if known is None:
            return 404, {"detail": "not found"}
        return known.pop(0) if len(known) > 1 else known[0]

    def is_late(self, call: str) -> bool:
        left = self.slow.get(call, 0)
        self.slow[call] = left - 1
        return left > 0

    def bodies(self, call: str) -> list[Any]:
        return [body for made, body in self.calls if made == call]


@pytest.fixture
def fake() -> Iterator[tuple[FakeAirflow, str]]:
    state = FakeAirflow()

    class Handler(BaseHTTPRequestHandler):
        def respond(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            path = self.path.partition("?")[0]
            status, answer = state.answer(
                f"{self.command} {path}", body, self.headers.get("Authorization")
            )
            if state.is_late(f"{self.command} {path}"):
                state.may_answer.wait(10)
                return
            payload = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        do_GET = do_POST = do_PATCH = respond  # noqa: N815 - names of the library

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield state, f"http://127.0.0.1:{server.server_port}"
    state.may_answer.set()
    server.shutdown()
    thread.join()
    server.server_close()


def client(url: str, *, knows: bool = True) -> AirflowApi:
    return AirflowApi(url, "admin", "right" if knows else "wrong")


def test_it_logs_in_once_and_shows_its_token(fake: tuple[FakeAirflow, str]) -> None:
    state, url = fake
    state.on("GET /api/v2/dags/mqcap_daily", {})
    api = client(url)
    assert api.has_dag()
    assert api.has_dag()
    assert len(state.bodies("POST /auth/token")) == 1
    assert state.tokens == {"Bearer t"}


def test_a_read_that_meets_a_busy_database_is_made_again(
    fake: tuple[FakeAirflow, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(airflow_api, "RETRY_SECONDS", 0.0)
    state, url = fake
    state.answers[f"GET {RUN}"] = [(500, {}), (503, {}), (200, {"state": "running"})]
    assert client(url).run_state("local__2026-11-20") == "running"


def test_a_lasting_server_error_is_reported_and_a_change_is_never_repeated(
    fake: tuple[FakeAirflow, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(airflow_api, "RETRY_SECONDS", 0.0)
    state, url = fake
    state.on(f"GET {RUN}", {}, status=500)
    state.on("POST /api/v2/backfills", {}, status=500)
    with pytest.raises(ApiError, match="status 500"):
        client(url).run_state("local__2026-11-20")
    with pytest.raises(ApiError, match="status 500"):
        client(url).call("POST", "/api/v2/backfills", {})
    assert len(state.bodies("POST /api/v2/backfills")) == 1


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let an answer be late after a moment."""
    monkeypatch.setattr(airflow_api, "TIMEOUT_SECONDS", 0.5)
    monkeypatch.setattr(airflow_api, "RETRY_SECONDS", 0.0)
    return monkeypatch


@pytest.mark.thorough
@pytest.mark.usefixtures("impatient")
def test_a_read_and_a_login_whose_answers_are_late_are_asked_again(
    fake: tuple[FakeAirflow, str],
) -> None:
    state, url = fake
    state.on(f"GET {RUN}", {"state": "running"})
    state.slow = {f"GET {RUN}": 2, "POST /auth/token": 1}
    assert client(url).run_state("local__2026-11-20") == "running"


@pytest.mark.thorough
def test_answers_that_stay_late_end_with_what_to_do(
    fake: tuple[FakeAirflow, str], impatient: pytest.MonkeyPatch
) -> None:
    impatient.setattr(airflow_api, "PATIENCE_SECONDS", 1.2)
    state, url = fake
    state.slow = {f"GET {RUN}": 100}
    api = AirflowApi(url, "admin", "right", remedy="Read api-server.log.")
    with pytest.raises(ServiceUnavailable, match=r"within 0\.5 s\. Read api-server\.log\."):
        api.run_state("local__2026-11-20")
    assert len(state.bodies(f"GET {RUN}")) >= 2


@pytest.mark.thorough
@pytest.mark.usefixtures("impatient")
def test_a_run_whose_creation_was_answered_late_is_taken_and_not_made_twice(
    fake: tuple[FakeAirflow, str],
) -> None:
    state, url = fake
    runs = "/api/v2/dags/mqcap_daily/dagRuns"
    made = {"dag_run_id": "local__2026-11-20", "state": "success"}
    state.on(f"GET {runs}", {"dag_runs": []}, {"dag_runs": [made]})
    state.answers[f"POST {runs}"] = [(200, made), (409, {"detail": "exists"})]
    state.slow = {f"POST {runs}": 1}
    assert client(url).start_day(date(2026, 11, 20), {}) == "local__2026-11-20"
    assert {body["dag_run_id"] for body in state.bodies(f"POST {runs}")} == {"local__2026-11-20"}
    assert state.bodies(f"POST {RUN}/clear") == []


@pytest.mark.thorough
@pytest.mark.usefixtures("impatient")
def test_a_day_that_is_run_again_is_asked_for_once_though_the_answer_is_late(
    fake: tuple[FakeAirflow, str],
) -> None:
    state, url = fake
    ended = {"dag_run_id": "local__2026-11-20", "state": "success"}
    begun = {**ended, "state": "queued"}
    answers = [{"dag_runs": [ended]}, {"dag_runs": [ended]}, {"dag_runs": [begun]}]
    state.on("GET /api/v2/dags/mqcap_daily/dagRuns", *answers)
    state.on(f"POST {RUN}/clear", {})
    state.slow = {f"POST {RUN}/clear": 1}
    assert client(url).start_day(date(2026, 11, 20), {}) == "local__2026-11-20"
    assert len(state.bodies(f"POST {RUN}/clear")) == 1


@pytest.mark.thorough
def test_a_backfill_whose_answer_is_late_is_not_asked_for_again(
    fake: tuple[FakeAirflow, str], impatient: pytest.MonkeyPatch
) -> None:
    impatient.setattr(airflow_api, "PATIENCE_SECONDS", 5.0)
    state, url = fake
    state.on("POST /api/v2/backfills", {"id": 7})
    state.slow = {"POST /api/v2/backfills": 1}
    with pytest.raises(ServiceUnavailable, match="in time"):
        client(url).call("POST", "/api/v2/backfills", {})
    assert len(state.bodies("POST /api/v2/backfills")) == 1


@pytest.mark.parametrize(("run_state", "clears"), [("success", 1), ("failed", 1), ("running", 0)])
def test_a_day_that_has_run_is_run_again(
    fake: tuple[FakeAirflow, str], run_state: str, clears: int
) -> None:
    state, url = fake
    known = {"dag_run_id": "local__2026-11-20", "state": run_state}
    state.on("GET /api/v2/dags/mqcap_daily/dagRuns", {"dag_runs": [known]})
    state.on(f"POST {RUN}/clear", {})
    assert client(url).start_day(date(2026, 11, 20), {}) == "local__2026-11-20"
    assert state.bodies(f"POST {RUN}/clear") == [{"dry_run": False, "only_failed": False}] * clears


def test_waiting_for_a_dag_reports_why_it_cannot_be_parsed(fake: tuple[FakeAirflow, str]) -> None:
    state, url = fake
    broken = {"filename": "daily_capacity.py", "stack_trace": "no module x"}
    state.on("GET /api/v2/importErrors", {"import_errors": [broken]})
    with pytest.raises(ServiceUnavailable, match="no module x"):
        wait_for_dag(client(url), 5)


def test_the_state_of_tasks_and_the_log_of_the_last_try_are_read(
    fake: tuple[FakeAirflow, str],
) -> None:
    state, url = fake
    row = {"task_id": "land", "state": None, "duration": None}
    state.on(f"GET {RUN}/taskInstances", {"task_instances": [row]})
    state.on(f"GET {RUN}/taskInstances/land", {"try_number": 2})
    state.on(f"GET {RUN}/taskInstances/land/logs/2", {"content": [{"event": "disk"}, "is full"]})
    assert client(url).task_states("local__2026-11-20") == [TaskState("land", None, None)]
    assert client(url).task_log("local__2026-11-20", "land") == "disk\nis full"
