"""Write records to a dump file in one of the four framings in which dumps are transferred."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Final

from mqcap.domain.errors import ConfigurationError
from mqcap.files import write_bytes

LOGICAL_RECORD_MAX_BYTES: Final = 32_756
"""Longest record, RDW included, that VBS data sets of LRECL 32760 hold."""
BLOCK_BYTES: Final = 27_998
_SEGMENT_MIN_BYTES: Final = 8


class WrittenFraming(StrEnum):
    """Framings that can be written."""

    rdw = "rdw"
    """Record descriptor words, records in one piece."""
    rdwseg = "rdwseg"
    """Record descriptor words, long records in several segments."""
    bdw = "bdw"
    """Blocks with descriptor words, records spanning them."""
    nordw = "nordw"
    """Records one after another, descriptor words removed."""


def write_dump(
    path: Path,
    records: Iterable[bytes],
    framing: WrittenFraming | str = WrittenFraming.rdw,
    *,
    segment_bytes: int = BLOCK_BYTES - 4,
) -> None:
    """Write records (each with its RDW in front); the file appears only when complete.

    ``segment_bytes`` is the longest segment of ``rdwseg``, RDW included; a small one forces
    spanning.
    """
    write_bytes(path, b"".join(_framed(records, WrittenFraming(framing), segment_bytes)))


def _framed(
    records: Iterable[bytes], framing: WrittenFraming, segment_bytes: int
) -> Iterable[bytes]:
    if framing is WrittenFraming.rdw:
        return records
    if framing is WrittenFraming.nordw:
        return (record[4:] for record in records)
    if framing is WrittenFraming.rdwseg:
        return (segment for record in records for segment in _segments(record, [], segment_bytes))
    return _blocks(records)


def _segments(record: bytes, first_limits: list[int], limit: int) -> Iterator[bytes]:
    """Yield the segments of one record; ``first_limits`` are used up before ``limit`` counts."""
    if len(record) > LOGICAL_RECORD_MAX_BYTES:
        raise ConfigurationError(
            f"a record of {len(record)} bytes cannot be written",
            expected=f"at most {LOGICAL_RECORD_MAX_BYTES} bytes",
        )
    data = record[4:]
    place = 0
    while place < len(data) or place == 0:
        room = (first_limits.pop(0) if first_limits else limit) - 4
        piece = data[place : place + room]
        is_first, is_last = place == 0, place + len(piece) >= len(data)
        code = 0 if is_first and is_last else 1 if is_first else 2 if is_last else 3
        yield (len(piece) + 4).to_bytes(2, "big") + bytes([code, 0]) + piece
        place += max(len(piece), 1)


def _blocks(records: Iterable[bytes]) -> Iterator[bytes]:
    """Yield blocks filled to the last byte, except where less than a segment would fit."""
    segments: list[bytes] = []
    used = 4
    for record in records:
        left = BLOCK_BYTES - used
        first = [left] if left >= _SEGMENT_MIN_BYTES else []
        for segment in _segments(record, first, BLOCK_BYTES - 4):
            if used + len(segment) > BLOCK_BYTES:
                yield _block(segments)
                segments, used = [], 4
            segments.append(segment)
            used += len(segment)
    if segments:
        yield _block(segments)


def _block(segments: list[bytes]) -> bytes:
    body = b"".join(segments)
    return (len(body) + 4).to_bytes(2, "big") + b"\0\0" + body
