"""Read Parquet files of the lake, in a folder or in an object store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mqcap.lake.layout import parquet_files
from mqcap.lake.location import Location
from mqcap.lake.objects import ObjectLocation, using
from mqcap.progress.shown import work

if TYPE_CHECKING:
    from pyarrow.dataset import Dataset

PART_FILES: Final = 64
"""So many files are read together (ours): enough for all processors, few enough to be shown."""


def read_table(
    location: Location, columns: Sequence[str] | None = None, dictionaries: Sequence[str] = ()
) -> pa.Table:
    """Return rows of a Parquet file, columns of ``dictionaries`` encoded; without pandas."""
    wanted = list(columns) if columns else None
    with ExitStack() as held:
        source: Path | pa.NativeFile
        if isinstance(location, ObjectLocation):
            store = held.enter_context(using(location, "read"))
            source = held.enter_context(store.open_input_file(location.key))
        else:
            source = location
        is_remote = not isinstance(source, Path)  # fetches what is needed in few requests
        parquet = pq.ParquetFile(source, read_dictionary=list(dictionaries), pre_buffer=is_remote)
        file = held.enter_context(parquet)
        table = file.read(columns=wanted)
    return table.select(wanted) if wanted else table


def read_metadata(location: Location) -> pq.FileMetaData:
    """Return what the end of a Parquet file says of its rows."""
    if isinstance(location, ObjectLocation):
        with using(location, "read") as store:
            return pq.read_metadata(location.key, filesystem=store)
    return pq.read_metadata(location)


def read_rows(
    locations: Iterable[Location],
    columns: Sequence[str] | None = None,
    wanted: pc.Expression | None = None,
) -> pa.Table:
    """Return columns of the wanted rows of some Parquet files, at least one; all by default.

    The schema is that of the first file.
    """
    names = columns and list(columns)
    with opened(locations) as rows:
        parts = [part.to_table(columns=names, filter=wanted) for part in _shown_parts(rows)]
    return parts[0] if len(parts) == 1 else pa.concat_tables(parts)


def partition_rows(
    folders: Iterable[Location], columns: Sequence[str], wanted: pc.Expression | None = None
) -> pa.Table:
    """Return columns of the wanted rows of some partitions; no row where none has a file."""
    paths = [path for folder in folders for path in parquet_files(folder)]
    if not paths:
        return pa.table({name: pa.nulls(0) for name in columns})
    return read_rows(paths, columns, wanted)


def _shown_parts(rows: Dataset) -> Iterator[Dataset]:
    files = list(rows.get_fragments())
    if len(files) <= PART_FILES:
        yield rows
        return
    import pyarrow.dataset as pds  # noqa: PLC0415 - as in ``opened``

    with work("read the lake", len(files), "files") as shown:
        for begin in range(0, len(files), PART_FILES):
            part = files[begin : begin + PART_FILES]
            yield pds.FileSystemDataset(part, rows.schema, part[0].format, part[0].filesystem)
            shown.advance(len(part))


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
    return location
