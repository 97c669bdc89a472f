"""What the typed figure of a change says: the kind of thing that is typed, and how much.

Rules end their advice in the text that a person types (``CYL(4883)``). A program that writes
control statements needs its parts; every form that a rule may use is listed here.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple


class TypedKind(StrEnum):
    """Where the figure is typed."""

    cylinders = "cylinders"
    """Space of one data set: an active log or a page set."""
    more_data_sets = "more_data_sets"
    """So many further data sets of that size in each copy."""
    buffers = "buffers"
    structure_kib = "structure_kib"
    memlimit_gib = "memlimit_gib"
    maxchl = "maxchl"
    outbuff_kb = "outbuff_kb"
    log_compression = "log_compression"
    engines = "engines"
    channels = "channels"
    queue_managers = "queue_managers"


class Typed(NamedTuple):
    """A figure and, for data sets, how many of them."""

    kind: TypedKind
    amount: int
    data_sets: int = 1


_FORMS: Final = (
    (TypedKind.more_data_sets, re.compile(r"(?P<data_sets>\d+) x CYL\((?P<amount>\d+)\)")),
    (TypedKind.cylinders, re.compile(r"CYL\((?P<amount>\d+)\)")),
    (TypedKind.buffers, re.compile(r"BUFFERS\((?P<amount>\d+)\)")),
    (TypedKind.structure_kib, re.compile(r"SIZE\((?P<amount>\d+)K\)")),
    (TypedKind.memlimit_gib, re.compile(r"MEMLIMIT=(?P<amount>\d+)G")),
    (TypedKind.maxchl, re.compile(r"MAXCHL\((?P<amount>\d+)\)")),
    (TypedKind.outbuff_kb, re.compile(r"OUTBUFF=(?P<amount>\d+)")),
    (TypedKind.log_compression, re.compile(r"COMPLOG=RLE")),
    (TypedKind.engines, re.compile(r"ICF engines: (?P<amount>\d+)")),
    (TypedKind.channels, re.compile(r"(?P<amount>\d+) channels?")),
    (TypedKind.queue_managers, re.compile(r"(?P<amount>\d+) queue managers?")),
)


def parse(typed: str) -> Typed | None:
    """The parts of a change's ``typed``; ``None`` for a text of no known form."""
    for kind, form in _FORMS:
        match = form.fullmatch(typed)
        if match is not None:
            parts = match.groupdict()
            return Typed(kind, int(parts.get("amount", 0)), int(parts.get("data_sets", 1)))
    return None
