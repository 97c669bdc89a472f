"""The command line ``mqcap``: the same steps and applications without Airflow."""

from __future__ import annotations

import sys
from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from mqcap.cli import forecast as cli_forecast
from mqcap.cli import smf as cli_smf
from mqcap.cli import store as cli_store
from mqcap.cli.rules import estate_app, questions_app, rules_app
from mqcap.domain.errors import CapacityError, ConfigurationError
from mqcap.domain.printable import harmless
from mqcap.presentation.terminal import terminal
from mqcap.settings import Settings, load_settings

app = typer.Typer(
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__
)
settings_app = typer.Typer(no_args_is_help=True, help="Look at the settings.")
local_app = typer.Typer(no_args_is_help=True, help="Everything on this machine.")
app.add_typer(settings_app, name="settings")
app.add_typer(cli_smf.app, name="smf")
app.add_typer(local_app, name="local")
app.add_typer(rules_app, name="rules")
app.add_typer(estate_app, name="estate")
app.add_typer(questions_app)
app.add_typer(cli_forecast.app)
app.add_typer(cli_store.app)

out = terminal()
err = terminal(stderr=True)

Day = Annotated[
    datetime | None,
    typer.Option("--day", formats=["%Y-%m-%d"], help="The day; default: the newest one stored."),
]


def main() -> None:
    """Entry point: our own errors become one readable line and exit code 1."""
    try:
        app()
    except CapacityError as error:
        err.print("[red]error:[/red]", escape(harmless(str(error))), soft_wrap=True)
        sys.exit(1)


Inputs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[INPUT…]",
        help="Dumps, logs or reports: files, folders, patterns, zip archives, or addresses of"
        " object stores; default: the inbox and ingest.inputs of the settings.",
    ),
]


@app.command()
def land(inputs: Inputs = None) -> None:
    """Copy what is new into the lake; `load` or the daily run decodes it."""
    raise typer.Exit(0 if _land(load_settings(), inputs) else 1)


@app.command()
def load(inputs: Inputs = None) -> None:
    """Land, decode, aggregate and observe the given inputs, or what is in the inbox."""
    from mqcap.steps import runner  # noqa: PLC0415 - pyspark is slow to import

    settings = load_settings()
    whole = _land(settings, inputs)
    for step in runner.LOAD[1:]:
        _say(runner.line(step.__name__, step(settings, date.min)))
    raise typer.Exit(0 if whole else 1)


def _land(settings: Settings, inputs: list[str] | None) -> bool:
    """Land; whether all inputs could be read."""
    from mqcap.steps import runner  # noqa: PLC0415 - needs the store

    if not inputs:
        settings.ingest.inbox.mkdir(parents=True, exist_ok=True)
    counts = runner.land(settings, date.min, inputs=inputs or None)
    rejected = counts.pop("rejected")
    for sentence in rejected:
        err.print("[red]error:[/red]", escape(harmless(sentence)), soft_wrap=True)
    _say(runner.line("land", {**counts, "rejected": len(rejected)}))
    return not rejected


@app.command()
def run(
    day: Day = None, replay: Annotated[bool, typer.Option(help="Send nothing.")] = False
) -> None:
    """All steps of one day: load, forecast, size, alert."""
    from mqcap.steps import runner  # noqa: PLC0415 - pyspark is slow to import

    settings = load_settings()
    for step in runner.LOAD:
        _say(runner.line(step.__name__, step(settings, date.min)))
    chosen = _day(settings, day)
    for step in runner.JUDGE:
        _say(runner.line(step.__name__, step(settings, chosen)))
    _say(runner.line("alert", runner.alert(settings, chosen, replay=replay, smtp=settings.smtp)))


@app.command()
def backfill(
    first: Annotated[datetime, typer.Argument(formats=["%Y-%m-%d"], help="The first day.")],
    last: Annotated[datetime, typer.Argument(formats=["%Y-%m-%d"], help="The last day.")],
) -> None:
    """Replay a range of days in one Spark session; stores what it would have sent."""
    from mqcap.steps.backfill import backfill as replay_days  # noqa: PLC0415 - pyspark is slow

    replay_days(load_settings(), first.date(), last.date(), _say)


@app.command()
def report(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="[daily|weekly|monthly]", help="Write this report; default: print a table."
        ),
    ] = None,
    day: Day = None,
    folder: Annotated[
        Path | None, typer.Option("--out", help="Where files go; default: reports.folder.")
    ] = None,
    forms: Annotated[
        list[str] | None, typer.Option("--format", help="html, pdf or xlsx; default: all three.")
    ] = None,
) -> None:
    """What is, and what will be, over its limit: as a table here, or as a report in files."""
    if kind is not None:
        from mqcap.cli.report_files import write  # noqa: PLC0415 - needs the store

        settings = load_settings()
        for path in write(settings, kind, _day(settings, day), folder, forms or []):
            out.print(harmless(str(path)), markup=False, soft_wrap=True)
        return
    from mqcap.reports.terminal_data_findings import data_table  # noqa: PLC0415 - needs the store
    from mqcap.reports.terminal_table import table  # noqa: PLC0415 - needs the store
    from mqcap.steps.runner import store_of  # noqa: PLC0415

    settings = load_settings()
    engine, chosen = store_of(settings), _day(settings, day)
    out.print(table(engine, chosen, settings.site.timezone))
    missing = data_table(engine, chosen)
    if missing is not None:
        out.print(missing)


@app.command()
def score(day: Day = None) -> None:
    """Hold what was forecast against what came, and print the record: the weekly step."""
    from mqcap.steps import runner  # noqa: PLC0415 - needs the store

    settings = load_settings()
    chosen = _day(settings, day)
    _say(runner.line("score", runner.score(settings, chosen)))
    for sentence in runner.record(settings, chosen):
        out.print(harmless(sentence), markup=False, soft_wrap=True)


@app.command()
def simulate(
    folder: Annotated[Path, typer.Option("--out", help="Where dumps, logs and truth go.")],
    last_day: Annotated[datetime, typer.Option(formats=["%Y-%m-%d"])],
    days: Annotated[int, typer.Option(min=1)] = 400,
    estate: Annotated[
        Path | None, typer.Option(help="A spec in YAML; default: the sample.")
    ] = None,
) -> None:
    """Write the SMF dumps and console logs of a made-up estate, and its planted truth."""
    from devtools.simulator.write_sample import write_sample  # noqa: PLC0415 - only here

    result = write_sample(folder, last_date=last_day.date(), days=days, spec_file=estate)
    _say(
        f"{result.record_count:,} records, {result.bytes_written / 1e6:,.1f} MB in {folder}; "
        f"settings: {result.settings_file}, planted truth: {result.truth_file}"
    )


@settings_app.command("check")
def settings_check() -> None:
    """Print the merged settings with secrets masked."""
    out.print_json(load_settings().model_dump_json())


@local_app.command("run")
def local_run(
    serve: Annotated[bool, typer.Option(help="Leave the pages running.")] = True,
    days: Annotated[int, typer.Option(min=30, help="Days of history.")] = 400,
) -> None:
    """Sample estate, history, one daily run through Airflow, then serve the pages."""
    from devtools.local.run import run as run_local  # noqa: PLC0415 - starts servers

    raise typer.Exit(run_local(serve=serve, days=days))


@local_app.command("archive")
def local_archive() -> None:
    """Make Spark start faster: keep the classes that a small load has used (once per install)."""
    from devtools.local.class_archive import make_class_archive  # noqa: PLC0415 - only here

    _say(f"{make_class_archive()} written")


def _day(settings: Settings, given: datetime | None) -> date:
    if given is not None:
        return given.date()
    from mqcap.steps.runner import last_day  # noqa: PLC0415 - pyspark is slow to import

    newest = last_day(settings)
    if newest is None:
        raise ConfigurationError(
            "no day to work on: the store holds no observations",
            remedy="Load something first: mqcap load FILE, or put files into the inbox.",
        )
    return newest


def _say(text: str) -> None:
    err.print(harmless(text), markup=False, soft_wrap=True)
