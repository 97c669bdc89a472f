"""Command ``export``: what is stored as CSV, Parquet or JSON lines, for programs of the site."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from mqcap.cli.common import DayOption, print_status
from mqcap.cli.shared.local_run import site_settings
from mqcap.cli.site_store import configured_store, evaluated_day
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.names.short_names import Columns
from mqcap.domain.numbers import counted
from mqcap.files import write_bytes
from mqcap.lake.exported_events import EVENT_COLUMNS, exported_events
from mqcap.lake.location import open_lake
from mqcap.presentation.tabular import arrow_type, as_csv, as_parquet
from mqcap.progress.shown import work
from mqcap.store.exported import (
    CROSSING_COLUMNS,
    FINDING_COLUMNS,
    FORECAST_COLUMNS,
    OBSERVATION_COLUMNS,
    exported_crossings,
    exported_findings,
    exported_forecasts,
    exported_observations,
)
from mqcap.store.findings import day_or_latest
from mqcap.store.observations import require_observed

app = typer.Typer(no_args_is_help=True, help="Write what is stored as CSV, Parquet or JSON lines.")

SHOWN_ROWS: Final = 10_000
"""After so many rows it is shown how many are written (ours)."""
SUFFIXES: Final = (".csv", ".parquet", ".jsonl")


def _writable(out: Path) -> Path:
    """Return the file of ``--out``, before anything is read; ConfigurationError for an unfit one.

    A folder is not created: a misspelt one would hold a file that nobody finds.
    """
    if out.suffix.lower() not in SUFFIXES:
        raise ConfigurationError(
            "the suffix of the file does not say its format",
            found=out.name,
            expected=" or ".join(SUFFIXES),
        )
    if not out.parent.is_dir():
        raise ConfigurationError(
            "the folder of the file does not exist",
            found=str(out.parent),
            expected="an existing folder",
            remedy="Create it, or name another file with --out.",
        )
    return out


OutOption = Annotated[
    Path,
    typer.Option(
        "--out",
        metavar="FILE",
        callback=_writable,
        help="A .csv, .parquet or .jsonl file in a folder that exists; it is replaced.",
    ),
]


@app.command()
def observations(out: OutOption) -> None:
    """Write every measured day of every series: metric, subject, site date, mean, peak."""
    _, engine = configured_store()
    _write(out, OBSERVATION_COLUMNS, exported_observations(engine))


@app.command()
def events(out: OutOption) -> None:
    """Write the recognised messages of console and error logs: subject, time in UTC, id."""
    settings = site_settings()
    found = exported_events(open_lake(settings.lake), settings.complete_estate())
    _write(out, EVENT_COLUMNS, (event.row() for event in found))


@app.command()
def findings(out: OutOption, day: DayOption = None) -> None:
    """Write the findings of a day with the dates of their crossings."""
    _, engine, site_date = evaluated_day(day)
    _write(out, FINDING_COLUMNS, exported_findings(engine, site_date))


@app.command()
def forecasts(out: OutOption, day: DayOption = None) -> None:
    """Write every day of the forecasts that were made on a day, with their bounds."""
    _, engine = configured_store()
    made_on = day_or_latest(engine, day)
    require_observed(engine, made_on)
    _write(out, FORECAST_COLUMNS, exported_forecasts(engine, made_on))


@app.command()
def crossings(out: OutOption, day: DayOption = None) -> None:
    """Write the dates of a day on which limits are passed, with probabilities."""
    _, engine, site_date = evaluated_day(day)
    _write(out, CROSSING_COLUMNS, exported_crossings(engine, site_date))


def _write(out: Path, columns: Columns, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a file in the form of its suffix."""
    suffix = out.suffix.lower()
    with work(f"read what {out.name} will hold"):
        every = list(rows)
    with work(f"write {out.name}", len(every), "rows") as shown:

        def written() -> Iterator[Mapping[str, Any]]:
            for begin in range(0, len(every), SHOWN_ROWS):
                yield from (part := every[begin : begin + SHOWN_ROWS])
                shown.advance(len(part))

        if suffix == ".parquet":
            types = {name: arrow_type(column.kind.value) for name, column in columns.items()}
            content = as_parquet(written(), types)
        elif suffix == ".jsonl":
            kept = ({name: row[name] for name in columns} for row in written())
            lines = (json.dumps(row, ensure_ascii=False, default=str) for row in kept)
            content = "".join(f"{line}\n" for line in lines).encode()
        else:
            content = as_csv(written(), list(columns)).encode()
        write_bytes(out, content)
    print_status(f"{counted(len(every), 'row')} in {out}")
