"""Spark data source ``smf``: dumps and console logs as tables, without landing them.

For use in a notebook or a shell. The daily run uses ``spark_apps.decode``, which decodes all
structures in one pass and does not send rows through the JVM.

    spark.dataSource.register(SmfDataSource)
    spark.read.format("smf").option("dataset", "section_qjst").load("dumps/*.smf")
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import Any, Final, cast

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from mqcap.domain.datasets import CONSOLE_EVENT, QMGR_SAMPLE, QUARANTINE, ZOS_SAMPLE
from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.ingest.registry import source_for
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.sections import dataset_schema

_SECTION: Final = "section_"
_PLAIN: Final = {
    dataset.name: dataset for dataset in (CONSOLE_EVENT, QUARANTINE, QMGR_SAMPLE, ZOS_SAMPLE)
}


class SmfDataSource(DataSource):
    """Options: ``dataset`` (such as ``section_qjst``) and ``path`` (a file, folder or pattern).

    Any other option ``zone.SYS1`` gives the time zone of a system for its console log.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name given to ``format``."""
        return "smf"

    def schema(self) -> StructType:
        """Return the columns of the dataset; raises ConfigurationError for an unknown one."""
        return spark_schema(self._required("dataset"))

    def reader(self, schema: StructType) -> DataSourceReader:
        """Return a reader of the files that ``path`` matches."""
        zones = {
            key.removeprefix("zone.").upper(): value
            for key, value in self.options.items()
            if key.startswith("zone.")
        }
        columns = tuple(schema.names)
        return SmfReader(
            files_of(self._required("path")), self._required("dataset"), columns, zones
        )

    def _required(self, option: str) -> str:
        value = self.options.get(option)
        if not value:
            raise ConfigurationError(
                f"option {option} of format smf is missing",
                remedy=f'Give it with .option("{option}", …), for instance dataset section_qjst.',
            )
        return str(value)


@dataclass
class SmfReader(DataSourceReader):
    """Reader of one dataset of many files."""

    files: Sequence[str]
    dataset: str
    columns: Sequence[str]
    zones: Mapping[str, str]

    def partitions(self) -> Sequence[InputPartition]:
        """Return one partition per file."""
        return [InputPartition(path) for path in self.files]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """Yield the rows of one file as Arrow batches; raises InputError when it cannot be read."""
        path = Path(str(partition.value))
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        for dataset, table in source_for(path, self.zones).read(path, sha256).tables():
            if dataset == self.dataset:
                yield from pa.Table.to_batches(table.select(list(self.columns)))


def spark_schema(dataset: str) -> StructType:
    """Return the columns of a dataset that ``decode`` writes.

    Raises ConfigurationError when there is no such dataset.
    """
    if dataset in _PLAIN:
        return cast("StructType", StructType.fromDDL(_PLAIN[dataset].spark_schema))
    layout = layouts().get(dataset.removeprefix(_SECTION).upper())
    if layout is None or not dataset.startswith(_SECTION):
        raise ConfigurationError(
            "no dataset has this name",
            found=dataset,
            expected="console_event, quarantine, or section_ and the name of a structure",
        )
    return from_arrow_schema(dataset_schema(layout))


def files_of(pattern: str) -> list[str]:
    """Return the files that a path, a folder or a pattern matches, in order.

    Raises InputError when there are none.
    """
    path = Path(pattern)
    matches = sorted(path.rglob("*")) if path.is_dir() else map(Path, sorted(glob(pattern)))  # noqa: PTH207 - absolute patterns too
    files = [str(file.absolute()) for file in matches if file.is_file()]
    if not files:
        raise InputError(
            "no file matches the path", file=pattern, expected="a file, folder or pattern"
        )
    return files
