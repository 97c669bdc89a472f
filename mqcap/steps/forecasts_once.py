"""The forecasts of a day, read into the store unless they are there already.

So a replay leaves the notes on data of the forecasts, which the evaluation of the day writes.
"""

from __future__ import annotations

import hashlib
from datetime import date
from functools import partial
from typing import Any

from mqcap.domain.datasets import FORECAST_RESULT, HOLD_OUT_RESULT
from mqcap.lake.files import read_each
from mqcap.lake.layout import COMPLETE, cutoff_partition, parquet_files
from mqcap.lake.location import open_lake
from mqcap.lake.partitions import partitions
from mqcap.settings import Settings
from mqcap.steps.unchanged import DayStep, once
from mqcap.store.database import Store
from mqcap.store.row_digests.digest import digest_of_rows
from mqcap.store.row_digests.rule_rows import forecast_rows


def store_once(settings: Settings, engine: Store, day: date) -> dict[str, Any]:
    """Store forecasts, and crossings of rolling origins, that the Spark app wrote for a day."""
    step = DayStep(
        "store_forecasts",
        inputs=partial(_inputs_digest, settings, day),
        results=partial(digest_of_rows, engine, forecast_rows(day)),
        run=partial(_store, settings, engine, day),
    )
    return once(step, settings, engine, day)


def _inputs_digest(settings: Settings, day: date) -> str | None:
    """Return the digest of what the app wrote; ``None`` without it, or with rolling origins."""
    lake = open_lake(settings.lake)
    folder = cutoff_partition(lake, FORECAST_RESULT.name, day)
    if not (folder / COMPLETE).is_file() or partitions(lake, HOLD_OUT_RESULT.name):
        return None
    digest = hashlib.sha256()
    for content in read_each(parquet_files(folder)):
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()


def _store(settings: Settings, engine: Store, day: date) -> dict[str, Any]:
    from mqcap.steps import forecast, hold_out  # noqa: PLC0415 - slow to import

    counts = forecast.store_forecasts(settings, engine, day)
    return counts | hold_out.store_hold_out(settings, engine, day)
