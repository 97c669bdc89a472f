"""Runs of our DAGs, read from Airflow's own database.

Besides ``web.dependencies`` the only module of the page that imports Airflow: the page runs inside
Airflow's API server, which may read that database.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, Final
from urllib.parse import quote

from airflow.models.dagrun import DagRun
from airflow.utils.session import create_session
from sqlalchemy import select
from sqlalchemy.exc import DatabaseError

from mq_capacity_page.web.context import View

DAG_PREFIX: Final = "mqcap_"
MAX_RUNS: Final = 12


def last_runs() -> list[View]:
    """Return the last runs of our DAGs, the newest first."""
    statement = (
        select(DagRun)
        .where(DagRun.dag_id.startswith(DAG_PREFIX, autoescape=True))
        .order_by(DagRun.id.desc())
        .limit(MAX_RUNS)
    )
    with create_session() as session:
        return [dag_run_row(run) for run in session.scalars(statement)]


def runs_or_problem() -> tuple[list[View], str]:
    """Return the last runs, and why they cannot be read; empty where they can.

    An installation may have the pages without Airflow's tables: they go on without the runs.
    """
    try:
        return last_runs(), ""
    except DatabaseError as error:
        return [], f"Airflow's database does not tell its runs: {error.orig}"


def day_of_run(dag_id: str, run_id: str) -> date | None:
    """Return the day that a run was about; ``None`` for an unknown run."""
    statement = select(DagRun).where(DagRun.dag_id == dag_id, DagRun.run_id == run_id)
    with create_session() as session:
        run = session.scalars(statement).first()
        return None if run is None else dag_run_row(run).day


def dag_run_row(run: DagRun) -> View:
    """Return what the page shows of a run; ``seconds`` is ``None`` while it runs.

    ``address`` is Airflow's own page of the run, relative to ours.
    """
    ended = run.end_date
    return View(
        dag_id=run.dag_id,
        run_id=run.run_id,
        kind=str(getattr(run.run_type, "value", run.run_type)),
        state=str(getattr(run.state, "value", run.state)),
        started=run.start_date,
        seconds=(ended - run.start_date).total_seconds() if ended and run.start_date else None,
        day=_day(run.conf, run.data_interval_start),
        address=f"../dags/{quote(run.dag_id, safe='')}/runs/{quote(run.run_id, safe='')}",
    )


def _day(conf: Mapping[str, Any] | None, start: datetime | None) -> date | None:
    """Site day of a run, as in the DAGs: the parameter, else the start of the data interval."""
    stated = (conf or {}).get("day")
    if stated:
        try:
            return date.fromisoformat(str(stated))
        except ValueError:
            return None
    return start.astimezone(UTC).date() if start else None
