"""Runs of our DAGs, as printed."""

from __future__ import annotations

from datetime import date, datetime
from urllib.parse import quote

from mq_capacity_page.web.page_frame import ViewModel


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
