"""What is known of a day: reports, findings, steps, drivers of forecasts, how they have done."""

from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from mqcap.cli.common import (
    DayOption,
    UnknownValueError,
    print_json,
    print_lines,
    print_status,
    print_table,
    print_text,
)
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.shared.local_run import site_settings
from mqcap.cli.site_store import configured_store, day_or_newest, evaluated_day, existing_store
from mqcap.domain.console.ledger import LimitRecord
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.forecast import DriverEffect
from mqcap.judging.ledger import correction_lines, read_ledger, read_limit_records
from mqcap.presentation.dates import instant
from mqcap.presentation.feed_text import waiting_lines
from mqcap.presentation.ledger_text import ledger_lines, record_lines
from mqcap.presentation.listing import Listing
from mqcap.progress.shown import work
from mqcap.queries.fleet import FleetRow, fleet_on, fleet_rows
from mqcap.reports.document import ReportFormat, ReportKind
from mqcap.reports.terminal_table import data_lines, findings_table, shown_lines, table
from mqcap.settings import Settings
from mqcap.steps.forecast import driver_courses
from mqcap.steps.step_words import step_words
from mqcap.store.crossings import find_site_correction
from mqcap.store.findings import day_or_latest, read_findings, require_findings
from mqcap.store.forecasts import read_forecasts
from mqcap.store.observations import require_observed
from mqcap.store.series import read_series_names, subject_meant
from mqcap.store.step_runs import read_step_runs, run_dates
from sizing.rulebook.missing_inputs import snippet

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
    settings, engine, site_date = evaluated_day(day)
    subject = subject_meant(engine, subject) if subject else ""
    with work("read findings"):
        every = fleet_on(settings, engine, site_date, subject)
    lines = [line for line in every if severity in {None, line.finding.severity}]
    if form.is_for_programs:
        rows = fleet_rows(lines, read_series_names(engine))
        print_objects(form, rows, list(FleetRow.model_fields))
    elif lines:
        print_table(findings_table(lines, f"Findings of {site_date}"))
    else:
        words = f"{severity} " if severity else ""
        print_status(f"No {words}finding of {subject or 'any subject'} on {site_date}.")


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
        return
    rows = tuple(
        (run.step, instant(run.ended_at_utc), step_words(run.step, run.counts)) for run in found
    )
    title, headings = f"Steps that ran for {site_date}", ("step", "ended", "counts")
    print_table(Listing(title=title, headings=headings, rows=rows, name_count=1))


@app.command()
def drivers(day: DayOption = None, form: FormatOption = ListForm.table) -> None:
    """Print the driver of each series that has one.

    As JSON it is one object with the series and the problems; CSV has the series.
    """
    settings, engine = configured_store()
    last = day_or_newest(settings, day)
    with work("read forecasts"):
        made = read_forecasts(engine, last)
    if not made and day is not None:
        require_observed(engine, last)
    _, problems = driver_courses(settings.drivers, {forecast.series_id for forecast in made}, last)
    driven = [
        (f"{forecast.series_id}, {forecast.statistic}", forecast.driver)
        for forecast in made
        if forecast.driver
    ]
    series = [{"series": name} | effect.model_dump(mode="json") for name, effect in driven]
    if form is ListForm.json:
        print_json({"day": str(last), "series": series, "problems": problems})
        return
    if form is ListForm.csv:
        print_objects(form, series, ["series", *DriverEffect.model_fields])
        return
    if driven:
        print_lines("\n".join(f"{name}: {effect.text}." for name, effect in driven))
    else:
        print_status(f"No forecast of {last} has a driver (section drivers of the settings).")
    for problem in problems:
        print_status(f"{problem}.")


@app.command()
def scorecard(
    day: DayOption = None,
    days: Annotated[
        int, typer.Option("--days", min=1, max=3_660, help="How many days to look back.")
    ] = 90,
    form: FormatOption = ListForm.table,
) -> None:
    """Print what happened, and whether it was forecast.

    As JSON it is one object with events, due forecasts, limits and correction; CSV has the limits.
    """
    settings, engine = configured_store()
    last = day_or_newest(settings, day)
    first = last - timedelta(days=days)
    with work("events and forecasts"):
        ledger = read_ledger(settings, engine, first, last)
        records = read_limit_records(engine, ledger, first, last)
    if day is not None and not (ledger.events or ledger.forecasts or records):
        require_observed(engine, last)
    limits = [record.model_dump(mode="json") for record in records]
    correction = find_site_correction(engine, last)
    if form is ListForm.json:
        events = [one.model_dump(mode="json") | {"foreseen": one.foreseen} for one in ledger.events]
        document = {
            "first": str(first),
            "day": str(last),
            "events": events,
            "forecasts": [one.model_dump(mode="json") for one in ledger.forecasts],
            "limits": limits,
            "site_correction": correction.model_dump(mode="json") if correction else None,
        }
        print_json(document)
        return
    if form is ListForm.csv:
        print_objects(form, limits, list(LimitRecord.model_fields))
        return
    lines = [*ledger_lines(ledger), *record_lines(records)]
    if lines := [*lines, *correction_lines(settings, engine, last)]:
        print_lines("\n".join(lines))
    else:
        print_status(f"From {first} to {last} nothing happened, was due, or can be scored yet.")


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
    if kind is not None:
        from mqcap.reports.make import write_reports  # noqa: PLC0415 - loads makers of PDF and XLSX

        formats = [_choice(ReportFormat, "format of a report", form) for form in forms or ()]
        kinds = [_choice(ReportKind, "kind of a report", kind)]
        target, last = folder or settings.reports.folder, day_or_newest(settings, day)
        engine = existing_store(settings)
        for path in write_reports(settings, engine, last, kinds, target, formats or ReportFormat):
            print_text(str(path))
        return
    last = day_or_newest(settings, day)
    if forms and len(forms) > 1:
        raise UnknownValueError(
            "the table of a day is printed in one format", found=", ".join(forms)
        )
    form = _choice(ListForm, "format of a list", forms[0] if forms else "table")
    if not form.is_for_programs:
        _print_tables(settings, last)
        return
    engine = existing_store(settings)
    require_findings(engine, last)
    with work("read findings"):
        rows = list(fleet_rows(shown_lines(settings, engine, last), read_series_names(engine)))
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
