"""Forecast: export daily series for the Spark app, and read its forecasts into the store."""

from __future__ import annotations

import logging
from datetime import date, timedelta
from functools import partial
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from mqcap.domain.datasets import FORECAST_RESULT, TRAINING
from mqcap.domain.errors import InputError
from mqcap.lake.files import remove, remove_unfinished, replace_folder
from mqcap.lake.forecast_results import results_of
from mqcap.lake.layout import COMPLETE, cutoff_partition
from mqcap.lake.location import Location, open_lake
from mqcap.lake.locks import LakePart
from mqcap.lake.partitions import remove_before
from mqcap.lake.tables import read_table
from mqcap.locks import exclusive
from mqcap.settings import Settings
from mqcap.steps.training import training_data
from mqcap.store.database import Store
from mqcap.store.forecasts import replace_forecasts

_log = logging.getLogger(__name__)

_ROW_GROUP_ROWS: Final = 20_000
"""What one task of the Spark app reads."""
_FILE: Final = "part-0.parquet"


def export_training(
    settings: Settings, engine: Store, day: date, dataset: str = TRAINING.name
) -> dict[str, int]:
    """Write the observations up to ``day`` as the training dataset of that cutoff.

    Nothing later than ``day`` is written, whatever the store holds. Forecasts of an earlier export
    with other rows are incomplete from then on. Returns the number of rows and series.
    """
    data = training_data(settings, engine, day)
    for problem in data.problems:
        _log.warning("%s", problem)
    folder = _partition(settings, dataset, day)
    table = data.table()
    with exclusive(settings, LakePart.forecast):
        if dataset == TRAINING.name and not _holds(folder / _FILE, table):
            remove(_partition(settings, FORECAST_RESULT.name, day) / COMPLETE)
        remove_unfinished(folder.parent.glob(f".{folder.name}.*"))
        write = partial(pq.write_table, table, row_group_size=_ROW_GROUP_ROWS)
        replace_folder(folder, {_FILE: write}, durable=True)
    return {"rows": table.num_rows, "series": data.series_count}


def store_forecasts(settings: Settings, engine: Store, day: date) -> dict[str, int]:
    """Replace the forecasts of cutoff ``day`` in the store by those of the Spark app.

    Returns the number of forecasts and of refused series.

    Raises:
        InputError: the output of that day is missing or incomplete, because the app was killed or
            has not run since the export; the store is left unchanged.
    """
    folder = _partition(settings, FORECAST_RESULT.name, day)
    with exclusive(settings, LakePart.forecast):
        if not (folder / COMPLETE).is_file():
            raise _incomplete(folder, day)
        made = list(results_of(folder))
        replace_forecasts(engine, day, made)
        _delete_old(settings, day)
    refused = sum(1 for forecast in made if forecast.refusal is not None)
    return {"forecasts": len(made) - refused, "refused": refused}


def _incomplete(folder: Location, day: date) -> InputError:
    return InputError(
        f"no complete forecasts of {day}",
        file=str(folder),
        found=f"no file {COMPLETE}",
        expected=f"the file {COMPLETE}, which the step fit writes last",
        remedy="Run the steps `export_training` and `fit` of that day again; a run of a later day "
        "may have deleted them (forecast.keep_models_days).",
    )


def _delete_old(settings: Settings, day: date) -> int:
    """Delete results older than ``forecast.keep_models_days``; the store keeps the forecasts."""
    first = day - timedelta(days=settings.forecast.keep_models_days)
    return remove_before(open_lake(settings.lake), FORECAST_RESULT.name, first)


def _holds(file: Location, table: pa.Table) -> bool:
    return file.is_file() and read_table(file).equals(table)


def _partition(settings: Settings, dataset: str, day: date) -> Location:
    return cutoff_partition(open_lake(settings.lake), dataset, day)
