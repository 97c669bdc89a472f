"""Read messages of console and error logs from the lake, without Spark."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

import pyarrow.compute as pc

from mqcap.domain.datasets import CONSOLE_EVENT, Dataset
from mqcap.lake.layout import rows_path
from mqcap.lake.location import Location
from mqcap.lake.manifest import Manifest
from mqcap.lake.readers import as_utc, instant
from mqcap.lake.tables import read_rows

_COLUMNS: Final = ("smfid", "qmgr", "event_utc", "message_id", "text", "object_name", "amount",
                   "line_number", "file_sha256")  # fmt: skip


def console_events(
    lake: Location,
    sources: Collection[Manifest],
    message_ids: Collection[str],
    begin: datetime,
    end: datetime,
) -> list[dict[str, Any]]:
    """Return the messages of these ids in ``[begin, end)`` from delivered files, by time.

    A message that several files hold comes once, from the file that has it first by name. Keys
    are columns of ``console_event``.
    """
    return message_rows(lake, CONSOLE_EVENT, _COLUMNS, sources, Wanted(message_ids, begin, end))


class Wanted(NamedTuple):
    """The messages to read: their ids, and the time ``[begin, end)``."""

    message_ids: Collection[str]
    begin: datetime
    end: datetime


def message_rows(
    lake: Location,
    dataset: Dataset,
    columns: Sequence[str],
    sources: Collection[Manifest],
    wanted: Wanted,
) -> list[dict[str, Any]]:
    """Return these columns of the wanted messages of a dataset, by time.

    A message that several files of one sysplex or site hold comes once, from the file that has it
    first by name.
    """
    paths = [
        path
        for source in sources
        if dataset.name in source.rows
        and (path := rows_path(lake, dataset.name, source.received_date, source.sha256))
        and path.is_file()
    ]
    if not paths:
        return []
    chosen = (
        pc.field("message_id").isin(sorted(wanted.message_ids))
        & (pc.field("event_utc") >= instant(wanted.begin))
        & (pc.field("event_utc") < instant(wanted.end))
    )
    table = read_rows(paths, columns, chosen)
    names = {source.sha256: source.name for source in sources}
    rows = [row | {"event_utc": as_utc(row["event_utc"])} for row in table.to_pylist()]
    rows.sort(key=lambda row: (row["event_utc"], names[row["file_sha256"]], row["line_number"]))
    roots = {source.sha256: source.root for source in sources}
    unique = {
        (roots[row["file_sha256"]], *(row[name] for name in dataset.key)): row
        for row in reversed(rows)
    }
    return list(reversed(unique.values()))
