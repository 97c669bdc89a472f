"""``mqcap simulate``: inputs of a simulated estate."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from devtools.simulator.generate import write_sample
from mqcap.cli.common import print_status

app = typer.Typer()


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
