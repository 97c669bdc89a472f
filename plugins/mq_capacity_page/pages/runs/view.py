"""The last runs of our DAGs, and the steps of the latest day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final
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


FIRST_REMARKS: Final = 3
"""Items of a list that are shown at once; the rest is in a part that opens (ours)."""


class StepRemarks(ViewModel):
    """A list among the counts of a step, such as the rejected files with their reasons."""

    name: str
    first: tuple[str, ...]
    more: tuple[str, ...]
    """The items after the first ``FIRST_REMARKS``."""


class StepRow(ViewModel):
    """Step of the day shown, as printed."""

    step: str
    ended_at_utc: datetime
    counts: str
    """``files 3, rejected 1``; a list is counted."""
    remarks: tuple[StepRemarks, ...]
    """The lists that are not empty."""


class RunsView(ViewModel):
    """Runs in Airflow, and steps in the store."""

    runs: Sequence[DagRunRow]
    """The newest first."""
    steps: Sequence[StepRow]


def runs_view(context: PageContext, day: date | None, runs: Sequence[DagRunRow]) -> RunsView:
    """Return the runs with the steps of a day; no steps before the first evaluated day."""
    steps = read_step_runs(context.engine, day) if day else []
    return RunsView(runs=runs, steps=[step_row(step) for step in steps])


def step_row(step: StepRun) -> StepRow:
    """Return one step as printed."""
    return StepRow(
        step=step.step,
        ended_at_utc=step.ended_at_utc,
        counts=", ".join(
            f"{_words(name)} {len(value) if isinstance(value, list) else value}"
            for name, value in step.counts.items()
        ),
        remarks=tuple(
            _remarks(name, value)
            for name, value in step.counts.items()
            if isinstance(value, list) and value
        ),
    )


def _remarks(name: str, items: Sequence[object]) -> StepRemarks:
    texts = tuple(map(str, items))
    return StepRemarks(name=_words(name), first=texts[:FIRST_REMARKS], more=texts[FIRST_REMARKS:])


def _words(name: str) -> str:
    return name.replace("_", " ")
