"""``mqcap store``: consistency, backup and retention of the store."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from mqcap.cli.common import print_lines
from mqcap.cli.site_store import configured_store
from mqcap.domain.numbers import figure, quantity
from mqcap.progress.shown import work
from mqcap.steps import runner
from mqcap.steps.prune import remove_old
from mqcap.store import upkeep
from mqcap.store.findings import latest_site_date

app = typer.Typer(no_args_is_help=True, help="Check and back up the store, delete old data.")


@app.command()
def check() -> None:
    """Check schema, rows and outbox of the store; exit with 1 if one is inconsistent."""
    _, engine = configured_store()
    flaws = upkeep.check(engine)
    for flaw in flaws:
        print_lines(f"{flaw.what}. {flaw.remedy}")
    if flaws:
        raise typer.Exit(1)
    print_lines("The store is consistent.")


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="New file; one that is there is not replaced.")],
) -> None:
    """Copy a SQLite store into a file, also while a run writes."""
    _, engine = configured_store()
    upkeep.back_up(engine, file)
    print_lines(f"{file}: {quantity(file.stat().st_size / 1024**2, 'MiB')}")


@app.command()
def prune(
    dry_run: Annotated[bool, typer.Option(help="Count only, delete nothing.")] = False,
    today: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d"],
            help="Day from which ages count; default: the newest day in the store.",
        ),
    ] = None,
) -> None:
    """Delete from store and lake what is older than store.retention."""
    settings, engine = configured_store()
    newest = today.date() if today else latest_site_date(engine)
    if newest is None:
        print_lines("The store is empty.")
        return

    if dry_run:
        with work("count what is old"):
            counts = remove_old(settings, engine, newest, dry_run=True)
    else:
        counts = runner.prune(settings, newest)
    verb = "would be deleted" if dry_run else "deleted"
    for table, count in counts["rows"].items():
        print_lines(f"{table}: {figure(count)} rows {verb}")
    for dataset, count in counts["files"].items():
        print_lines(f"{dataset}: {figure(count)} files {verb}")
    print_lines(f"{figure(counts['bytes'])} bytes of the lake {verb}")
