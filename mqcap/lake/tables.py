"""Read Parquet files of the lake, in a folder or in an object store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mqcap.lake.files import folder_path
from mqcap.lake.location import Location
from mqcap.lake.object_store import using
from mqcap.lake.objects import ObjectLocation

if TYPE_CHECKING:
    from pyarrow.dataset import Dataset


def read_table(
    location: Location, columns: Sequence[str] | None = None, **options: Any
) -> pa.Table:
    """Return the rows of a Parquet file; ``options`` are those of ``pyarrow.parquet``.

    Without options pyarrow's datasets, which import pandas, are not needed.
    """
    wanted = list(columns) if columns else None
    if isinstance(location, ObjectLocation):
        with using(location, "read") as store:
            if not options:
                with store.open_input_file(location.key) as file:
                    return _read(file, wanted)
            return pq.read_table(
                location.key, columns=wanted, filesystem=store, partitioning=None, **options
            )
    path = folder_path(location)
    if not options:
        return _read(path, wanted)
    return pq.read_table(path, columns=wanted, partitioning=None, **options)


def _read(source: Path | pa.NativeFile, wanted: list[str] | None) -> pa.Table:
    """Return columns of a Parquet file in their order, those of the file by default."""
    with pq.ParquetFile(source) as file:
        table = file.read(columns=wanted)
    return table.select(wanted) if wanted else table


def read_metadata(location: Location) -> pq.FileMetaData:
    """Return what the end of a Parquet file says of its rows."""
    if isinstance(location, ObjectLocation):
        with using(location, "read") as store:
            return pq.read_metadata(location.key, filesystem=store)
    return pq.read_metadata(folder_path(location))


def read_rows(
    locations: Iterable[Location],
    columns: Sequence[str] | None = None,
    wanted: pc.Expression | None = None,
) -> pa.Table:
    """Return columns of the wanted rows of some Parquet files, at least one; all by default.

    The schema is that of the first file.
    """
    with opened(locations) as rows:
        return rows.to_table(columns=columns and list(columns), filter=wanted)


@contextmanager
def opened(locations: Iterable[Location]) -> Iterator[Dataset]:
    """Yield some Parquet files, at least one, as one dataset with the schema of the first."""
    import pyarrow.dataset as pds  # noqa: PLC0415 - imports pandas

    found = list(locations)
    first = found[0]
    if not isinstance(first, ObjectLocation):
        yield pds.dataset([str(location) for location in found], format="parquet")
        return
    keys = [location.key for location in found if isinstance(location, ObjectLocation)]
    with using(first, "read") as store:
        yield pds.dataset(keys, format="parquet", filesystem=store)


def parquet_source(location: Location) -> Path | BytesIO:
    """Return what polars reads a Parquet file from."""
    if isinstance(location, ObjectLocation):
        return BytesIO(location.read_bytes())
    return folder_path(location)
