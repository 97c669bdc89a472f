"""Command ``runs``: the steps that ran for a day."""

from __future__ import annotations

import typer

from mqcap.cli.common import DayOption, configured_store, print_table
from mqcap.cli.shared.formats import FormatOption, ListFormat, print_objects
from mqcap.domain.errors import ConfigurationError

app = typer.Typer()


@app.command()
def runs(day: DayOption = None, form: FormatOption = ListFormat.table) -> None:
    """Print the steps that ran for a day: when each last ended well, and its counts."""
    from mqcap.presentation.rows.run_listing import run_listing  # noqa: PLC0415 - slow to import
    from mqcap.store.findings import day_or_latest  # noqa: PLC0415 - as above
    from mqcap.store.step_runs import read_step_runs, run_dates  # noqa: PLC0415 - as above

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
        print_table(run_listing(found, f"Steps that ran for {site_date}"))
