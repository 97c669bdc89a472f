"""The REST client against answers as Airflow gives them, also late ones."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

import httpx
import pytest

from devtools.local import airflow_api
from devtools.local.airflow_api import AirflowApi, ApiError, SlowAnswer, TaskState
from mqcap.domain.errors import ServiceUnavailable

URL: Final = "http://localhost:8080"
DAY: Final = date(2026, 11, 20)
RUN_ID: Final = "local__2026-11-20"
RUNS: Final = "/api/v2/dags/mqcap_daily/dagRuns"
RUN: Final = f"{RUNS}/{RUN_ID}"


@dataclass
class FakeAirflow:
    """Answers by method and path; the last answer of a list stays."""

    answers: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)
    calls: list[tuple[str, Any, str | None]] = field(default_factory=list)
    """Call, body and token."""
    slow: dict[str, int] = field(default_factory=dict)
    """Of a call: how many of its next answers come too late, though it takes effect."""

    def on(self, call: str, *bodies: Any, status: int = 200) -> None:
        self.answers[call] = [(status, body) for body in bodies]

    def request(
        self, method: str, url: str, *, json: Any, headers: dict[str, str], **_: Any
    ) -> httpx.Response:
        call = f"{method} {url.removeprefix(URL).partition('?')[0]}"
        self.calls.append((call, json, headers.get("Authorization")))
        if call == "POST /auth/token":
            right = json["password"] == "right"
            known = [(201, {"access_token": "t"}) if right else (401, {})]
        else:
            known = self.answers.get(call, [(404, {"detail": "not found"})])
        status, answer = known.pop(0) if len(known) > 1 else known[0]
        if self.slow.get(call):
            self.slow[call] -= 1
            raise httpx.ReadTimeout("late")
        return httpx.Response(status, json=answer)

    def bodies(self, call: str) -> list[Any]:
        return [body for made, body, _ in self.calls if made == call]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeAirflow:
    state = FakeAirflow()
    monkeypatch.setattr(httpx, "request", state.request)
    monkeypatch.setattr(airflow_api, "RETRY_SECONDS", 0.0)
    return state


@pytest.fixture
def api(fake: FakeAirflow) -> AirflowApi:
    return AirflowApi(URL, "admin", "right", remedy="Read api-server.log.")


def test_it_logs_in_once_and_shows_its_token(fake: FakeAirflow, api: AirflowApi) -> None:
    fake.on("GET /api/v2/dags/mqcap_daily", {})
    api.wait_for_dag(1)
    api.wait_for_dag(1)
    assert [token for _, _, token in fake.calls] == [None, "Bearer t", "Bearer t"]
    with pytest.raises(ApiError, match="status 401"):
        AirflowApi(URL, "admin", "wrong").wait_for_dag(1)


def test_nobody_there_is_told_with_what_to_do() -> None:
    nobody = AirflowApi("http://127.0.0.1:9", "admin", "right", remedy="Read api-server.log.")
    assert nobody.healthy_components() == set()
    with pytest.raises(ServiceUnavailable, match=r"does not answer at .*Read api-server\.log\."):
        nobody.wait_for_dag(1)


def test_a_read_that_meets_a_busy_database_is_made_again(
    fake: FakeAirflow, api: AirflowApi
) -> None:
    fake.answers[f"GET {RUN}"] = [(500, {}), (503, {}), (200, {"state": "running"})]
    assert api.run_state(RUN_ID) == "running"


def test_a_lasting_server_error_is_reported_and_a_change_is_never_repeated(
    fake: FakeAirflow, api: AirflowApi
) -> None:
    fake.on(f"GET {RUN}", {}, status=500)
    fake.on("POST /api/v2/backfills", {}, status=500)
    with pytest.raises(ApiError, match="status 500"):
        api.run_state(RUN_ID)
    with pytest.raises(ApiError, match="status 500"):
        api.call("POST", "/api/v2/backfills", {})
    assert len(fake.bodies("POST /api/v2/backfills")) == 1


def test_a_read_and_a_login_whose_answers_are_late_are_asked_again(
    fake: FakeAirflow, api: AirflowApi
) -> None:
    fake.on(f"GET {RUN}", {"state": "running"})
    fake.slow = {f"GET {RUN}": 2, "POST /auth/token": 1}
    assert api.run_state(RUN_ID) == "running"


def test_answers_that_stay_late_end_with_what_to_do(
    fake: FakeAirflow, api: AirflowApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(airflow_api, "PATIENCE_SECONDS", 0.02)
    fake.slow = {f"GET {RUN}": 1_000_000}
    with pytest.raises(SlowAnswer, match=r"within 30 s\. Read api-server\.log\."):
        api.run_state(RUN_ID)
    assert len(fake.bodies(f"GET {RUN}")) >= 2


def test_a_run_whose_creation_was_answered_late_is_taken_and_not_made_twice(
    fake: FakeAirflow, api: AirflowApi
) -> None:
    made = {"dag_run_id": RUN_ID, "state": "success"}
    fake.on(f"GET {RUNS}", {"dag_runs": []}, {"dag_runs": [made]})
    fake.answers[f"POST {RUNS}"] = [(200, made), (409, {"detail": "exists"})]
    fake.slow = {f"POST {RUNS}": 1}
    assert api.start_day(DAY, {}) == RUN_ID
    assert [body["dag_run_id"] for body in fake.bodies(f"POST {RUNS}")] == [RUN_ID] * 2
    assert fake.bodies(f"POST {RUN}/clear") == []


def test_a_day_that_is_run_again_is_asked_for_once_though_the_answer_is_late(
    fake: FakeAirflow, api: AirflowApi
) -> None:
    ended = {"dag_run_id": RUN_ID, "state": "success"}
    begun = {**ended, "state": "queued"}
    fake.on(f"GET {RUNS}", *({"dag_runs": [run]} for run in (ended, ended, begun)))
    fake.on(f"POST {RUN}/clear", {})
    fake.slow = {f"POST {RUN}/clear": 1}
    assert api.start_day(DAY, {}) == RUN_ID
    assert len(fake.bodies(f"POST {RUN}/clear")) == 1


def test_a_backfill_whose_answer_is_late_is_not_asked_for_again(
    fake: FakeAirflow, api: AirflowApi
) -> None:
    fake.on("POST /api/v2/backfills", {"id": 7})
    fake.slow = {"POST /api/v2/backfills": 1}
    with pytest.raises(SlowAnswer, match="in time"):
        api.call("POST", "/api/v2/backfills", {})
    assert len(fake.bodies("POST /api/v2/backfills")) == 1


@pytest.mark.parametrize(("run_state", "clears"), [("success", 1), ("failed", 1), ("running", 0)])
def test_a_day_that_has_run_is_run_again(
    fake: FakeAirflow, api: AirflowApi, run_state: str, clears: int
) -> None:
    fake.on(f"GET {RUNS}", {"dag_runs": [{"dag_run_id": RUN_ID, "state": run_state}]})
    fake.on(f"POST {RUN}/clear", {})
    assert api.start_day(DAY, {}) == RUN_ID
    assert fake.bodies(f"POST {RUN}/clear") == [{"dry_run": False, "only_failed": False}] * clears


def test_waiting_for_a_dag_reports_why_it_cannot_be_parsed(
    fake: FakeAirflow, api: AirflowApi
) -> None:
    broken = {"filename": "daily_capacity.py", "stack_trace": "no module x"}
    fake.on("GET /api/v2/importErrors", {"import_errors": [broken]})
    with pytest.raises(ServiceUnavailable, match="no module x"):
        api.wait_for_dag(5)


def test_the_state_of_tasks_and_the_log_of_the_last_try_are_read(
    fake: FakeAirflow, api: AirflowApi
) -> None:
    row = {"task_id": "land", "state": None, "duration": None}
    fake.on(f"GET {RUN}/taskInstances", {"task_instances": [row]})
    fake.on(f"GET {RUN}/taskInstances/land", {"try_number": 2})
    fake.on(f"GET {RUN}/taskInstances/land/logs/2", {"content": [{"event": "disk"}, "is full"]})
    assert api.task_states(RUN_ID) == [TaskState("land", None, None)]
    assert api.task_log(RUN_ID, "land") == "disk\nis full"
