"""What a day rests on: its feeds, the checks that wait, the files and the steps."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final
from urllib.parse import quote

from mq_capacity_page.pages.data.feeds import FeedsView, feeds_view
from mq_capacity_page.pages.data.files import FilesView
from mq_capacity_page.pages.discovery import NavigationEntry
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.finding import Finding, Severity
from mqcap.presentation.feed_text import WaitingChecks, waiting_checks
from mqcap.queries.board import SeriesCoverage, series_coverage
from mqcap.store.findings import read_findings
from mqcap.store.models import StepRun
from mqcap.store.step_runs import read_step_runs
from sizing.rulebook.missing_inputs import is_waiting

NAVIGATION: Final = NavigationEntry("data", "Data", "data", order=50)

MOST_OTHERS: Final = 6
"""Checks that are listed each by itself (ours)."""


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


class DataView(ViewModel):
    """What a day rests on."""

    feeds: FeedsView
    waiting: Sequence[WaitingChecks]
    """Settings that let checks be made, the most worthwhile first."""
    others: Sequence[Finding]
    """Checks that no setting would let be made, the first ones."""
    unknown: int
    """Checks that were not made."""
    coverage: SeriesCoverage
    files: FilesView
    runs: Sequence[DagRunRow]
    """Runs in Airflow, the newest first."""
    runs_problem: str
    """Why they cannot be read; empty where they can."""
    steps: Sequence[StepRun]


def data_view(
    context: PageContext,
    day: date,
    files: FilesView,
    runs: Sequence[DagRunRow],
    runs_problem: str = "",
) -> DataView:
    """Return what a day rests on."""
    unknown = [
        each for each in read_findings(context.engine, day) if each.severity is Severity.unknown
    ]
    return DataView(
        feeds=feeds_view(context, day),
        waiting=waiting_checks(unknown),
        others=[each for each in unknown if not is_waiting(each)][:MOST_OTHERS],
        unknown=len(unknown),
        coverage=series_coverage(context.engine, day),
        files=files,
        runs=runs,
        runs_problem=runs_problem,
        steps=read_step_runs(context.engine, day),
    )
