"""Patterns of SMF record headers, and the search for the next position that matches one.

Time (hundredths below 8 640 000) and packed date 0CYYDDDF are 8 bytes that are rare elsewhere.
"""

import re
from collections.abc import Collection, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mqcap.ingest.smf.dump_file import Bytes
from mqcap.ingest.smf.strided_read import strided_rows

DESCRIPTOR_BYTES: Final = 4
SHORTEST_RECORD_BYTES: Final = 18
"""A header without subtype, descriptor word included: dump header and trailer (types 2, 3)."""
SHORTEST_SEGMENT_BYTES: Final = 5
LONGEST_RECORD_BYTES: Final = 32_760
HEADER_TYPES_WITHOUT_SUBTYPE: Final = frozenset({2, 3})

_ANY: Final = range(256)
_DIGITS: Final = [code for code in _ANY if code >> 4 <= 9 and code & 15 <= 9]
_LAST_DIGIT: Final = [code for code in _ANY if code >> 4 <= 9 and code & 15 == 15]
_TIME_AND_DATE: Final = (
    [0],
    range(0x84),
    _ANY,
    _ANY,
    [0, 1],
    _DIGITS,
    [code for code in _DIGITS if code < 0x40],
    _LAST_DIGIT,
)
"""The codes that each byte of time and date may have."""
_TIME_AT: Final = 2
"""Their offset behind the flag byte of a header."""
_MAY_BE: Final = np.array([[code in codes for code in _ANY] for codes in _TIME_AND_DATE])


def _pattern(*before: Collection[int]) -> re.Pattern[bytes]:
    """Return the pattern of time and date behind bytes that may have these codes."""
    classes = (
        b"." if codes is _ANY else b"[" + re.escape(bytes(codes)) + b"]"
        for codes in (*before, *_TIME_AND_DATE)
    )
    return re.compile(b"".join(classes), re.DOTALL)


_HEADER: Final = _pattern(_ANY, _ANY)
_WITH_RDW: Final = _pattern(_ANY, _ANY, [0, 1], [0], _ANY, _ANY)
_WITHOUT_RDW: Final = _pattern([code for code in _ANY if code & 0x1E == 0x1E], _ANY)


def is_header(view: memoryview, flag_at: int) -> bool:
    """Return whether the bytes from ``flag_at`` on match a record header, from its flag byte on."""
    return _HEADER.match(view, flag_at) is not None


def are_headers(content: Bytes, flags_at: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the answers of ``is_header`` for many places of a content."""
    raw = strided_rows(content, flags_at + _TIME_AT, len(_MAY_BE))
    fits: NDArray[np.bool_] = np.logical_and.reduce(_MAY_BE[np.arange(len(_MAY_BE)), raw], axis=1)
    return fits & (flags_at + _TIME_AT + len(_MAY_BE) <= len(content))


def is_bare_header(view: memoryview, flag_at: int) -> bool:
    """Return the same for a record without descriptor word: the flag byte must match as well."""
    return _WITHOUT_RDW.match(view, flag_at) is not None


def candidates(view: memoryview, start: int, *, with_rdw: bool) -> Iterator[int]:
    """Yield places from ``start`` on where a record may begin, ascending, overlapping ones too."""
    pattern = _WITH_RDW if with_rdw else _WITHOUT_RDW
    while (match := pattern.search(view, start)) is not None:
        yield match.start()
        start = match.start() + 1
