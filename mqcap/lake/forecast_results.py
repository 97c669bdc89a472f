"""Forecasts as the Spark app leaves them in the lake, with the digests of their inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import pyarrow as pa

from mqcap.domain.forecast import Forecast, ForecastKey
from mqcap.lake.layout import COMPLETE, parquet_files
from mqcap.lake.location import Location
from mqcap.lake.tables import read_metadata, read_table

SCHEMA: Final = pa.schema(
    {name: pa.string() for name in ("series_id", "statistic", "document", "input_sha256")}
)
_DIGESTED: Final = ("series_id", "statistic", "input_sha256")


def result_digests(folder: Location) -> dict[ForecastKey, str | None]:
    """Return the digests of the results of a day by series and statistic.

    None while they are not complete, nor of a release that wrote no digests.
    """
    if not (folder / COMPLETE).is_file():
        return {}
    return {
        key: digest for path in _digested_files(folder) for key, digest in _digests(path).items()
    }


def results_with(folder: Location, wanted: Mapping[ForecastKey, str]) -> Iterator[pa.Table]:
    """Yield the results of a day that have the digest wanted of their series, by file."""
    for path in _digested_files(folder):
        digests = _digests(path)
        rows = [digest is not None and wanted.get(key) == digest for key, digest in digests.items()]
        if any(rows):
            yield read_table(path).select(SCHEMA.names).filter(pa.array(rows))


def results_of(folder: Location) -> Iterator[Forecast]:
    """Yield the forecasts that the Spark app wrote for a day."""
    for path in parquet_files(folder):
        for document in read_table(path, columns=["document"])["document"].to_pylist():
            yield Forecast.model_validate_json(document)


def _digests(path: Location) -> dict[ForecastKey, str | None]:
    columns = read_table(path, columns=list(_DIGESTED))
    identities, statistics, digests = (columns[name].to_pylist() for name in _DIGESTED)
    return dict(zip(zip(identities, statistics, strict=True), digests, strict=True))


def _digested_files(folder: Location) -> Iterator[Location]:
    return (path for path in parquet_files(folder) if _has_digests(path))


def _has_digests(path: Location) -> bool:
    """Return whether results have digests; what cannot be read has none, and is made again."""
    try:
        return _DIGESTED[-1] in read_metadata(path).schema.to_arrow_schema().names
    except pa.ArrowInvalid:
        return False
