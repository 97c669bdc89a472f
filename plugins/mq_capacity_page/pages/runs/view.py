"""The last runs of our DAGs, and the steps of the latest day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from urllib.parse import quote

from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.store.models import StepRun
from mqcap.store.step_runs import read_step_runs


class DagRunRow(ViewModel):
    """Run of one of our DAGs."""

    dag_id: str
    run_id: str
    kind: str
    """``scheduled``, ``manual``, ``backfill`` and so on."""
    state: str
    started: datetime | None
    seconds: float | None
    """Duration; ``None`` while it runs."""
    day: date | None
    """The site day that the run is about; ``None`` when it names none."""

    @property
    def address(self) -> str:
        """Airflow's own page of the run, relative to this page."""
        return f"../dags/{quote(self.dag_id, safe='')}/runs/{quote(self.run_id, safe='')}"


class RunsView(ViewModel):
    """Runs in Airflow, and steps in the store."""

    runs: Sequence[DagRunRow]
    """The newest first."""
    steps: Sequence[StepRun]


def runs_view(context: PageContext, day: date | None, runs: Sequence[DagRunRow]) -> RunsView:
    """Return the runs with the steps of a day; no steps before the first evaluated day."""
    return RunsView(runs=runs, steps=read_step_runs(context.engine, day) if day else [])
