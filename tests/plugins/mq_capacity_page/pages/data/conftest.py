"""Runs of DAGs for the tests of their page."""

from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI

from tests.plugins.mq_capacity_page.pages.data.run_builders import dag_run


@pytest.fixture
def dag_runs(application: FastAPI) -> Any:
    """The module that reads Airflow's database."""
    from mq_capacity_page.pages.data import dag_runs as module  # noqa: PLC0415 - loads Airflow

    return module


@pytest.fixture
def known_runs(dag_runs: Any, monkeypatch: pytest.MonkeyPatch) -> list[SimpleNamespace]:
    """A run of 31 January that succeeded and one that failed, known to Airflow."""
    runs = [dag_run(), dag_run(run_id="manual/1", state="failed", end_date=None)]
    result = [dag_runs.dag_run_row(run) for run in runs]
    monkeypatch.setattr(dag_runs, "last_runs", lambda: result)
    days = {(row.dag_id, row.run_id): row.day for row in result[:1]}
    monkeypatch.setattr(dag_runs, "day_of_run", lambda *asked: days.get(asked))
    return runs
