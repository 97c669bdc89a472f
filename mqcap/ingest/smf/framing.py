"""Detection of the framing of a dump from its content.

Each form is tried from the start; the one with the longest chain of record headers wins. When
none finds any, the beginning may be corrupt: the first plausible position decides. A file may be
several dumps of different forms, so the walker asks again where its form ends.

Some records stand behind a length of another form than a record descriptor word. Record-mode
downloads (z/OSMF, Zowe) put a binary length of four bytes before each record, which neither counts
itself nor keeps the descriptor word; other tools write two bytes, exchange their order, count them
or leave the descriptor word behind them. The headers tell which form it is.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import islice, product
from typing import Final, Literal

from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.dump_file import HEAD_BYTES
from mqcap.ingest.smf.framers import (
    COMPLETE,
    FIRST,
    BdwFramer,
    CorruptDataError,
    Framer,
    NordwFramer,
    RdwFramer,
    Segment,
)
from mqcap.ingest.smf.header_pattern import (
    DESCRIPTOR_BYTES,
    LONGEST_RECORD_BYTES,
    SHORTEST_RECORD_BYTES,
    candidates,
    is_header,
)

_ORDERS: Final[tuple[Literal["big", "little"], ...]] = ("big", "little")
_BYTES_OF_LENGTH: Final = 2
"""No record is longer than two bytes can tell; the others of four are zero."""


@dataclass
class LengthFramer(Framer):
    """Complete records, each behind a length."""

    bytes_count: int
    """Of the length."""
    length_at: int
    """Place of the two bytes that hold it; the others are zero."""
    order: Literal["big", "little"]
    counts_itself: bool
    keeps_rdw: bool
    """The descriptor word of the record follows."""

    @property
    def header_at(self) -> int:
        """Offset of the flag byte of the record."""
        return self.bytes_count + (DESCRIPTOR_BYTES if self.keeps_rdw else 0)

    def segment(self, position: int) -> Segment:
        """Return the record whose length is here."""
        view = self.view
        if len(view) - position < self.header_at:
            raise CorruptDataError("the file ends inside a record length", Corruption.truncated)
        word = bytes(view[position : position + self.bytes_count])
        length = word[self.length_at : self.length_at + _BYTES_OF_LENGTH]
        has_zeros = not any(word[: self.length_at] + word[self.length_at + _BYTES_OF_LENGTH :])
        size = int.from_bytes(length, self.order) + (0 if self.counts_itself else len(word))
        base = position + self.header_at - DESCRIPTOR_BYTES
        end = position + size
        kept = bytes(view[base : base + _BYTES_OF_LENGTH])
        if (
            not has_zeros
            or not SHORTEST_RECORD_BYTES <= end - base <= LONGEST_RECORD_BYTES
            or not is_header(view, base + DESCRIPTOR_BYTES)
            or (
                self.keeps_rdw
                and end - base not in {int.from_bytes(kept, order) for order in _ORDERS}
            )
        ):
            raise CorruptDataError(
                "no record length with a record header behind it", Corruption.wrong_length
            )
        self._must_hold(end)
        return Segment(COMPLETE, base, end)

    def _candidates(self, start: int) -> Iterator[int]:
        for flag_at in candidates(self.view, start + self.header_at, with_rdw=False):
            yield flag_at - self.header_at

    def _goes_on(self, end: int) -> bool:
        return self.segment(end).end > end


TRIED_SEGMENTS: Final = 16
_SURE_SEGMENTS: Final = 2
"""Headers in a row that make a form sure in the middle of a file."""
_CONVINCING_SEGMENTS: Final = 4
"""The same where the next length leads nowhere (ours)."""
_TRIED_PLACES: Final = 64
"""Header patterns that are tried for another form behind corrupt data (ours)."""
_REPLACEMENT: Final = b"\xef\xbf\xbd"
_FEW: Final = 8
_LARGE: Final = 0x80


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
    LENGTH = "length"
    """A length of another form before each record, as record-mode downloads have it."""


@dataclass(frozen=True)
class DumpForm:
    """A framing with its details: the order of bytes, the form of the lengths."""

    framing: Framing
    framer: Callable[[memoryview], Framer]
    header_at: int
    """Offset of the flag byte in the first record."""


LENGTH_FRAMERS: Final = tuple(
    partial(
        LengthFramer,
        bytes_count=size,
        length_at=at,
        order=order,
        counts_itself=counts_itself,
        keeps_rdw=keeps_rdw,
    )
    for keeps_rdw, (size, at), order, counts_itself in product(
        (False, True), ((4, 2), (4, 0), (2, 0)), _ORDERS, (False, True)
    )
    if (size, at, counts_itself, keeps_rdw) != (4, 0, True, False)
)
"""All forms but that of descriptor words themselves."""
FORMS: Final = (
    DumpForm(Framing.BDW, BdwFramer, 2 * DESCRIPTOR_BYTES),
    DumpForm(Framing.RDW, RdwFramer, DESCRIPTOR_BYTES),
    DumpForm(Framing.NORDW, NordwFramer, 0),
    DumpForm(Framing.RDW, partial(RdwFramer, little=True), DESCRIPTOR_BYTES),
    DumpForm(Framing.BDW, partial(BdwFramer, little=True), 2 * DESCRIPTOR_BYTES),
    *(
        DumpForm(Framing.LENGTH, framer, framer(memoryview(b"")).header_at)
        for framer in LENGTH_FRAMERS
    ),
)


def detect(view: memoryview) -> DumpForm | None:
    """Return the form of a content (or of its first 64 KiB); None when it is no SMF dump."""
    head = view[:HEAD_BYTES]
    if is_text_transfer(bytes(head)):
        return None
    best = max(FORMS, key=lambda form: _evidence(form, head))
    if _evidence(best, head)[0]:
        return best
    found = next_form(head, 0)
    return found[0] if found else None


def form_at(view: memoryview, position: int) -> DumpForm | None:
    """Return the form of a dump that surely begins at a position in the middle of a content."""
    head = view[position : position + HEAD_BYTES]
    best = max(FORMS, key=lambda form: _evidence(form, head))
    return best if _is_sure(best, _evidence(best, head)) else None


def next_form(view: memoryview, start: int) -> tuple[DumpForm, int] | None:
    """Return the form and position of the next dump that surely begins behind corrupt data."""
    for flag_at in islice(candidates(view, start, with_rdw=False), _TRIED_PLACES):
        sure: list[tuple[int, int]] = []
        for number, form in enumerate(FORMS):
            place = flag_at - form.header_at
            if place < start:
                continue
            # a large block may seem to begin here; unrecognised, it costs its four bytes
            is_large_block = form.framing is Framing.BDW and max(view[place : place + 2]) >= _LARGE
            head = view[place : place + HEAD_BYTES]
            if not is_large_block and _is_sure(form, _evidence(form, head)):
                sure.append((place, number))
        if sure:  # of several the one that explains most of the bytes before the header
            position, number = min(sure)
            return FORMS[number], position
    return None


def is_text_transfer(head: bytes) -> bool:
    """Return whether bytes were replaced or line ends inserted, as a text-mode transfer does."""
    line_ends, with_return = head.count(b"\n"), head.count(b"\r\n")
    all_with_return = with_return == line_ends and with_return > _FEW
    return head.count(_REPLACEMENT) > _FEW or all_with_return


def _is_sure(form: DumpForm, evidence: tuple[int, bool]) -> bool:
    """Return whether a form is sure; records without any length need more of them in a row."""
    count, is_whole = evidence
    needed = _CONVINCING_SEGMENTS if form.framing is Framing.NORDW else _SURE_SEGMENTS
    return count >= needed or (count > 0 and is_whole)


def _evidence(form: DumpForm, head: memoryview) -> tuple[int, bool]:
    """Return how many headers a form finds one after another, and whether they fill the head.

    A few behind lengths of another form prove nothing when the next one leads nowhere.
    """
    framer = form.framer(head)
    count, position, is_broken = 0, 0, False
    for _ in range(TRIED_SEGMENTS):
        try:
            code, base, end = framer.segment(position)
        except CorruptDataError as error:
            is_broken = position < len(head) and Corruption.truncated not in error.kinds
            break
        if code in {COMPLETE, FIRST}:
            if not is_header(head, base + DESCRIPTOR_BYTES):
                break
            count += 1
        position = end
    if form.framing is Framing.LENGTH and is_broken and count < _CONVINCING_SEGMENTS:
        return 0, False
    return count, position == len(head)
