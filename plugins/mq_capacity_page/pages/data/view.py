"""What a day rests on: its feeds, the checks that wait, the files and the steps."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from mq_capacity_page.pages.data.feeds import FeedsView, feeds_view
from mq_capacity_page.pages.data.files import FilesView, files_view
from mq_capacity_page.pages.data.runs import DagRunRow
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.finding import Finding, Severity
from mqcap.presentation.plan_summary import PlanSummary
from mqcap.presentation.summary_rows import missing_summaries
from mqcap.queries.board import SeriesCoverage, series_coverage
from mqcap.store.findings import read_findings
from mqcap.store.models import StepRun
from mqcap.store.step_runs import read_step_runs
from sizing.rulebook.missing_inputs import is_waiting

MOST_OTHERS: Final = 6
"""Checks that are listed each by itself (ours)."""


class DataView(ViewModel):
    """What a day rests on."""

    feeds: FeedsView
    waiting: Sequence[PlanSummary]
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


class FilesQuery(ViewModel):
    """Which files a reader asks for."""

    problems: bool = False
    start: int = 0
    about: date | None = None


def data_view(
    context: PageContext,
    day: date,
    files: FilesQuery,
    runs: Sequence[DagRunRow],
    runs_problem: str = "",
) -> DataView:
    """Return what a day rests on."""
    unknown = [
        each for each in read_findings(context.engine, day) if each.severity is Severity.unknown
    ]
    return DataView(
        feeds=feeds_view(context, day),
        waiting=missing_summaries(unknown),
        others=[each for each in unknown if not is_waiting(each)][:MOST_OTHERS],
        unknown=len(unknown),
        coverage=series_coverage(context.engine, day),
        files=files_view(context, day, files.problems, max(0, files.start), files.about),
        runs=runs,
        runs_problem=runs_problem,
        steps=read_step_runs(context.engine, day),
    )
