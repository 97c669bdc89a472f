"""The things that a change pack changes, and which changes of findings concern each of them."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_uppercase
from typing import Final, NamedTuple

from mqcap.domain.finding import Change, Finding
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.typed_amount import TypedAmount, TypedKind

TOPIC_NAMES: Final = {
    "logs": "active logs",
    "page_set": "page set",
    "buffers": "buffer pool",
    "structure_kib": "size of a CF structure",
    "memlimit_gib": "MEMLIMIT",
    "maxchl": "MAXCHL",
    "outbuff_kb": "OUTBUFF",
    "log_compression": "log compression",
    "maxarch": "MAXARCH",
    "adapters": "CHIADAPS",
    "smds_buffers": "DSBUFS",
    "batch_interval_ms": "BATCHINT",
    "processes": "MAXPROCUSER",
}
"""Topics with statements, and how a heading names them."""
BY_HAND: Final = "by_hand"
"""The topic of every change without statements."""


class Target(NamedTuple):
    """Object that is changed; all changes of it are written together."""

    sysplex: str
    names: tuple[str, ...]
    """Its path below the sysplex, such as ``("CSQ1", "BP01")``."""
    topic: str

    @property
    def heading(self) -> str:
        """Sysplex, name and topic for the reader."""
        topic = TOPIC_NAMES.get(self.topic, "by hand")
        return f"{self.sysplex} {' '.join(self.names)}: {topic}"

    @property
    def owner(self) -> str:
        """The queue manager, or the structure itself."""
        return self.names[0]

    @property
    def number(self) -> int | None:
        """Number of the buffer pool or page set: 1 of ``BP01``; ``None`` for other names."""
        digits = self.names[-1].lstrip(ascii_uppercase)
        return int(digits) if len(self.names) > 1 and digits.isdecimal() else None

    @classmethod
    def of(cls, subject: str, amount: TypedAmount | None) -> Target:
        """Return the target that a change of this subject concerns.

        A structure belongs to the policy of its sysplex, whichever CF it is allocated in; active
        logs belong to the queue manager.
        """
        sysplex, *rest = subject.split(SERIES_SEPARATOR)
        names = tuple(rest)
        kind = amount.kind if amount else None
        if kind in {TypedKind.cylinders, TypedKind.more_data_sets} and len(names) == 1:
            return cls(sysplex, names, "logs")
        if kind is TypedKind.structure_kib:
            return cls(sysplex, names[-1:], str(kind))
        if kind is TypedKind.cylinders:
            return cls(sysplex, names, "page_set")
        return cls(sysplex, names, str(kind) if str(kind) in TOPIC_NAMES else BY_HAND)


class RequestedChange(NamedTuple):
    """Change that a finding recommends, with its target."""

    target: Target
    finding: Finding
    change: Change


def amounts_of(changes: Iterable[RequestedChange]) -> tuple[TypedAmount, ...]:
    """Return the amounts of the changes that have one."""
    amounts = (requested.change.amount for requested in changes)
    return tuple(amount for amount in amounts if amount is not None)
