"""From a DAG run to the page of its day and back."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mqcap.store.models import StepRun
from mqcap.store.step_runs import save_step_run
from tests.plugins import builder
from tests.plugins.mq_capacity_page.pages.runs.builders import START
from tests.plugins.web import TestClient, rows_of, text_of


def test_the_last_runs_lead_into_airflow_and_to_their_day(
    known_runs: list[SimpleNamespace], site_folder: Path, filled: TestClient
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
    filled: TestClient, dag_runs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dag_runs, "last_runs", list)
    assert "Trigger the daily DAG" in text_of(filled.get("/runs"))


def test_a_run_leads_to_the_overview_of_its_day(
    known_runs: list[SimpleNamespace], filled: TestClient
) -> None:
    answer = filled.get(
        "/run?dag_id=mqcap_daily&run_id=scheduled__2026-01-31", follow_redirects=False
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "./?day=2026-01-31")
    assert filled.get("/run?dag_id=mqcap_daily&run_id=none").status_code == 404
