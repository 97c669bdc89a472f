"""Forecasts of few series: by processes of this machine, which do what Spark's workers do.

The start of a Spark session costs as much as the forecasts of some hundred series.
"""

from __future__ import annotations

from datetime import date
from functools import partial

from mqcap.lake.location import open_lake
from mqcap.lake.locks import LakePart
from mqcap.locks import exclusive
from mqcap.progress.shown import work
from mqcap.settings import ForecastSettings, Settings
from spark_apps.forecast_work import ForecastWork, forecast_work, hold_out_work, nothing_to_fit
from spark_apps.runtime.worker_processes import WorkerProcesses, worker_processes


def without_spark(settings: Settings, day: date) -> dict[str, int] | None:
    """Forecast what was exported for a day, and rolling origins, where that is little.

    Returns the counts of the application, which has nothing left to do; ``None``, with nothing
    done, for more than ``forecast.series_without_spark`` series.

    Raises:
        InputError: nothing was exported for the day.
        ServiceUnavailable: a process has ended before its batch was forecast.
    """
    lake, options = open_lake(settings.lake), settings.forecast
    with exclusive(settings, LakePart.forecast):
        todo = forecast_work(lake, options, day)
        origins = hold_out_work(lake, options)
        count = sum(len(each.series) for each in (todo, *origins))
        if count > options.series_without_spark:
            return None
        with worker_processes(settings.spark.master) as workers:
            counts = forecast_few(workers, options, todo)
            for origin in origins:
                forecast_few(workers, options, origin)
    return counts | ({"hold_out_days": len(origins)} if origins else {})


def forecast_few(
    workers: WorkerProcesses, settings: ForecastSettings, todo: ForecastWork
) -> dict[str, int]:
    """Write what the Spark application would, by these processes; returns the same counts."""
    if todo.is_stored:
        return nothing_to_fit(todo)
    from spark_apps.forecast_batches import begun, put_together  # noqa: PLC0415 - slow to import

    batches = begun(todo, settings, workers.count)
    tasks = [partial(batches.made, number) for number in range(batches.count)]
    with work(todo.what, batches.count, "batches") as shown:
        made = []
        for table in workers.results(tasks):
            made.append(table)
            shown.advance()
    return put_together(batches, todo, made)
