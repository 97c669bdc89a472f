"""The platform with its sample estate on this machine, and inputs of a simulated estate."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from devtools.local.class_archive import make_class_archive
from devtools.local.folders import require_checkout
from devtools.simulator.generate import write_sample
from mqcap.cli.common import print_status

app = typer.Typer()
local = typer.Typer(no_args_is_help=True, help="Run the complete platform on this machine.")


@local.command("run")
def run(
    serve: Annotated[bool, typer.Option(help="Keep Airflow and the capacity page running.")] = True,
    days: Annotated[int, typer.Option(min=30, help="Days of history.")] = 400,
) -> None:
    """Simulate an estate, load its history, run the daily DAG in Airflow, then serve the page."""
    require_checkout()  # before an extra is asked for that would not help
    from devtools.local.run import run as run_local  # noqa: PLC0415 - starts servers

    raise typer.Exit(run_local(serve=serve, days=days))


@local.command("class-archive")
def class_archive() -> None:
    """Speed up the start of Spark with an archive of its JVM classes (once per installation)."""
    print_status(f"{make_class_archive()} written")


@app.command()
def simulate(
    folder: Annotated[
        Path, typer.Option("--out", help="Folder for dumps, logs, settings and ground truth.")
    ],
    last_day: Annotated[datetime, typer.Option(formats=["%Y-%m-%d"], help="The last day.")],
    days: Annotated[int, typer.Option(min=1, help="Number of days.")] = 400,
    estate: Annotated[
        Path | None, typer.Option(help="Specification in YAML; default: the sample estate.")
    ] = None,
) -> None:
    """Write the inputs of a simulated estate."""
    result = write_sample(folder, last_date=last_day.date(), days=days, spec_file=estate)
    print_status(
        f"{result.record_count:,} records, {result.bytes_written / 1e6:,.1f} MB in {folder}; "
        f"settings: {result.settings_file}, ground truth: {result.truth_file}"
    )
