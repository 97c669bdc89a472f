"""The commands ``mqcap forecast`` (batch forecast of a CSV file) and ``mqcap forecast-model``."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import Statistic
from mqcap.settings import load_settings

app = typer.Typer()
_err = Console(stderr=True, highlight=False)


@app.command()
def forecast(  # noqa: PLR0913, PLR0917 - one parameter per option
    history: Annotated[Path, typer.Option(help="CSV: unique_id, ds, y.", exists=True)],
    horizon: Annotated[int, typer.Option(min=1, help="Steps ahead.")],
    out: Annotated[Path, typer.Option(help="CSV: unique_id, ds, yhat, lo, hi (95 %).")],
    freq: Annotated[str, typer.Option(help="h, d or w.")] = "d",
    thresholds: Annotated[
        Path | None, typer.Option(help="CSV: unique_id, threshold, origin.", exists=True)
    ] = None,
    crossings: Annotated[
        Path | None, typer.Option(help="CSV: p10, p50, p90 and probabilities.")
    ] = None,
    status: Annotated[
        Path | None, typer.Option(help="CSV: unique_id, status, values, left_out.")
    ] = None,
    processes: Annotated[int, typer.Option(min=1)] = 2,
) -> None:
    """Forecast every series of a CSV file and, with thresholds, date their crossings.

    For any series, without Spark, Airflow or a store. The daily forecast of the product is not
    this command but a step of the daily run (mqcap run).

    The same input gives the same bytes whatever the number of processes.
    """
    if (thresholds is None) != (crossings is None):
        raise ConfigurationError(
            "only one of --thresholds and --crossings was given",
            expected="both or neither",
            remedy="Name the file of limits and the file for their dates.",
        )
    from forecasting.batch_csv import Files, run_files  # noqa: PLC0415 - Prophet is slow to import

    files = Files(history, out, thresholds, crossings, status)
    counts = run_files(files, horizon=horizon, freq=freq, processes=processes)
    _err.print(f"{counts['series']} series, {counts['thresholds']} thresholds")


@app.command("forecast-model")
def forecast_model(
    series: Annotated[str, typer.Argument(help="As on its page: cf_busy_pct/PLEX1/CF01.")],
    out: Annotated[Path, typer.Option(help="Where to write the model as Prophet's JSON.")],
    day: Annotated[str, typer.Option(help="Day on which it was made, YYYY-MM-DD.")],
    statistic: Annotated[Statistic, typer.Option()] = Statistic.peak,
) -> None:
    """Write the fitted model of a forecast, for prophet.serialize.model_from_json."""
    from mqcap.steps.forecast import stored_model  # noqa: PLC0415 - reads Parquet

    content = stored_model(load_settings(), series, statistic, date.fromisoformat(day))
    out.write_text(content, encoding="utf-8")
    _err.print(f"{out}: {len(content):,} characters")
