"""``mqcap smf``: look into dumps and logs, and take their rows out, without lake or store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from domain.errors import CapacityError, InputError

app = typer.Typer(no_args_is_help=True, help="Look into SMF dumps and other inputs.")
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

Files = Annotated[list[Path], typer.Argument(help="Dumps, logs or reports.")]
Folder = Annotated[Path, typer.Option("--out", "-o", help="Where the files go.")]


@app.command()
def check(files: Files) -> None:
    """Say what files hold: framing, levels, systems, intervals, gaps, duplicates, damage."""
    from pipeline.check import examine  # noqa: PLC0415 - only here
    from pipeline.check_report import report  # noqa: PLC0415

    failed = False
    for file in files:
        try:
            out.print(report(file, examine(_existing(file))), soft_wrap=True)
        except CapacityError as error:
            failed = True
            err.print("[red]error:[/red]", escape(str(error)), soft_wrap=True)
    raise typer.Exit(1 if failed else 0)


@app.command()
def to_csv(files: Files, folder: Folder) -> None:
    """Write the rows of dumps as CSV: one file per structure, IBM's names as headings."""
    _export(files, folder, "csv")


@app.command()
def to_parquet(files: Files, folder: Folder) -> None:
    """Write the rows of dumps as Parquet: one file per structure, IBM's names as columns."""
    _export(files, folder, "parquet")


def _export(files: list[Path], folder: Path, form: str) -> None:
    from ingest.export import Format, export  # noqa: PLC0415 - only here

    done = export([_existing(file) for file in files], folder, Format(form))
    for path, rows in done.rows.items():
        err.print(f"{path}: {rows:,} rows", soft_wrap=True)
    for summary in done.summaries:
        for problem in summary.problems:
            err.print(problem, soft_wrap=True, markup=False)


def _existing(file: Path) -> Path:
    """The file itself; raises InputError when there is none."""
    if not file.is_file():
        raise InputError(
            "the file does not exist", file=str(file), remedy="Check the path and its case."
        )
    return file
