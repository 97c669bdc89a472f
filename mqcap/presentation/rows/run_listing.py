"""Runs of steps as a table: when they ended, and what they counted."""

from __future__ import annotations

from collections.abc import Iterable

from mqcap.presentation.dates import instant
from mqcap.presentation.listing import Listing
from mqcap.presentation.rows.tabular import flat
from mqcap.store.models import StepRun


def run_listing(runs: Iterable[StepRun], title: str) -> Listing:
    """Return one row per step, in their order."""
    return Listing(
        title=title,
        headings=("step", "ended", "counts"),
        rows=tuple((run.step, instant(run.ended_at_utc), _counts(run)) for run in runs),
        caption="",
        styles={},
        name_count=1,
    )


def _counts(run: StepRun) -> str:
    """Return names and values; an empty list is left out."""
    named = ((name.replace("_", " "), flat(value)) for name, value in run.counts.items())
    return ", ".join(f"{name} {value}" for name, value in named if value not in {"", None})
