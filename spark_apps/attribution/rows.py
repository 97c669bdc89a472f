"""Rows of one UTC date for attribution, read by a worker from the files of the lake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as pads

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.domain.metric import UNKNOWN_SYSPLEX
from mqcap.ingest.smf.layout import layouts
from mqcap.ingest.smf.sections import dataset_schema
from spark_apps.attribution.arrays import numbers
from spark_apps.transforms.keys import INTERVAL, key_of

SYSTEMS: Final = ("sysplex", "smfid", "qmgr", "cf")
"""Columns of every table that has them, whatever is asked for."""
_ORDER: Final = ("record_hash", "file_sha256")
_CONSOLE: Final = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in ("smfid", "qmgr", "message_id", "text")),
        pa.field("event_utc", pa.timestamp("us", tz="UTC")),
        pa.field("used_31bit_mib", pa.float64()),
        pa.field("file_sha256", pa.string()),
    ]
)
"""The columns of console messages that are used here."""


@dataclass(frozen=True)
class DayRows:
    """The rows that begin on a UTC date: each once, with its sysplex.

    Rows without interval, or of a coupling facility without a name, are not among them.
    """

    day: date
    files: Mapping[str, Sequence[str]]
    """Files by dataset; other dates may be in them."""
    repeated: frozenset[str]
    """Datasets of which the files may hold a row more than once."""
    sysplex_by_smfid: Mapping[str, str]
    sysplex_by_qmgr: Mapping[str, str]

    def of(self, dataset: str, *columns: str) -> pa.Table:
        """Return columns of a dataset, beside those of system, subject and interval.

        Names are encoded as a dictionary. Raises OSError when a file cannot be read.
        """
        schema = section_schema(dataset)
        time_column = "event_utc" if dataset == CONSOLE_EVENT.name else INTERVAL[0]
        always = {*SYSTEMS, *INTERVAL, time_column}
        key = {*key_of(dataset), *_ORDER} if dataset in self.repeated else set()
        read = [name for name in schema.names if name in {*always, *key, *columns}]
        rows = self._read(dataset, pa.schema([schema.field(name) for name in read]), time_column)
        rows = with_sysplex(rows, self.sysplex_by_smfid, self.sysplex_by_qmgr)
        if key:
            rows = _once(rows, [name for name in key_of(dataset) if name in rows.column_names])
        return rows.select([name for name in rows.column_names if name in {*always, *columns}])

    def _read(self, dataset: str, schema: pa.Schema, time_column: str) -> pa.Table:
        """Return the rows of the date; names that are not null as a dictionary."""
        encoded = pa.schema([_encoded(field) for field in schema])
        files = list(self.files.get(dataset, ()))
        if not files:
            return encoded.empty_table()
        names = [field.name for field in schema if pa.types.is_string(field.type)]
        options = pads.ParquetReadOptions(dictionary_columns=names)
        source = pads.dataset(
            files, schema=encoded, format=pads.ParquetFileFormat(read_options=options)
        )
        begin = datetime.combine(self.day, time(), UTC)
        moment = pc.field(time_column)
        wanted = (moment >= begin) & (moment < begin + timedelta(days=1))
        for name in {INTERVAL[1], "cf"} & set(schema.names):
            wanted &= pc.field(name).is_valid()
        table = source.to_table(filter=wanted, use_threads=False)
        return table.unify_dictionaries().combine_chunks()


def section_schema(dataset: str) -> pa.Schema:
    """Return the columns of a dataset as they are in its files."""
    if dataset == CONSOLE_EVENT.name:
        return _CONSOLE
    return dataset_schema(layouts()[dataset.removeprefix("section_").upper()])


def with_sysplex(
    table: pa.Table, sysplex_by_smfid: Mapping[str, str], sysplex_by_qmgr: Mapping[str, str]
) -> pa.Table:
    """Return rows with column ``sysplex``, as ``spark_apps.transforms.deduplicate`` has it."""
    names = table.column_names
    sources = [_looked_up(table["smfid"], sysplex_by_smfid)]
    if "qmgr" in names:
        sources.append(_looked_up(table["qmgr"], sysplex_by_qmgr))
    if "sysplex" in names:
        own = table["sysplex"].cast(pa.string())
        sources.insert(0, pc.if_else(pc.equal(own, ""), None, own))
        table = table.drop_columns("sysplex")
    found = pc.coalesce(*sources, UNKNOWN_SYSPLEX)
    return table.append_column("sysplex", pc.dictionary_encode(found))


def _encoded(field: pa.Field) -> pa.Field:
    if pa.types.is_string(field.type):
        return pa.field(field.name, pa.dictionary(pa.int32(), pa.string()))
    return field


def _looked_up(column: Any, names: Mapping[str, str]) -> Any:
    """Return the value of each name, null where there is none."""
    encoded = column.combine_chunks()
    values = pa.array([names.get(name) for name in encoded.dictionary.to_pylist()], pa.string())
    return values.take(encoded.indices)


def _once(table: pa.Table, key: Sequence[str]) -> pa.Table:
    """Return one row per key: the one with the lowest record hash, as Spark keeps it."""
    texts = table["file_sha256"].cast(pa.string())
    plain = table.set_column(table.schema.get_field_index("file_sha256"), "file_sha256", texts)
    order = [(name, "ascending") for name in _ORDER if name in table.column_names]
    places = pc.sort_indices(plain, sort_keys=order)
    sorted_rows = table.select(list(key)).take(places).append_column("place", places)
    kept = sorted_rows.group_by(list(key), use_threads=False).aggregate([("place", "first")])
    first = numbers(kept["place_first"])
    return table.take(pa.array(first))
