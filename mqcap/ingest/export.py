"""Export the rows of input files as CSV or Parquet.

One file per structure, named as IBM names it (``QJST.csv``); columns are those of the lake,
IBM's field names in lower case behind the columns that identify the section, with the name of
the input in ``file`` where the lake has its hash. The files are the
same whatever the number of processes. Memory is bounded, whatever the size of the input: per
process the tables of one batch of the decoder (of 64 MiB of the dump) and the rows that wait
for their row group.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Self

import pyarrow as pa
import pyarrow.csv as pcsv

from mqcap.domain.source import Reading, Source, SourceSummary
from mqcap.files import replacing_files
from mqcap.ingest.parallel import (
    SHARED_BYTES_MIN,
    WorkShares,
    Write,
    in_processes,
    processors,
    write_share,
)
from mqcap.ingest.parquet import ParquetFile, plain
from mqcap.ingest.registry import source_for
from mqcap.ingest.shown_reading import MIB_BYTES, WalkedReading, followed
from mqcap.ingest.smf.source import SOURCE as SMF
from mqcap.ingest.unpacked import UnpackedFiles, unpacked_once
from mqcap.progress.shown import Work, work

_SECTION: Final = "section_"
_ORIGIN: Final = "file_sha256"
"""The column of a source with the origin of its rows."""


class ExportFormat(StrEnum):
    """ExportFormat of the files; the value is their suffix."""

    CSV = "csv"
    PARQUET = "parquet"


@dataclass
class Exported:
    """Result of an export: rows by file, and a summary of each input, in the order of inputs."""

    rows: dict[Path, int] = field(default_factory=dict)
    summaries: list[SourceSummary] = field(default_factory=list)


def export(
    files: Mapping[Path, str],
    folder: Path,
    form: ExportFormat,
    zones: Mapping[str, str] | None = None,
    processes: int | None = None,
) -> Exported:
    """Write the rows of all inputs into ``folder``, rows of one structure into one file.

    ``files`` gives each input the name that its rows carry. Files of earlier runs are replaced
    once everything has been read, not before; structures that do not occur give no file.
    ``zones`` as in ``source_for``; ``processes`` is how many work, without it as many as there are
    processors, or one for a small input. Raises InputError when an input cannot be read; then
    nothing is written.
    """
    inputs = [_Input(path, source_for(path, zones), name) for path, name in files.items()]
    folder.mkdir(parents=True, exist_ok=True)
    if not inputs:
        return Exported()
    count = processes or _processes(inputs)
    paths = [file.path for file in inputs]
    with unpacked_once(paths, count) as contents, replacing_files(folder) as part:
        shares = in_processes(
            lambda number: _written(
                inputs, contents, _Outputs(part, form), WorkShares(count, number)
            ),
            count,
        )
    rows = {folder / name: count for written, _ in shares for name, count in written.items()}
    summaries = [_merged(parts) for parts in zip(*(part for _, part in shares), strict=True)]
    return Exported(dict(sorted(rows.items())), summaries)


def file_stem(dataset: str) -> str:
    """Return ``QJST`` of ``section_qjst``; datasets that are no structure keep their name."""
    structure = dataset.startswith(_SECTION)
    return dataset.removeprefix(_SECTION).upper() if structure else dataset


@dataclass(frozen=True)
class _Input:
    """An input file with the source that reads it."""

    path: Path
    source: Source
    name: str

    @property
    def mib(self) -> float:
        """Size of the file."""
        return self.path.stat().st_size / MIB_BYTES

    def open(self, path: Path) -> Reading:
        """Begin reading the content of the input; raises InputError when it is another one."""
        return self.source.read(path, self.name)


@dataclass
class _Outputs:
    """Open files by dataset; they are complete when the block is left."""

    folder: Path
    form: ExportFormat
    rows: Counter[str] = field(default_factory=Counter)
    """Rows by name of the file."""
    _writers: dict[str, Any] = field(default_factory=dict)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for writer in self._writers.values():
            writer.close()

    def write(self, dataset: str, table: pa.Table) -> None:
        """Append rows."""
        name = f"{file_stem(dataset)}.{self.form.value}"
        if name not in self._writers:
            self._writers[name] = _WRITERS[self.form](self.folder / name)
        columns = ["file" if name == _ORIGIN else name for name in table.column_names]
        self._writers[name].write_table(table.rename_columns(columns))
        self.rows[name] += table.num_rows


def _processes(inputs: Sequence[_Input]) -> int:
    """Return one for what is decoded before a second process has begun, and for text, else all."""
    dumps = all(file.source is SMF for file in inputs)
    large = sum(file.path.stat().st_size for file in inputs) >= SHARED_BYTES_MIN
    return processors() if dumps and large else 1


def _written(
    inputs: Sequence[_Input], contents: UnpackedFiles, outputs: _Outputs, shares: WorkShares
) -> tuple[Counter[str], list[SourceSummary]]:
    """Write the share of one process; returns its rows by file, and a summary of each input."""
    summaries = []
    total = sum(file.mib for file in inputs)
    progress = work("read inputs", total, "MiB") if shares.process == 0 else nullcontext()
    with outputs, progress as shown:
        for number, file in enumerate(inputs):
            with contents.opened(number) as path:
                reading = file.open(path)
                progress_of_file = _Followed(outputs.write, reading, file.mib, shown)
                with followed(progress_of_file.reached_bytes):
                    write_share(reading, progress_of_file, shares)
                progress_of_file.reached(file.mib)
                summaries.append(reading.summary())
    return outputs.rows, summaries


class _Followed:
    """Writes the tables of one input and shows how much of it has been read; one process does."""

    def __init__(self, write: Write, reading: Reading, mib: float, shown: Work | None) -> None:
        self._write, self._reading, self._mib, self._shown = write, reading, mib, shown
        self._read_mib = 0.0

    def __call__(self, dataset: str, table: pa.Table) -> None:
        """Write a table."""
        self._write(dataset, table)
        if isinstance(self._reading, WalkedReading):
            self.reached(self._reading.walked_share * self._mib)

    def reached_bytes(self, read_bytes: int) -> None:
        """Show that so many bytes of the file have been read."""
        self.reached(min(self._mib, read_bytes / MIB_BYTES))

    def reached(self, read_mib: float) -> None:
        """Show that so much of the input has been read."""
        if self._shown is not None and read_mib > self._read_mib:
            self._shown.advance(read_mib - self._read_mib)
            self._read_mib = read_mib


def _merged(parts: Sequence[SourceSummary]) -> SourceSummary:
    """Merge the summaries of one input: each process counted the rows of its own datasets."""
    rows = {name: count for part in parts for name, count in part.rows_by_dataset.items()}
    return replace(parts[0], rows_by_dataset=dict(sorted(rows.items())))


class _CsvFile:
    """Writer of one CSV file, table by table."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: Any = None

    def write_table(self, table: pa.Table) -> None:
        """Append rows."""
        rows = plain(table)
        if self._writer is None:
            self._writer = pcsv.CSVWriter(self._path, rows.schema)
        self._writer.write_table(rows)

    def close(self) -> None:
        """End the file; nothing more can be written."""
        if self._writer is not None:
            self._writer.close()


_WRITERS: Final[Mapping[ExportFormat, Callable[[Path], Any]]] = {
    ExportFormat.CSV: _CsvFile,
    ExportFormat.PARQUET: ParquetFile,
}
