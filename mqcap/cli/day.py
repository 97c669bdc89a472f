"""What is known of a day: its findings, steps, drivers of forecasts, and how they have done."""

from datetime import timedelta
from typing import Annotated

import typer

from mqcap.cli.common import DayOption, print_json, print_lines, print_status, print_table
from mqcap.cli.shared.formats import FormatOption, ListForm, print_objects
from mqcap.cli.site_store import configured_store, day_or_newest, evaluated_day
from mqcap.domain.console.ledger import LimitRecord
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.forecast import DriverEffect
from mqcap.judging.ledger import correction_lines, read_ledger, read_limit_records
from mqcap.presentation.dates import instant
from mqcap.presentation.ledger_text import ledger_lines, record_lines
from mqcap.presentation.listing import Listing
from mqcap.progress.shown import work
from mqcap.queries.fleet import FleetRow, fleet_on, fleet_rows
from mqcap.reports.terminal_table import findings_table
from mqcap.steps.forecast import driver_courses
from mqcap.steps.step_words import step_words
from mqcap.store.crossings import find_site_correction
from mqcap.store.findings import day_or_latest
from mqcap.store.forecasts import read_forecasts
from mqcap.store.observations import require_observed
from mqcap.store.series import read_series_names, subject_meant
from mqcap.store.step_runs import read_step_runs, run_dates

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
