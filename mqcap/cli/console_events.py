"""Console messages of MQ in logs, as a person reads them: when, where, who, what it said."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from mqcap.domain.content_hash import sha256_of
from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.domain.errors import InputError
from mqcap.ingest.console import source as console_log
from mqcap.ingest.registry import source_for

NEEDS_SOMEONE: Final = frozenset("AED")
"""Last letters of messages that ask for action: immediate action, eventual action, decision."""


class ConsoleEvent(NamedTuple):
    """One message; ``qmgr`` is None where neither prefix nor started task tells it."""

    at_utc: datetime
    smfid: str
    qmgr: str | None
    message_id: str
    text: str

    @property
    def needs_someone(self) -> bool:
        """Whether the product itself says that somebody has to act."""
        return self.message_id[-1] in NEEDS_SOMEONE


def console_events(
    path: Path, zones: Mapping[str, str], message_ids: Collection[str] = ()
) -> list[ConsoleEvent]:
    """The messages of one log that carry capacity figures or troubles, in order of time.

    ``zones`` as in ``source_for``; ``message_ids`` leaves out all others. Raises InputError
    when the file is no console log.
    """
    source = source_for(path, zones)
    if source.name != console_log.SOURCE.name:
        raise InputError(
            "no console log", file=path.name, found=f"input of kind {source.name}",
            expected="a hardcopy log (SYSLOG, OPERLOG) or a job log",
        )  # fmt: skip
    found = [
        event
        for row in _rows(source.read(path, sha256_of(path)).tables())
        if (event := _event(row)).message_id in (message_ids or {event.message_id})
    ]
    return sorted(found, key=lambda event: (event.at_utc, event.smfid, event.text))


def _rows(tables: Iterator[tuple[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for dataset, table in tables:
        if dataset == CONSOLE_EVENT.name:
            yield from table.to_pylist()


def _event(row: Mapping[str, Any]) -> ConsoleEvent:
    return ConsoleEvent(row["event_utc"], row["smfid"], row["qmgr"], row["message_id"], row["text"])
