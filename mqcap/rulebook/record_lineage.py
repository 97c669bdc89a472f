"""Records that a figure of a series was made from: file, byte, interval, fields.

Reads the sections of the lake without Spark. The figure itself is not computed again here; what
is shown is what the metric reads.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.datasets import CF_SECTION_COLUMNS, CONSOLE_EVENT, SECTION_COLUMNS
from mqcap.domain.metric import split_series_id
from mqcap.domain.subject import Subject
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.landed_places import LandedPlaces
from mqcap.lake.layout import rows_path
from mqcap.lake.location import Location
from mqcap.lake.readers import as_utc, instant
from mqcap.lake.tables import opened, read_rows
from mqcap.store.models import SourceFileFacts

MOST_RECORDS: Final = 500
"""Sections or messages listed of one dataset at most (ours)."""
FEW_FIELDS: Final = 8
"""Fields shown of a section of which the metric declares none (ours)."""
MESSAGES_BESIDE: Final = timedelta(days=2)
"""Distance before and after an hour in which its bounding messages are searched for (ours)."""

_NUMBERED: Final = {"qpstpool": "BP", "qis1psno": "PS"}
"""Columns that number a part of a queue manager, and the prefix of the part in a subject."""
_ORDER: Final = ("interval_start_utc", "record_hash", "section_index", "file_sha256")
_SYSPLEX: Final = "sysplex"
VOLUME: Final = "r745dvol"
_HEAD: Final = frozenset(SECTION_COLUMNS) | frozenset(CF_SECTION_COLUMNS)


class Record(NamedTuple):
    """Section of a record, or a console message, and its location."""

    file: SourceFileFacts
    place: str
    """``byte 4,590`` of the file's content after decompression, or ``line 12``."""
    what: str
    """Record type and subtype with the section, or the message."""
    smfid: str
    start_utc: datetime
    end_utc: datetime
    """Equal to ``start_utc`` for a message."""
    fields: tuple[tuple[str, str], ...]
    """IBM's names with their values, those that the metric declares."""
    repeated: bool
    """A byte-identical record is listed above; the figure counts it once."""


class Question(NamedTuple):
    """Series and time whose records are looked up."""

    series_id: str
    begin: datetime
    end: datetime
    """Not included."""
    foreign: frozenset[str] = frozenset()
    """SMF ids of other sysplexes, whose queue managers may have the same names."""
    volumes: frozenset[str] = frozenset()
    """Volumes of the subject's logs."""

    @property
    def foreign_systems(self) -> pa.Array:
        """The systems whose rows do not count; those of unknown ones, or without a system, do."""
        return pa.array(sorted(self.foreign), pa.string())

    @property
    def parts(self) -> list[str]:
        """The subject in parts, beginning with the sysplex."""
        return Subject(split_series_id(self.series_id)[1]).names


class Lineage(NamedTuple):
    """The records of one series in one stretch of time."""

    reads: tuple[str, ...]
    """Datasets that the metric is made from; empty when the lake does not know the metric."""
    records: tuple[Record, ...]
    left_off: int
    """Number of sections that are not shown."""


def lineage(lake: Location, files: Sequence[SourceFileFacts], asked: Question) -> Lineage:
    """Return what the lake holds of the subject and the datasets of its metric in a period.

    ``files`` are those with intervals of that time; those of inputs of another sysplex or site do
    not count. What was removed with old days is absent.
    """
    metric = split_series_id(asked.series_id)[0]
    declared = next((entry for entry in metric_catalogue(lake) if entry["name"] == metric), None)
    reads = tuple(declared["reads"]) if declared else ()
    cited = {name.lower() for name in declared.get("fields", ())} if declared else set()
    places = LandedPlaces.load(lake)
    root = asked.parts[0]
    files = [file for file in files if places.root(file.sha256) in {"", root}]
    records: list[Record] = []
    for dataset in reads:
        present = {
            rows_path(lake, dataset, file.received_date, file.sha256): file for file in files
        }
        paths = {path: file for path, file in present.items() if path.is_file()}
        if dataset == CONSOLE_EVENT.name:
            records += _messages(paths, cited, asked)
        elif paths:
            placed = {file.sha256 for file in files if places.root(file.sha256) == root}
            records += _sections(dataset, paths, cited, asked, placed)
    return Lineage(reads, tuple(records[:MOST_RECORDS]), max(0, len(records) - MOST_RECORDS))


def _sections(
    dataset: str,
    paths: Mapping[Location, SourceFileFacts],
    cited: set[str],
    asked: Question,
    placed: set[str],
) -> list[Record]:
    """Return the sections of the subject; all those of ``placed`` files are of its sysplex."""
    with opened(paths) as source:
        schema = source.schema
    names = schema.names
    wanted = (
        (pc.field("interval_start_utc") < instant(asked.end))
        & (pc.field("interval_end_utc") > instant(asked.begin))
        & ~pc.field("smfid").isin(asked.foreign_systems)
    )
    for column, value in _of_subject(names, asked.parts):
        is_its = pc.field(column) == value
        if column == _SYSPLEX and placed:
            is_its |= pc.field("file_sha256").isin(pa.array(sorted(placed), pa.string()))
        wanted &= is_its
    if VOLUME in names:
        wanted &= pc.field(VOLUME).isin(pa.array(sorted(asked.volumes), pa.string()))
    named = [name for name in names if name in cited]
    numbers = [field.name for field in schema if field.name not in _HEAD and _is_figure(field)]
    fields = named or numbers[:FEW_FIELDS]
    columns = [name for name in names if name in _HEAD or name in fields]
    rows = read_rows(paths, columns, wanted).to_pylist()
    rows.sort(key=lambda row: tuple(row[name] for name in _ORDER))
    by_hash = {file.sha256: file for file in paths.values()}
    title = dataset.removeprefix("section_").upper()
    records = []
    seen: set[tuple[Any, ...]] = set()
    for row in rows:
        key = (row["record_hash"], row["section_index"], row["interval_start_utc"])
        kind = f"{row['record_type']}.{row['record_subtype']}"
        record = Record(
            file=by_hash[row["file_sha256"]],
            place=f"byte {row['record_offset_bytes']:,}",
            what=f"{kind} {title} {row['section_index'] + 1}",
            smfid=row["smfid"] or "",
            start_utc=as_utc(row["interval_start_utc"]),
            end_utc=as_utc(row["interval_end_utc"]),
            fields=tuple((field.upper(), _value(row[field])) for field in fields),
            repeated=key in seen,
        )
        records.append(record)
        seen.add(key)
    return records


def _of_subject(names: Sequence[str], parts: Sequence[str]) -> list[tuple[str, Any]]:
    """Return the columns of a section dataset, with values, that identify the subject."""
    columns: list[tuple[str, Any]] = [
        (column, parts[place])
        for column, place in {_SYSPLEX: 0, "qmgr": 1, "cf": 1, "r744snam": 2}.items()
        if column in names and len(parts) > place
    ]
    last = parts[-1] if len(parts) > 2 else ""
    columns += [
        (column, int(last.removeprefix(prefix)))
        for column, prefix in _NUMBERED.items()
        if column in names and last.removeprefix(prefix).isdecimal()
    ]
    return columns


def _is_figure(field: pa.Field) -> bool:
    """Return whether a column counts or measures; identifiers and lengths do not."""
    of_kind = pa.types.is_integer(field.type) or pa.types.is_floating(field.type)
    return of_kind and not field.name.endswith(("id", "ll"))


def _messages(
    paths: Mapping[Location, SourceFileFacts], cited: set[str], asked: Question
) -> list[Record]:
    """Return messages of the queue manager in the period, one before it and one after it."""
    if not paths or len(asked.parts) < 2:
        return []
    begin, end = asked.begin, asked.end
    wanted = (
        (pc.field("qmgr") == asked.parts[1])
        & ~pc.field("smfid").isin(asked.foreign_systems)
        & (pc.field("event_utc") >= instant(begin - MESSAGES_BESIDE))
        & (pc.field("event_utc") < instant(end + MESSAGES_BESIDE))
    )
    named = sorted(field.upper() for field in cited if field.startswith("csq"))
    if named:
        wanted &= pc.field("message_id").isin(named)
    columns = ["smfid", "event_utc", "message_id", "text", "line_number", "file_sha256"]
    rows = read_rows(paths, columns, wanted).to_pylist()
    rows.sort(key=lambda row: (row["event_utc"], row["line_number"] or 0, row["file_sha256"]))
    before = [row for row in rows if as_utc(row["event_utc"]) < begin][-1:]
    within = [row for row in rows if begin <= as_utc(row["event_utc"]) < end]
    after = [row for row in rows if as_utc(row["event_utc"]) >= end][:1]
    by_hash = {file.sha256: file for file in paths.values()}
    records = []
    seen: set[tuple[Any, ...]] = set()
    for row in (*before, *within, *after):
        key = (row["smfid"], row["event_utc"], row["text"])
        at = as_utc(row["event_utc"])
        record = Record(
            file=by_hash[row["file_sha256"]],
            place=f"line {row['line_number']:,}",
            what=row["message_id"],
            smfid=row["smfid"] or "",
            start_utc=at,
            end_utc=at,
            fields=(("text", row["text"]),),
            repeated=key in seen,
        )
        records.append(record)
        seen.add(key)
    return records


def _value(value: Any) -> str:
    if value is None:
        return "absent"
    return f"{value:,}" if isinstance(value, int) else str(value)
