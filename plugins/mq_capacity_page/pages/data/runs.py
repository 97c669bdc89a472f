"""Runs of our DAGs and steps of a day, as printed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Final
from urllib.parse import quote

from mq_capacity_page.web.page_frame import ViewModel
from mqcap.store.models import StepRun


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
