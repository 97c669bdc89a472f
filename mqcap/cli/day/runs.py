"""Command ``runs``: the steps that ran for a day."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

from mqcap.cli.common import DayOption, print_table
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import configured_store
from mqcap.domain.errors import ConfigurationError
from mqcap.presentation.dates import instant
from mqcap.presentation.listing import Listing
from mqcap.steps.step_words import step_words
from mqcap.store.findings import day_or_latest
from mqcap.store.step_runs import read_step_runs, run_dates

if TYPE_CHECKING:
    from mqcap.store.models import StepRun

app = typer.Typer()


@app.command()
def runs(day: DayOption = None, form: FormatOption = ListForm.table) -> None:
    """Print the steps that ran for a day."""
    _, engine = configured_store()
    site_date = day_or_latest(engine, day)
    found = read_step_runs(engine, site_date)
    if not found:
        days = run_dates(engine)
        raise ConfigurationError(
            f"no step has run for {site_date}",
            found=f"runs for days {days[0]} to {days[-1]}" if days else "no run at all",
            remedy=f"mqcap run --day {site_date} runs them.",
        )
    if form.is_for_programs:
        print_objects(form, found)
    else:
        print_table(_listing(found, f"Steps that ran for {site_date}"))


def _listing(runs: Iterable[StepRun], title: str) -> Listing:
    """Return one row per step, in their order."""
    return Listing(
        title=title,
        headings=("step", "ended", "counts"),
        rows=tuple(
            (run.step, instant(run.ended_at_utc), step_words(run.step, run.counts)) for run in runs
        ),
        name_count=1,
    )
