"""Command ``findings``: all findings of a day, also those in order."""

from typing import Annotated

import typer

from mqcap.cli.common import DayOption, print_status, print_table
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import configured_store
from mqcap.domain.finding import Severity
from mqcap.progress.shown import work
from mqcap.queries.fleet import FleetRow, fleet_on, fleet_rows
from mqcap.reports.terminal_table import findings_table
from mqcap.store.findings import day_or_latest, require_findings
from mqcap.store.series import read_series_names, subject_meant

app = typer.Typer()


@app.command()
def findings(
    subject: Annotated[
        str,
        typer.Argument(
            metavar="[SUBJECT]", help="PLEX1/CSQ1 or CSQ1, and all below it; default: all."
        ),
    ] = "",
    day: DayOption = None,
    severity: Annotated[Severity | None, typer.Option(help="Only this severity.")] = None,
    form: FormatOption = ListForm.table,
) -> None:
    """Print the findings of a day, most urgent first.

    As JSON and CSV they are the objects of the REST API (api/findings).
    """
    settings, engine = configured_store()
    site_date = day_or_latest(engine, day)
    require_findings(engine, site_date)
    subject = subject_meant(engine, subject) if subject else ""
    with work("read findings"):
        every = fleet_on(settings, engine, site_date, subject)
    lines = [each for each in every if severity in {None, each.finding.severity}]
    if form.is_for_programs:
        rows = fleet_rows(lines, read_series_names(engine))
        print_objects(form, rows, list(FleetRow.model_fields))
    elif lines:
        print_table(findings_table(lines, f"Findings of {site_date}"))
    else:
        words = f"{severity} " if severity else ""
        print_status(f"No {words}finding of {subject or 'any subject'} on {site_date}.")
