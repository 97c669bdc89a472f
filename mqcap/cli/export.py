"""Command ``export``: daily observations, events or findings as CSV, for programs of the site."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from mqcap.cli.common import DayOption, configured_store, print_status
from mqcap.cli.shared.local_run import site_settings
from mqcap.domain.numbers import counted

app = typer.Typer(no_args_is_help=True, help="Write what is stored as CSV.")

OutOption = Annotated[
    Path, typer.Option("--out", metavar="FILE", help="The CSV file; it is replaced.")
]


@app.command()
def observations(out: OutOption) -> None:
    """Write every measured day of every series: metric, subject, site date, mean, peak."""
    from mqcap.store.exported.rows import (  # noqa: PLC0415 - the store is slow to import
        OBSERVATION_COLUMNS,
        exported_observations,
    )

    _, engine = configured_store()
    _write(out, OBSERVATION_COLUMNS, exported_observations(engine))


@app.command()
def events(out: OutOption) -> None:
    """Write the recognised messages of console and error logs: subject, time in UTC, id."""
    from mqcap.lake.exported_events import EVENT_COLUMNS, exported_events  # noqa: PLC0415 - as above
    from mqcap.lake.location import open_lake  # noqa: PLC0415 - as above

    settings = site_settings()
    found = exported_events(open_lake(settings.lake), settings.complete_estate())
    _write(out, EVENT_COLUMNS, (event.row() for event in found))


@app.command()
def findings(out: OutOption, day: DayOption = None) -> None:
    """Write the findings of a day with the dates of their crossings."""
    from mqcap.store.exported.rows import FINDING_COLUMNS, exported_findings  # noqa: PLC0415 - as above
    from mqcap.store.findings import day_or_latest  # noqa: PLC0415 - as above

    _, engine = configured_store()
    _write(out, FINDING_COLUMNS, exported_findings(engine, day_or_latest(engine, day)))


def _write(out: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    from mqcap.domain.atomic import write_text  # noqa: PLC0415 - as above

    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    count = 0
    for row in rows:
        writer.writerow(row)
        count += 1
    write_text(out, text.getvalue())
    print_status(f"{counted(count, 'row')} in {out}")
