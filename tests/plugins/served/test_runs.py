"""From a DAG run to the day's page and back."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.plugins.served.web import TestClient, rows_of, text_of  # isort: skip - chooses Airflow's home

from airflow.models.dagrun import DagRun
from airflow.utils.session import create_session
from sqlalchemy import select

import mq_capacity_plugin
from mq_capacity_page.pages.runs import dag_runs
from mqcap.store.models import StepRun
from mqcap.store.step_runs import save_step_run
from tests.plugins import builder

START = datetime(2026, 1, 31, tzinfo=UTC)


def dag_run(**changed: Any) -> SimpleNamespace:
    known: dict[str, Any] = {
        "dag_id": "mqcap_daily",
        "run_id": "scheduled__2026-01-31",
        "run_type": "scheduled",
        "state": "success",
        "start_date": START,
        "end_date": START.replace(minute=2),
        "conf": {},
        "data_interval_start": START,
    }
    return SimpleNamespace(**known | changed)


@pytest.mark.parametrize(
    ("changed", "day"),
    [
        ({}, date(2026, 1, 31)),
        ({"conf": {"day": "2026-01-20"}}, date(2026, 1, 20)),
        ({"conf": {"day": None}}, date(2026, 1, 31)),
        ({"conf": {"day": "soon"}}, None),
        ({"data_interval_start": None, "conf": None}, None),
    ],
    ids=["interval", "parameter", "blank", "no-date", "nothing"],
)
def test_the_day_of_a_run_is_its_parameter_else_its_interval(
    changed: dict[str, Any], day: date | None
) -> None:
    assert dag_runs.dag_run_row(dag_run(**changed)).day == day  # type: ignore[arg-type]


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        dag_runs.dag_run_row(dag_run()),  # type: ignore[arg-type]
        dag_runs.dag_run_row(dag_run(run_id="manual/1", state="failed", end_date=None)),  # type: ignore[arg-type]
    ]
    monkeypatch.setattr(dag_runs, "last_runs", lambda: found)
    days = {(found[0].dag_id, found[0].run_id): found[0].day}
    monkeypatch.setattr(dag_runs, "day_of_run", lambda *asked: days.get(asked))


def test_the_last_runs_lead_into_airflow_and_to_their_day(
    known: None, site_folder: Path, filled: TestClient
) -> None:
    engine = builder.empty_store(site_folder)
    step = StepRun(step="size", ended_at_utc=START, site_date=builder.DAY, versions={},
                         counts={"findings": 4})  # fmt: skip
    save_step_run(engine, step)
    engine.dispose()
    answer = filled.get("/runs")
    first, second, steps = rows_of(answer)
    assert "✓ success 2026-01-31" in first
    assert "120 s" in first
    assert "▲ failed" in second
    assert "findings 4" in steps
    assert 'href="../dags/mqcap_daily/runs/manual%2F1"' in answer.text
    assert 'href="./?day=2026-01-31"' in answer.text


def test_a_site_without_runs_says_what_to_do(
    filled: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dag_runs, "last_runs", list)
    assert "Trigger the daily DAG" in text_of(filled.get("/runs"))


def test_a_run_leads_to_the_overview_of_its_day(known: None, filled: TestClient) -> None:
    answer = filled.get(
        "/run?dag_id=mqcap_daily&run_id=scheduled__2026-01-31", follow_redirects=False
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "./?day=2026-01-31")
    assert filled.get("/run?dag_id=mqcap_daily&run_id=none").status_code == 404


def test_each_task_of_ours_and_of_nobody_else_links_to_the_page() -> None:
    [link] = mq_capacity_plugin.MqCapacityPlugin.global_operator_extra_links
    ours: Any = SimpleNamespace(dag_id="mqcap_daily", run_id="manual__1+1")
    other: Any = SimpleNamespace(dag_id="billing", run_id="manual__1")
    operator: Any = None
    address = link.get_link(operator, ti_key=ours)
    assert address.endswith("/capacity/run?dag_id=mqcap_daily&run_id=manual__1%2B1")
    assert link.get_link(operator, ti_key=other) == ""


@pytest.mark.airflow
def test_airflow_s_own_database_is_asked_without_error(airflow_home: Path) -> None:
    with create_session() as session:  # other tests may have run our DAGs before
        known = session.execute(select(DagRun.dag_id, DagRun.run_id)).all()
    ours = {run_id for dag_id, run_id in known if dag_id.startswith("mqcap_")}
    assert {run.run_id for run in dag_runs.last_runs()} == ours
    assert dag_runs.day_of_run("mqcap_daily", "none") is None
