"""MQ messages of a console log with time, system, queue manager and text, for display."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.domain.errors import InputError
from mqcap.files import sha256_of
from mqcap.ingest.registry import source_for
from mqcap.ingest.shown_reading import shown_tables


def mq_messages(
    path: Path, zones: Mapping[str, str], message_ids: Collection[str] = (), name: str = ""
) -> list[dict[str, Any]]:
    """Return events of a log by time, of these ids if there are any; InputError: no console log."""
    source = source_for(path, zones)
    if source.name != "console":
        raise InputError(
            "no console log",
            file=path.name,
            found=f"input of kind {source.name}",
            expected="a hardcopy log (SYSLOG, OPERLOG) or a job log",
        )
    events = [
        row
        for dataset, table in shown_tables(
            source.read(path, sha256_of(path)), path, name or path.name
        )
        if dataset == CONSOLE_EVENT.name
        for row in table.to_pylist()
        if not message_ids or row["message_id"] in message_ids
    ]
    return sorted(events, key=lambda row: (row["event_utc"], row["smfid"], row["text"]))


def requires_action(message_id: str) -> bool:
    """Return whether the type code of an id asks for action: immediate, decision or eventual."""
    return message_id[-1] in "ADE"
