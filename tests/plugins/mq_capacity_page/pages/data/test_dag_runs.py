"""Runs of the DAGs and of the command line."""

from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from mq_capacity_page.pages.data.view import DagRunRow


@pytest.fixture
def dag_runs(application: FastAPI) -> Any:
    """The module that reads Airflow's database."""
    from mq_capacity_page.pages.data import dag_runs as module  # noqa: PLC0415 - loads Airflow

    return module


START: Final = datetime(2026, 1, 31, tzinfo=UTC)


def dag_run(**changed: Any) -> SimpleNamespace:
    """The daily run of 31 January, which took two minutes."""
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
        (
            {"data_interval_start": datetime.fromisoformat("2026-01-31T00:30+02:00")},
            date(2026, 1, 30),
        ),
    ],
    ids=["interval", "parameter", "blank", "no-date", "nothing", "other-zone"],
)
def test_the_day_of_a_run_is_its_parameter_else_the_utc_day_of_its_interval(
    dag_runs: Any, changed: dict[str, Any], day: date | None
) -> None:
    assert dag_runs.dag_run_row(dag_run(**changed)).day == day


@pytest.mark.parametrize(
    ("changed", "seconds"),
    [
        ({}, 120.0),
        ({"end_date": START}, 0.0),
        ({"end_date": None}, None),
        ({"start_date": None}, None),
    ],
    ids=["ended", "at-once", "running", "never-started"],
)
def test_a_run_has_a_duration_once_it_has_ended(
    dag_runs: Any, changed: dict[str, Any], seconds: float | None
) -> None:
    assert dag_runs.dag_run_row(dag_run(**changed)).seconds == seconds


def test_states_and_kinds_are_words_whether_airflow_has_them_as_text_or_as_members(
    dag_runs: Any,
) -> None:
    class State(StrEnum):
        failed = "failed"

    row = dag_runs.dag_run_row(dag_run(state=State.failed, run_type="manual"))
    assert (row.state, row.kind) == ("failed", "manual")


def test_airflow_s_own_database_is_asked_without_error(dag_runs: Any, airflow_home: Path) -> None:
    from airflow.models.dagrun import DagRun  # noqa: PLC0415 - loads Airflow
    from airflow.utils.session import create_session  # noqa: PLC0415 - loads Airflow

    with create_session() as session:  # other tests may have run our DAGs before
        known = session.execute(select(DagRun.dag_id, DagRun.run_id)).all()
    ours = {run_id for dag_id, run_id in known if dag_id.startswith("mqcap_")}
    assert {run.run_id for run in dag_runs.last_runs()} == ours
    assert dag_runs.day_of_run("mqcap_daily", "none") is None


def test_a_database_without_airflow_s_tables_is_a_plain_word_and_no_run(
    dag_runs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> None:
        raise OperationalError("SELECT", {}, Exception("no such table: dag_run"))

    monkeypatch.setattr(dag_runs, "last_runs", refused)
    problem = "Airflow's database does not tell its runs: no such table: dag_run"
    assert dag_runs.runs_or_problem() == ([], problem)


def row(**changed: Any) -> DagRunRow:
    values: dict[str, Any] = {
        "dag_id": "mqcap_daily",
        "run_id": "manual/1 2",
        "kind": "manual",
        "state": "success",
        "started": None,
        "seconds": None,
        "day": None,
    }
    return DagRunRow(**values | changed)


def test_the_address_of_a_run_is_quoted() -> None:
    assert row().address == "../dags/mqcap_daily/runs/manual%2F1%202"
