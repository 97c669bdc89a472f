"""Detection of the framing of a dump from its content.

Each framing is tried from the start; the one that finds most record headers wins.
When none finds any, the beginning may be corrupt: the first plausible position decides.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from mqcap.ingest.smf.diagnosis import is_text_transfer
from mqcap.ingest.smf.dump_file import HEAD_BYTES
from mqcap.ingest.smf.framers import (
    COMPLETE,
    FIRST,
    BdwFramer,
    CorruptDataError,
    Framer,
    NordwFramer,
    RdwFramer,
)
from mqcap.ingest.smf.header_pattern import DESCRIPTOR_BYTES, is_header

TRIED_SEGMENTS: Final = 16


class Framing(StrEnum):
    """The framing of the records in a file."""

    BDW = "bdw"
    """Block descriptor words, then segments with record descriptor words."""
    RDW = "rdw"
    """Complete records with their descriptor words."""
    RDWSEG = "rdwseg"
    """As ``rdw``, with long records in several segments."""
    NORDW = "nordw"
    """Records without descriptor words."""


def framer_of(framing: Framing, view: memoryview) -> Framer:
    """Return the framer that reads a framing."""
    if framing is Framing.BDW:
        return BdwFramer(view)
    return NordwFramer(view) if framing is Framing.NORDW else RdwFramer(view)


def detect(view: memoryview) -> Framing | None:
    """Return the framing of a content (or of its first 64 KiB); None when it is no SMF dump."""
    head = view[:HEAD_BYTES]
    if is_text_transfer(bytes(head)):
        return None
    tried = (Framing.BDW, Framing.RDW, Framing.NORDW)
    scores = {framing: _header_count(framer_of(framing, head), head) for framing in tried}
    best = max(tried, key=lambda framing: scores[framing])
    return best if scores[best] else _after_corrupt_data(head)


def _header_count(framer: Framer, head: memoryview, position: int = 0) -> int:
    """Return the number of record headers that a framing finds one after another in the head."""
    count = 0
    for _ in range(TRIED_SEGMENTS):
        try:
            code, base, end = framer.segment(position)
        except CorruptDataError:
            break
        if code in {COMPLETE, FIRST}:
            if not is_header(head, base + DESCRIPTOR_BYTES):
                break
            count += 1
        position = end
    return count


def _after_corrupt_data(head: memoryview) -> Framing | None:
    """Return the framing of the content after a corrupt beginning."""
    scores: dict[Framing, int] = {}
    for framing in (Framing.RDW, Framing.BDW, Framing.NORDW):
        framer = framer_of(framing, head)
        place = framer.resume(0)
        if place < len(head):
            scores[framing] = _header_count(framer, head, place)
    return max(scores, key=lambda framing: scores[framing]) if scores else None
