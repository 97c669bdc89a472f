"""Forecast: export daily series for the Spark app, and read its forecasts into the store."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from itertools import groupby
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from mqcap.domain.datasets import FORECAST_RESULT, TRAINING
from mqcap.domain.errors import InputError
from mqcap.domain.estate.series_calendar import estate_facts
from mqcap.domain.forecast import DriverCourse, Forecast
from mqcap.domain.metric import split_series_id
from mqcap.judging.todays_limits import LIMIT_METRICS, in_todays_limits
from mqcap.lake.files import remove_unfinished, replace_folder
from mqcap.lake.layout import COMPLETE, cutoff_partition, parquet_files
from mqcap.lake.location import Location, open_lake
from mqcap.lake.locks import LakePart
from mqcap.lake.partitions import remove_before
from mqcap.lake.tables import read_table
from mqcap.locks import exclusive
from mqcap.settings import Settings
from mqcap.steps.drivers import driver_courses
from mqcap.store.database import Store
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.models import TrainingRow
from mqcap.store.observations import changed_limits, read_training_rows
from sizing.rulebook.registry import watched
from sizing.rulebook.site_rules import watched_site_series

_log = logging.getLogger(__name__)

_ROW_GROUP_ROWS: Final = 20_000
"""About one batch of series: a worker skips the row groups of others."""
_TRAINING_SCHEMA = pa.schema([
    ("series_id", pa.string()),
    ("statistic", pa.string()),
    ("site_date", pa.date32()),
    ("value", pa.float64()),
    ("ceiling", pa.float64()),
    ("country", pa.string()),
    ("series_number", pa.int32()),
    ("calendar", pa.string()),
    ("known_changes", pa.string()),
])  # fmt: skip


def export_training(
    settings: Settings, engine: Store, day: date, dataset: str = TRAINING.name
) -> dict[str, int]:
    """Write the observations up to ``day`` as the training dataset of that cutoff.

    Only series and statistics that some rule compares with a limit, because every fit costs time.
    Shares of a limit that has changed are written as shares of its newest value.
    Nothing later than ``day`` is written, whatever the store holds. Returns the number of rows and
    series.
    """
    wanted = watched() | watched_site_series(settings.site_figures)
    lookback_days = settings.forecast.lookback_days
    measured = read_training_rows(engine, day, lookback_days)
    limits = changed_limits(engine, LIMIT_METRICS, day, lookback_days)
    rows = [
        row
        for row in in_todays_limits(measured, limits)
        if (split_series_id(row.series_id)[0], row.statistic) in wanted
    ]
    facts = {
        name: estate_facts(settings.estate, name, day) for name in {row.series_id for row in rows}
    }
    numbers = {key: number for number, (key, _) in enumerate(groupby(rows, key=_key))}
    table = pa.Table.from_pylist(
        [
            {
                "series_id": row.series_id,
                "statistic": str(row.statistic),
                "site_date": row.site_date,
                "value": row.value,
                "ceiling": row.ceiling,
                "series_number": numbers[_key(row)],
                **facts[row.series_id],
            }
            for row in rows
        ],
        schema=_TRAINING_SCHEMA,
    )
    courses, problems = driver_courses(settings.drivers, facts, day)
    for problem in problems:
        _log.warning("%s", problem)
    if courses:
        table = table.append_column("driver", _driver_column(rows, courses))
    with exclusive(settings, LakePart.forecast):
        _replace_partition(table, _partition(settings, dataset, day))
    return {"rows": table.num_rows, "series": len(numbers)}


def _driver_column(rows: list[TrainingRow], courses: Mapping[str, DriverCourse]) -> pa.Array:
    """Return the JSON of each series' driver in the first row of each of its statistics."""
    by_name = {course.name: course for course in courses.values()}
    texts = {name: course.model_dump_json() for name, course in by_name.items()}
    documents = {identity: texts[course.name] for identity, course in courses.items()}
    seen: set[tuple[str, str]] = set()
    column: list[str | None] = []
    for row in rows:
        column.append(None if _key(row) in seen else documents.get(row.series_id))
        seen.add(_key(row))
    return pa.array(column, pa.string())


def store_forecasts(settings: Settings, engine: Store, day: date) -> dict[str, int]:
    """Replace the forecasts of cutoff ``day`` in the store by those that the Spark app wrote.

    Returns the number of forecasts and of refused series.

    Raises:
        InputError: there is no output of that day, or an incomplete one because the app was
            killed; the store is left unchanged.
    """
    folder = _partition(settings, FORECAST_RESULT.name, day)
    with exclusive(settings, LakePart.forecast):
        if not (folder / COMPLETE).is_file():
            raise InputError(
                f"no complete forecasts of {day}",
                file=str(folder),
                expected=f"the file {COMPLETE} in the folder",
                remedy="Run the step `fit` of that day again; a run of a later day may have "
                "deleted them (forecast.keep_models_days).",
            )
        forecasts = list(results_of(folder))
        replace_forecasts(engine, day, forecasts)
        _delete_old(settings, day)
    refused = sum(1 for forecast in forecasts if forecast.refusal)
    return {"forecasts": len(forecasts) - refused, "refused": refused}


def stored_model(settings: Settings, identity: str, statistic: str, day: date) -> str:
    """Return Prophet's JSON of the model of one forecast made on ``day``.

    Raises:
        InputError: no model is stored: the series was refused, another kind of model forecast it,
            or the forecast is older than ``forecast.keep_models_days``.
    """
    folder = _partition(settings, FORECAST_RESULT.name, day)
    wanted = [("series_id", "==", identity), ("statistic", "==", statistic)]
    for path in parquet_files(folder):
        table = read_table(path, columns=["model"], filters=wanted)
        for content in table["model"].to_pylist():
            if content is not None:
                return str(content)
    raise InputError(
        f"no model is stored of {identity} ({statistic}) for {day}",
        file=str(folder),
        remedy=f"Models of the last {settings.forecast.keep_models_days} days are kept, of series "
        "that Prophet forecast.",
    )


def _delete_old(settings: Settings, day: date) -> int:
    """Delete results older than ``forecast.keep_models_days``; the store keeps the forecasts."""
    first = day - timedelta(days=settings.forecast.keep_models_days)
    return remove_before(open_lake(settings.lake), FORECAST_RESULT.name, first)


def _key(row: TrainingRow) -> tuple[str, str]:
    return row.series_id, row.statistic


def _partition(settings: Settings, dataset: str, day: date) -> Location:
    return cutoff_partition(open_lake(settings.lake), dataset, day)


def _replace_partition(table: pa.Table, folder: Location) -> None:
    remove_unfinished(folder.parent.glob(f".{folder.name}.*"))
    write = partial(pq.write_table, table, row_group_size=_ROW_GROUP_ROWS)
    replace_folder(folder, {"part-0.parquet": write})


def results_of(folder: Location) -> Iterator[Forecast]:
    """Yield the forecasts that the Spark app wrote into a partition."""
    for path in parquet_files(folder):
        for document in read_table(path)["document"].to_pylist():
            yield Forecast.model_validate_json(document)
