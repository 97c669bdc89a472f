"""Telling from the content how a dump is framed, or what else the file is.

Each framing is tried from the start; the one that finds most believable record headers wins.
When none finds any, the beginning may be damaged: the first believable place decides.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from domain.errors import InputError
from ingest.smf.believe import DESCRIPTOR_BYTES, is_header
from ingest.smf.content import GZIP_MAGIC, HEAD_BYTES
from ingest.smf.framers import (
    COMPLETE,
    FIRST,
    BdwFramer,
    DamageError,
    Framer,
    NordwFramer,
    RdwFramer,
)

TRIED_SEGMENTS: Final = 16
_REPLACEMENT: Final = b"\xef\xbf\xbd"
_FEW: Final = 8
_TERSE_FIRST_BYTES: Final = frozenset({1, 2, 5})
_EYECATCHERS_IN_ASCII: Final = (b"QJST", b"QMST", b"QPST", b"QIS1", b"QCCT", b"QCST", b"QSST")
_BINARY_REMEDY: Final = (
    "Ask for the dump again, transferred in binary with record descriptor words"
    " (FTP: binary, quote site rdw)."
)


class Framing(StrEnum):
    """How records lie in the file."""

    BDW = "bdw"
    """Block descriptor words, then segments with record descriptor words."""
    RDW = "rdw"
    """Whole records with their descriptor words."""
    RDWSEG = "rdwseg"
    """As ``rdw``, with long records in several segments."""
    NORDW = "nordw"
    """Records without descriptor words."""


def framer_of(framing: Framing, view: memoryview) -> Framer:
    """The framer that reads a framing."""
    if framing is Framing.BDW:
        return BdwFramer(view)
    return NordwFramer(view) if framing is Framing.NORDW else RdwFramer(view)


def detect(view: memoryview) -> Framing | None:
    """The framing of a content (or of its first 64 KiB); None when it is no SMF dump."""
    head = view[:HEAD_BYTES]
    if _is_text_transfer(bytes(head)):
        return None
    tried = (Framing.BDW, Framing.RDW, Framing.NORDW)
    scores = {framing: _believable(framer_of(framing, head), head) for framing in tried}
    best = max(tried, key=lambda framing: scores[framing])
    return best if scores[best] else _behind_damage(head)


def diagnose(file: str, head: bytes) -> InputError:
    """The error for a file that is no SMF dump, as precise as its beginning allows."""
    if not head:
        return InputError("the file is empty or cannot be unpacked", file=file, expected="a dump")
    if _is_text_transfer(head) or any(word in head for word in _EYECATCHERS_IN_ASCII):
        return InputError(
            "the dump was transferred as text, which destroys it",
            file=file,
            found="characters that were translated or line ends that were inserted",
            expected="the bytes as they were on the mainframe",
            remedy=_BINARY_REMEDY,
        )
    if head[0] in _TERSE_FIRST_BYTES and not head.startswith(GZIP_MAGIC):
        return InputError(
            "not an SMF dump; it looks like a file packed with TERSE",
            file=file,
            found=f"first byte {head[0]:02x}",
            expected="an SMF dump",
            remedy="Unpack it on the mainframe (AMATERSE UNPACK) and transfer it in binary.",
        )
    return InputError(
        "not an SMF dump",
        file=file,
        found=f"first bytes {head[:16].hex(' ')}",
        expected="a record or block descriptor word, or a record header with a packed date",
        remedy=_BINARY_REMEDY,
    )


def _believable(framer: Framer, head: memoryview, position: int = 0) -> int:
    """Record headers that a framing finds one after another, as far as the head reaches."""
    found = 0
    for _ in range(TRIED_SEGMENTS):
        try:
            code, base, end = framer.segment(position)
        except DamageError:
            break
        if code in {COMPLETE, FIRST}:
            if not is_header(head, base + DESCRIPTOR_BYTES):
                break
            found += 1
        position = end
    return found


def _behind_damage(head: memoryview) -> Framing | None:
    """The framing of what follows a damaged beginning."""
    scores: dict[Framing, int] = {}
    for framing in (Framing.RDW, Framing.BDW, Framing.NORDW):
        framer = framer_of(framing, head)
        place = framer.resume(0)
        if place < len(head):
            scores[framing] = _believable(framer, head, place)
    return max(scores, key=lambda framing: scores[framing]) if scores else None


def _is_text_transfer(head: bytes) -> bool:
    """Whether bytes were replaced or line ends inserted, as a text-mode transfer does."""
    line_ends, with_return = head.count(b"\n"), head.count(b"\r\n")
    all_with_return = with_return == line_ends and with_return > _FEW
    return head.count(_REPLACEMENT) > _FEW or all_with_return
