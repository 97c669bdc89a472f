"""Forecasts outside the daily run: of any CSV file, and the stored model of one series."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from mqcap.cli.common import print_status
from mqcap.cli.shared.local_run import site_settings
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import Statistic

app = typer.Typer()


@app.command("forecast-csv")
@app.command("forecast", hidden=True)
def forecast_csv(  # noqa: PLR0913, PLR0917 - one parameter per option
    history: Annotated[Path, typer.Option(help="CSV: unique_id, ds, y.", exists=True)],
    horizon: Annotated[int, typer.Option(min=1, help="Steps ahead.")],
    out: Annotated[
        Path, typer.Option(help="CSV: unique_id, ds, yhat, lo, hi (95 % prediction interval).")
    ],
    freq: Annotated[str, typer.Option(help="Length of a step: h, d or w.")] = "d",
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
    """Forecast every series of a CSV file; with thresholds, date their crossings too.

    This is not the daily forecast: it needs neither Spark nor Airflow nor a store. The output is
    the same, byte for byte, whatever the number of processes.
    """
    if (thresholds is None) != (crossings is None):
        raise ConfigurationError(
            "only one of --thresholds and --crossings was given",
            expected="both or neither",
            remedy="Name the file of thresholds and the file for their crossing dates.",
        )
    from forecasting.batch_csv import Files, run_files  # noqa: PLC0415 - Prophet is slow to import

    files = Files(history, out, thresholds, crossings, status)
    counts = run_files(files, horizon=horizon, freq=freq, processes=processes)
    print_status(f"{counts['series']} series, {counts['thresholds']} thresholds")


@app.command("forecast-model")
def forecast_model(
    series: Annotated[
        str, typer.Argument(help="The series as on its page: cf_busy_pct/PLEX1/CF01.")
    ],
    out: Annotated[Path, typer.Option(help="File for the model, as JSON of Prophet.")],
    day: Annotated[datetime, typer.Option(formats=["%Y-%m-%d"], help="The day of the forecast.")],
    statistic: Annotated[
        Statistic, typer.Option(help="The daily statistic that was forecast.")
    ] = Statistic.peak,
) -> None:
    """Write the model of a daily forecast, to be read with prophet.serialize.model_from_json."""
    from mqcap.steps.forecast import stored_model  # noqa: PLC0415 - reads Parquet

    content = stored_model(site_settings(), series, statistic, day.date())
    out.write_text(content, encoding="utf-8")
    print_status(f"{out}: {len(content):,} characters")
