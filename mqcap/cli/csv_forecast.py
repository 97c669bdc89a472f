"""Command ``forecast-csv``: forecasts of a CSV file, by the forecast of the daily run."""

from pathlib import Path
from typing import Annotated

import typer

from forecasting.csv_files import Files, run_files
from mqcap.cli.common import print_status
from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.ingest.text import TextFile

app = typer.Typer()


@app.command("forecast-csv")
def forecast_csv(  # noqa: PLR0913, PLR0917 - one parameter per option
    history: Annotated[
        Path, typer.Option(help="CSV: unique_id, ds, y; one value a day, ISO days.", exists=True)
    ],
    horizon: Annotated[int, typer.Option(min=1, max=730, help="Days ahead.")],
    out: Annotated[
        Path, typer.Option(help="CSV: unique_id, ds, yhat, lo, hi (95 % prediction interval).")
    ],
    freq: Annotated[str, typer.Option(help="d: days.", hidden=True)] = "d",
    thresholds: Annotated[
        Path | None, typer.Option(help="CSV: unique_id, threshold, origin.", exists=True)
    ] = None,
    crossings: Annotated[
        Path | None,
        typer.Option(help="CSV: p10, p50, p90 of the crossing date, and probabilities."),
    ] = None,
    status: Annotated[
        Path | None, typer.Option(help="CSV: unique_id, status, values, left_out.")
    ] = None,
    processes: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 2,
) -> None:
    """Forecast every daily series of a CSV file.

    By the forecast of the daily run, without Spark, Airflow or a store. A crossing is the first
    day at or over the threshold. The output is the same, byte for byte, whatever the number of
    processes.
    """
    if freq.lower() != "d":
        raise ConfigurationError(
            "only daily series are forecast",
            found=f"--freq {freq}",
            expected="d",
            remedy="Give the highest value of each day, as limits are held against it.",
        )
    if (thresholds is None) != (crossings is None):
        raise ConfigurationError(
            "only one of --thresholds and --crossings was given",
            expected="both or neither",
            remedy="Name the file of thresholds and the file for their crossing dates.",
        )
    files = Files(history, out, thresholds, crossings, status)
    counts = run_files(files, _text_of, horizon=horizon, processes=processes)
    print_status(f"{counts['series']} series, {counts['thresholds']} thresholds")


def _text_of(path: Path) -> str:
    text = TextFile(path)
    content = text.table_text()
    if text.problem:
        raise InputError("the file cannot be unpacked", file=path.name, found=text.problem)
    return content
