"""Forecasts as the Spark app leaves them in the lake."""

from collections.abc import Iterator
from typing import Final

import pyarrow as pa

from mqcap.domain.forecast import Forecast
from mqcap.lake.layout import parquet_files
from mqcap.lake.location import Location
from mqcap.lake.tables import read_table

SCHEMA: Final = pa.schema({name: pa.string() for name in ("series_id", "statistic", "document")})


def results_of(folder: Location) -> Iterator[Forecast]:
    """Yield the forecasts that the Spark app wrote for a day."""
    for path in parquet_files(folder):
        for document in read_table(path, columns=["document"])["document"].to_pylist():
            yield Forecast.model_validate_json(document)
