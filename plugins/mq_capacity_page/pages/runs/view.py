"""The last runs of our DAGs, as Airflow knows them, and the day that each was about.

Besides ``auth`` the only module of the page that imports Airflow: the page runs inside Airflow's
API server, which may read its own database.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, Final
from urllib.parse import quote

from airflow.models.dagrun import DagRun
from airflow.utils.session import create_session
from sqlalchemy import select

from mq_capacity_page.pages.answers import View

OURS: Final = "mqcap_"
LAST_RUNS: Final = 30


class Run(View):
    """One run of one of our DAGs."""

    dag_id: str
    run_id: str
    kind: str
    """``scheduled``, ``manual``, ``backfill`` and so on."""
    state: str
    started: datetime | None
    seconds: float | None
    """Until it ended; ``None`` while it runs."""
    day: date | None

    @property
    def address(self) -> str:
        """Airflow's own page of the run, seen from a page of ours."""
        return f"../dags/{quote(self.dag_id, safe='')}/runs/{quote(self.run_id, safe='')}"


def last_runs() -> list[Run]:
    """The runs of our DAGs, the newest first."""
    question = (
        select(DagRun)
        .where(DagRun.dag_id.startswith(OURS, autoescape=True))
        .order_by(DagRun.id.desc())
        .limit(LAST_RUNS)
    )
    with create_session() as session:
        return [_run(one) for one in session.scalars(question)]


def day_of_run(dag_id: str, run_id: str) -> date | None:
    """The day that a run of ours was about; ``None`` for a run that is not known."""
    question = select(DagRun).where(DagRun.dag_id == dag_id, DagRun.run_id == run_id)
    with create_session() as session:
        found = session.scalars(question).first()
        return None if found is None else _run(found).day


def _run(one: DagRun) -> Run:
    ended = one.end_date
    return Run(
        dag_id=one.dag_id,
        run_id=one.run_id,
        kind=str(getattr(one.run_type, "value", one.run_type)),
        state=str(getattr(one.state, "value", one.state)),
        started=one.start_date,
        seconds=(ended - one.start_date).total_seconds() if ended and one.start_date else None,
        day=_day(one.conf, one.data_interval_start),
    )


def _day(conf: Mapping[str, Any] | None, start: datetime | None) -> date | None:
    """As the DAGs decide it: the parameter, else the start of the data interval."""
    stated = (conf or {}).get("day")
    if stated:
        try:
            return date.fromisoformat(str(stated))
        except ValueError:
            return None
    return start.astimezone(UTC).date() if start else None
