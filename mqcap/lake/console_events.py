"""Read console messages from the lake, without Spark."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.lake.location import Location
from mqcap.lake.manifest import Manifest
from mqcap.lake.message_rows import Wanted, message_rows

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
