"""Export the rows of input files as CSV or Parquet.

One file per structure, named as IBM names it (``QJST.csv``); columns are those of the lake, with
the name of the input in ``file`` where the lake has its hash. Memory is bounded by one batch of
the decoder (64 MiB of the dump) and the rows that wait for their row group.
"""

from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.csv as pcsv

from mqcap.domain.source import SourceSummary
from mqcap.files import replacing_files
from mqcap.ingest.parquet import ParquetFile, plain
from mqcap.ingest.registry import source_for
from mqcap.ingest.shown_reading import MIB_BYTES, tables_shown_in
from mqcap.ingest.smf.dump_file import unpacked
from mqcap.ingest.smf.layout import structure_name
from mqcap.progress.shown import work

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
) -> Exported:
    """Write the rows of all inputs into ``folder``, rows of one structure into one file.

    ``files`` gives each input the name that its rows carry; ``zones`` as in ``source_for``. Files
    of earlier runs are replaced once everything has been read. Raises InputError when an input
    cannot be read; then nothing is written.
    """
    sources = {path: source_for(path, zones) for path in files}
    sizes_mib = {path: path.stat().st_size / MIB_BYTES for path in files}
    summaries = []
    folder.mkdir(parents=True, exist_ok=True)
    with (
        replacing_files(folder) as part,
        _Outputs(part, form) as outputs,
        work("read inputs", sum(sizes_mib.values()), "MiB") as shown,
    ):
        for path, name in files.items():
            with unpacked(path) as content:
                reading = sources[path].read(content, name)
                for dataset, table in tables_shown_in(shown, reading, content, sizes_mib[path]):
                    if table.num_rows:
                        outputs.write(dataset, table)
                summaries.append(reading.summary())
    return Exported({folder / name: n for name, n in sorted(outputs.rows.items())}, summaries)


class _Outputs(ExitStack):
    """Open files by dataset; they are complete when the block is left."""

    def __init__(self, folder: Path, form: ExportFormat) -> None:
        super().__init__()
        self.rows: Counter[str] = Counter()
        """By name of the file."""
        self._folder, self._form = folder, form
        self._writers: dict[str, Any] = {}

    def write(self, dataset: str, table: pa.Table) -> None:
        """Append rows."""
        file = self._folder / f"{structure_name(dataset)}.{self._form.value}"
        columns = ["file" if name == _ORIGIN else name for name in table.column_names]
        rows, is_csv = table.rename_columns(columns), self._form is ExportFormat.CSV
        if is_csv:
            rows = plain(rows)
        if file.name not in self._writers:
            writer = pcsv.CSVWriter(file, rows.schema) if is_csv else ParquetFile(file)
            self._writers[file.name] = self.enter_context(closing(writer))
        self._writers[file.name].write_table(rows)
        self.rows[file.name] += rows.num_rows
