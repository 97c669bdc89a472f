"""MQ messages of a console log with time, system, queue manager and text, for display."""

from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.domain.errors import InputError
from mqcap.files import sha256_of
from mqcap.ingest.console import source as console_log
from mqcap.ingest.registry import source_for
from mqcap.ingest.shown_reading import shown_tables

ACTION_CODES: Final = frozenset("AED")
"""Type codes that end the ids of messages which require action: immediate action, eventual
action, decision."""


class MqMessage(NamedTuple):
    """Message of MQ; ``qmgr`` is None where neither its prefix nor the started task names it."""

    at_utc: datetime
    smfid: str
    qmgr: str | None
    message_id: str
    text: str

    @property
    def requires_action(self) -> bool:
        """True when the type code of the id asks for action by an operator."""
        return self.message_id[-1] in ACTION_CODES


def mq_messages(
    path: Path, zones: Mapping[str, str], message_ids: Collection[str] = (), name: str = ""
) -> list[MqMessage]:
    """Return the messages of one log that concern capacity or failures, in order of time.

    ``zones`` as in ``source_for``; ``message_ids``, unless empty, selects messages by id. How far
    the log is read is shown under its name for people.

    Raises:
        InputError: the file is no console log.
    """
    source = source_for(path, zones)
    if source.name != console_log.SOURCE.name:
        raise InputError(
            "no console log", file=path.name, found=f"input of kind {source.name}",
            expected="a hardcopy log (SYSLOG, OPERLOG) or a job log",
        )  # fmt: skip
    reading = source.read(path, sha256_of(path))
    messages = [
        MqMessage(row["event_utc"], row["smfid"], row["qmgr"], row["message_id"], row["text"])
        for dataset, table in shown_tables(reading, path, name or path.name)
        if dataset == CONSOLE_EVENT.name
        for row in table.to_pylist()
        if not message_ids or row["message_id"] in message_ids
    ]
    return sorted(messages, key=lambda message: (message.at_utc, message.smfid, message.text))
