"""``mqcap report``: findings and threshold crossings as a table, or a report as files."""

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from mqcap.cli.common import DayOption, UnknownValueError, print_lines, print_table, print_text
from mqcap.cli.shared.formats import ListForm, print_objects
from mqcap.cli.shared.local_run import site_settings
from mqcap.cli.site_store import day_or_newest, existing_store
from mqcap.presentation.feed_text import waiting_lines
from mqcap.progress.shown import work
from mqcap.queries.fleet import FleetRow, fleet_rows
from mqcap.reports.document import ReportFormat, ReportKind
from mqcap.reports.terminal_table import data_lines, shown_lines, table
from mqcap.reports.write import write_reports
from mqcap.settings import Settings
from mqcap.store.findings import read_findings, require_findings
from mqcap.store.series import read_series_names
from sizing.rulebook.missing_inputs import snippet

app = typer.Typer()

_Choice = TypeVar("_Choice", bound=StrEnum)


@app.command()
def report(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="[daily|weekly|monthly]", help="Write this report; default: print a table."
        ),
    ] = None,
    day: DayOption = None,
    folder: Annotated[
        Path | None, typer.Option("--out", help="Folder of the files; default: reports.folder.")
    ] = None,
    forms: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            help="Of the table: table, json or csv. Of a report: html, pdf or xlsx; default: all "
            "three.",
        ),
    ] = None,
) -> None:
    """Print the day on a screen, or write a report as files.

    As JSON and CSV it has the objects of the REST API (api/findings).

    The weekly and the monthly report have the ledger (what the console reported and whether it was
    forecast) and the scores of past forecasts.
    """
    settings = site_settings()
    if kind is None:
        _print(settings, day_or_newest(settings, day), forms or ["table"])
        return
    formats = [_choice(ReportFormat, "format of a report", form) for form in forms or ()]
    kinds = [_choice(ReportKind, "kind of a report", kind)]
    target, site_date = folder or settings.reports.folder, day_or_newest(settings, day)
    engine = existing_store(settings)
    for path in write_reports(settings, engine, site_date, kinds, target, formats or ReportFormat):
        print_text(str(path))


def _print(settings: Settings, day: date, forms: Sequence[str]) -> None:
    """Print the tables of a day, or the findings of the first one as objects."""
    if len(forms) > 1:
        raise UnknownValueError(
            "the table of a day is printed in one format", found=", ".join(forms)
        )
    form = _choice(ListForm, "format of a list", forms[0])
    if not form.is_for_programs:
        _print_tables(settings, day)
        return

    engine = existing_store(settings)
    require_findings(engine, day)
    with work("read findings"):
        rows = list(fleet_rows(shown_lines(settings, engine, day), read_series_names(engine)))
    print_objects(form, rows, list(FleetRow.model_fields))


def _print_tables(settings: Settings, day: date) -> None:
    engine = existing_store(settings)
    missing = "\n".join(data_lines(engine, day))
    if missing and not read_findings(engine, day):
        print_lines(missing)
        print_lines(f"\nNo rule was evaluated on {day}: mqcap run --day {day}")
        return
    require_findings(engine, day)
    with work("read findings"):
        shown = table(settings, engine, day)
        findings = read_findings(engine, day)
    print_table(shown)
    for line in waiting_lines(findings):
        print_lines(line)
    if pasted := snippet(findings, settings.complete_estate()):
        print_lines("To paste into estate of the settings, with values:")
        print_text("\n".join(pasted))
    if missing:
        print_lines(f"\n{missing}")


def _choice(choices: type[_Choice], what: str, word: str) -> _Choice:
    try:
        return choices(word)
    except ValueError as error:
        raise UnknownValueError(
            f"unknown {what}", found=word, expected=" or ".join(choices)
        ) from error
