"""``mqcap smf``: look into dumps and logs, and take their rows out, without lake or store."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from mqcap.cli.smf_rows import limits, say, write_rows
from mqcap.cli.zones import ZonesOfSettings
from mqcap.domain.errors import CapacityError
from mqcap.ingest.inputs.files import input_files

app = typer.Typer(no_args_is_help=True, help="Look into SMF dumps and other inputs.")

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT…",
        help="Dumps, logs or reports: files, folders, patterns, zip archives, or addresses of"
        " object stores (s3://bucket/folder).",
    ),
]
Folder = Annotated[Path, typer.Option("--out", "-o", help="Where the files go.")]


def main(arguments: list[str]) -> None:
    """``mqcap smf`` without the other commands; our own errors become one line and exit code 1."""
    try:
        app(args=arguments, prog_name="mqcap smf")
    except CapacityError as error:
        say(error)
        sys.exit(1)


@app.command()
def check(files: Files) -> None:
    """Say what files hold: framing, levels, systems, intervals, gaps, duplicates, damage."""
    from rich.console import Console  # noqa: PLC0415 - only here

    from mqcap.ingest.check.dump_summary import examine  # noqa: PLC0415
    from mqcap.ingest.check.report import report  # noqa: PLC0415

    out, failed = Console(highlight=False), False
    with input_files(files, limits) as found:
        for file in found:
            try:
                path = file.local()
                out.print(report(Path(file.name), examine(path)), soft_wrap=True)
            except CapacityError as error:
                failed = True
                say(error)
            file.release()
    raise typer.Exit(1 if failed else 0)


@app.command()
def to_csv(files: Files, folder: Folder) -> None:
    """Write the rows of dumps as CSV: one file per structure, IBM's names as headings."""
    raise typer.Exit(write_rows(files, folder, "csv"))


@app.command()
def to_parquet(files: Files, folder: Folder) -> None:
    """Write the rows of dumps as Parquet: one file per structure, IBM's names as columns."""
    raise typer.Exit(write_rows(files, folder, "parquet"))


@app.command()
def events(
    files: Files,
    message: Annotated[
        list[str] | None, typer.Option("--message", "-m", help="Only this message; repeatable.")
    ] = None,
) -> None:
    """Print the messages of MQ in console logs, in UTC; those that need someone in bold."""
    from mqcap.cli.console_events import console_events  # noqa: PLC0415 - only here

    zones, failed = ZonesOfSettings(), False
    with input_files(files, limits) as found:
        for file in found:
            try:
                for event in console_events(file.local(), zones, message or ()):
                    who = f"{event.at_utc:%Y-%m-%d %H:%M:%S} {event.smfid:<8} {event.qmgr or '':<4}"
                    typer.secho(f"{who} {event.text}", bold=event.needs_someone)
            except CapacityError as error:
                failed = True
                say(error)
            file.release()
    raise typer.Exit(1 if failed else 0)
