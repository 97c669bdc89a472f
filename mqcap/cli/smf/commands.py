"""``mqcap smf``: inspect dumps and logs and extract their rows, without lake or store."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from mqcap.cli.common import exit_code_of
from mqcap.cli.smf.rows import (
    ConfiguredZones,
    print_plain_error,
    progress_shown,
    unpack_limits_of_settings,
    write_rows,
)
from mqcap.domain.errors import CapacityError
from mqcap.domain.shown_text import harmless
from mqcap.ingest.check.dump_summary import summarise
from mqcap.ingest.check.report import report
from mqcap.ingest.console.mq_messages import mq_messages, requires_action
from mqcap.ingest.inputs.files import InputFile, input_files
from mqcap.presentation.listing import terminal

app = typer.Typer(
    no_args_is_help=True, help="Inspect SMF dumps and other inputs.", rich_markup_mode=None
)

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT…",
        help="Dumps, logs or command output: files, folders, patterns, zip archives, or"
        " object-store URLs (s3://bucket/folder).",
    ),
]
Folder = Annotated[Path, typer.Option("--out", "-o", help="Folder of the files written.")]


def main(arguments: list[str]) -> None:
    """Run ``mqcap smf``; print a CapacityError as one line and exit with its code."""
    try:
        with progress_shown():
            app(args=arguments, prog_name="mqcap smf")
    except CapacityError as error:
        print_plain_error(error)
        sys.exit(exit_code_of(error))


@app.command()
def check(files: Files) -> None:
    """Show what files hold: framing, MQ versions, systems, intervals, gaps, duplicates, corruption.

    Exits with 1 when a file cannot be read, or not to its end, or is corrupt.
    """
    width = terminal().width

    def show(file: InputFile) -> bool:
        summary = summarise(file.local(), file.name)
        typer.echo(harmless(report(Path(file.name), summary, width)))
        return not summary.is_corrupt

    raise typer.Exit(_for_each(files, show))


@app.command()
def to_csv(files: Files, folder: Folder) -> None:
    """Write the rows of dumps as CSV: one file per structure, IBM's field names as headings."""
    raise typer.Exit(write_rows(files, folder, "csv"))


@app.command()
def to_parquet(files: Files, folder: Folder) -> None:
    """Write the rows of dumps as Parquet: one file per structure, IBM's field names as columns."""
    raise typer.Exit(write_rows(files, folder, "parquet"))


@app.command("messages")
def messages(
    files: Files,
    message: Annotated[
        list[str] | None,
        typer.Option("--message", "-m", help="Only messages with this id; repeatable."),
    ] = None,
) -> None:
    """Print the MQ messages of console logs, in UTC; those that require action in bold.

    Exits with 1 when a file is no console log.
    """
    zones = ConfiguredZones()

    def show(file: InputFile) -> bool:
        for event in mq_messages(file.local(), zones, message or (), file.name):
            at, of = f"{event['event_utc']:%Y-%m-%d %H:%M:%S}", event["qmgr"] or ""
            origin = f"{at} {event['smfid']:<8} {of:<4}"
            typer.secho(f"{origin} {event['text']}", bold=requires_action(event["message_id"]))
        return True

    raise typer.Exit(_for_each(files, show))


def _for_each(inputs: Sequence[str], action: Callable[[InputFile], bool]) -> int:
    """Apply the action to each input; return 1 when one is not good or raised a CapacityError."""
    failed = False
    with input_files(inputs, unpack_limits_of_settings) as files:
        for file in files:
            try:
                failed = not action(file) or failed
            except CapacityError as error:
                failed = True
                print_plain_error(error)
            file.release()
    return 1 if failed else 0
