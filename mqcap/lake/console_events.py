"""Read console messages from the lake, without Spark."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import pyarrow.compute as pc
import pyarrow.dataset as pds

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.lake.layout import rows_path
from mqcap.lake.manifest import Manifest
from mqcap.lake.readers import as_utc, instant

_COLUMNS: Final = ("smfid", "qmgr", "event_utc", "message_id", "text", "object_name", "amount",
                   "line_number", "file_sha256")  # fmt: skip


def console_events(
    lake: Path,
    sources: Collection[Manifest],
    message_ids: Collection[str],
    begin: datetime,
    end: datetime,
) -> list[dict[str, Any]]:
    """Return the messages of these ids in ``[begin, end)`` from delivered files, by time.

    A message that several files hold comes once, from the file that has it first by name. Keys
    are columns of ``console_event``.
    """
    paths = [
        path
        for source in sources
        if CONSOLE_EVENT.name in source.rows
        and (path := rows_path(lake, CONSOLE_EVENT.name, source.received_date, source.sha256))
        and path.is_file()
    ]
    if not paths:
        return []
    wanted = (
        pc.field("message_id").isin(sorted(message_ids))
        & (pc.field("event_utc") >= instant(begin))
        & (pc.field("event_utc") < instant(end))
    )
    table = pds.dataset([str(path) for path in paths], format="parquet").to_table(
        columns=list(_COLUMNS), filter=wanted
    )
    names = {source.sha256: source.name for source in sources}
    rows = [row | {"event_utc": as_utc(row["event_utc"])} for row in table.to_pylist()]
    rows.sort(key=lambda row: (row["event_utc"], names[row["file_sha256"]], row["line_number"]))
    unique = {tuple(row[name] for name in CONSOLE_EVENT.key): row for row in reversed(rows)}
    return list(reversed(unique.values()))
