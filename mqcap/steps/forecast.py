"""Forecast: export daily series for the Spark app, and read its forecasts into the store."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Final

import pyarrow.parquet as pq

from mqcap.domain import atomic
from mqcap.domain.datasets import FORECAST_RESULT, TRAINING
from mqcap.domain.errors import InputError
from mqcap.domain.forecast import Forecast, ForecastKey
from mqcap.lake.files import remove, remove_unfinished, replace_folder
from mqcap.lake.forecast_inputs import (
    INPUTS,
    ForecastInputs,
    forecast_basis,
    inputs_document,
    read_inputs,
    write_inputs,
)
from mqcap.lake.forecast_results import result_digests, results_of, results_with
from mqcap.lake.layout import COMPLETE, cutoff_partition
from mqcap.lake.location import Location, open_lake
from mqcap.lake.locks import LakePart
from mqcap.lake.partitions import remove_before
from mqcap.locks import exclusive
from mqcap.settings import Settings
from mqcap.steps.training import TrainingData, training_data
from mqcap.store.database import Store
from mqcap.store.forecasts import (
    forecast_states,
    newest_cutoff_date,
    renew_forecasts,
    replace_forecasts,
)

_log = logging.getLogger(__name__)

_ROW_GROUP_ROWS: Final = 20_000
"""About one batch of series: a worker skips the row groups of others."""
_FILE: Final = "part-0.parquet"


def export_training(
    settings: Settings, engine: Store, day: date, dataset: str = TRAINING.name
) -> dict[str, int]:
    """Write the observations up to ``day`` as the training dataset of that cutoff.

    Beside them are the digests of what each forecast depends on, those marked whose forecast is
    stored with the same digest. Rows that are there already are not written again. Nothing later
    than ``day`` is written, whatever the store holds. Returns the number of rows and series.
    """
    data = training_data(settings, engine, day)
    for problem in data.problems:
        _log.warning("%s", problem)
    inputs = ForecastInputs(forecast_basis(settings.forecast, day), data.series())
    folder = _partition(settings, dataset, day)
    with exclusive(settings, LakePart.forecast):
        if dataset == TRAINING.name:
            inputs = inputs.with_stored(_reusable(settings, engine, day))
        _write(folder, data, inputs)
    return {"rows": len(data.rows), "series": len(inputs.series)}


def _reusable(settings: Settings, engine: Store, day: date) -> dict[ForecastKey, str | None]:
    """Return the digests of stored forecasts that need not be made again.

    While the models of a day are kept in the lake, a forecast without its result there is made
    again, so that its model is not lost.
    """
    states = forecast_states(engine, day)
    digests = {key: state.input_sha256 for key, state in states.items()}
    newest = newest_cutoff_date(engine)
    if newest is None or day < newest - timedelta(days=settings.forecast.keep_models_days):
        return digests
    kept = result_digests(_partition(settings, FORECAST_RESULT.name, day))
    return {key: digest for key, digest in digests.items() if kept.get(key) == digest}


def _write(folder: Location, data: TrainingData, inputs: ForecastInputs) -> None:
    """Write rows and digests, or the digests alone where the rows are those of before."""
    before = read_inputs(folder)
    remove_unfinished(folder.parent.glob(f".{folder.name}.*"))
    if before == inputs and (folder / _FILE).is_file():
        return
    is_same = before is not None and (before.basis, before.series) == (inputs.basis, inputs.series)
    if is_same and (folder / _FILE).is_file():
        write_inputs(folder, inputs)
        return
    remove(folder / INPUTS)
    document = inputs_document(inputs)
    files: dict[str, Callable[[Path], object]] = {
        _FILE: partial(pq.write_table, data.table(), row_group_size=_ROW_GROUP_ROWS),
        INPUTS: lambda path: atomic.write_json(path, document),
    }
    replace_folder(folder, files, durable=True)


def store_forecasts(settings: Settings, engine: Store, day: date) -> dict[str, int]:
    """Replace the forecasts of cutoff ``day`` in the store by those of its export.

    Those that are stored with the digest of the export stay, the others are read from what the
    Spark app wrote. Returns the number of forecasts and of refused series.

    Raises:
        InputError: the output of that day is missing or incomplete, because the app was killed or
            a forecast was replaced since the export; the store is left unchanged.
    """
    folder = _partition(settings, FORECAST_RESULT.name, day)
    with exclusive(settings, LakePart.forecast):
        inputs = read_inputs(_partition(settings, TRAINING.name, day))
        if inputs is None:
            _require_complete(folder, day)
            replace_forecasts(engine, day, results_of(folder))
        else:
            _renew(engine, day, folder, inputs.digests())
        _delete_old(settings, day)
    states = forecast_states(engine, day).values()
    refused = sum(1 for state in states if state.is_refused)
    return {"forecasts": len(states) - refused, "refused": refused}


def _renew(engine: Store, day: date, folder: Location, digests: Mapping[ForecastKey, str]) -> None:
    """Store the forecasts of these digests; where all are, nothing is written."""
    states = forecast_states(engine, day)
    missing = {
        key: digest
        for key, digest in digests.items()
        if key not in states or states[key].input_sha256 != digest
    }
    if not missing and set(states) == set(digests):
        return
    if missing:
        _require_complete(folder, day)
    made = [
        Forecast.model_validate_json(document)
        for table in results_with(folder, missing)
        for document in table["document"].to_pylist()
    ]
    if len(made) < len(missing):
        raise _incomplete(folder, day, f"{len(made)} of {len(missing)} that are not stored")
    renew_forecasts(engine, day, made, digests)


def _require_complete(folder: Location, day: date) -> None:
    if not (folder / COMPLETE).is_file():
        raise _incomplete(folder, day, f"no file {COMPLETE}")


def _incomplete(folder: Location, day: date, found: str) -> InputError:
    return InputError(
        f"no complete forecasts of {day}",
        file=str(folder),
        found=found,
        expected=f"the file {COMPLETE} in the folder, and every forecast of the export",
        remedy="Run the steps `export_training` and `fit` of that day again; a run of a later day "
        "may have deleted them (forecast.keep_models_days).",
    )


def _delete_old(settings: Settings, day: date) -> int:
    """Delete results older than ``forecast.keep_models_days``; the store keeps the forecasts."""
    first = day - timedelta(days=settings.forecast.keep_models_days)
    return remove_before(open_lake(settings.lake), FORECAST_RESULT.name, first)


def _partition(settings: Settings, dataset: str, day: date) -> Location:
    return cutoff_partition(open_lake(settings.lake), dataset, day)
