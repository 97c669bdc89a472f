"""Patterns of SMF record headers, and the search for the next position that matches one.

Time (hundredths below 8 640 000) and packed date 0CYYDDDF are 8 bytes that are rare elsewhere.
"""

import re
from collections.abc import Iterator
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


def _class_of(tens: int, sign: int | None = None) -> bytes:
    """Return a character class: two digits with the first below ``tens``, or digit and sign."""
    units = range(10) if sign is None else (sign,)
    members = (re.escape(bytes([16 * ten + unit])) for ten in range(tens) for unit in units)
    return b"[" + b"".join(members) + b"]"


_TIME_AND_DATE: Final = (
    rb"\x00[\x00-\x83].{2}[\x00\x01]" + _class_of(10) + _class_of(4) + _class_of(10, 15)
)
_HEADER: Final = re.compile(rb".." + _TIME_AND_DATE, re.DOTALL)
_WITH_RDW: Final = re.compile(rb"..[\x00\x01]\x00.." + _TIME_AND_DATE, re.DOTALL)
_WITHOUT_RDW: Final = re.compile(
    rb"[\x1e\x1f\x3e\x3f\x5e\x5f\x7e\x7f\x9e\x9f\xbe\xbf\xde\xdf\xfe\xff]." + _TIME_AND_DATE,
    re.DOTALL,
)

_TIME_AT: Final = 2
"""Offset of time and date behind the flag byte of a header."""
_CODES: Final = np.arange(256)
_IS_DIGITS: Final = (_CODES >> 4 <= 9) & (_CODES & 15 <= 9)
_MAY_BE: Final = np.stack(
    [
        _CODES == 0,
        _CODES <= 0x83,
        _CODES >= 0,
        _CODES >= 0,
        _CODES <= 1,
        _IS_DIGITS,
        _IS_DIGITS & (_CODES < 0x40),
        (_CODES >> 4 <= 9) & (_CODES & 15 == 15),
    ]
)
"""The codes that each byte of time and date may have, as in ``_TIME_AND_DATE``."""


def is_header(view: memoryview, flag_at: int) -> bool:
    """Return whether the bytes from ``flag_at`` on match a record header, from its flag byte on."""
    return _HEADER.match(view, flag_at) is not None


def are_headers(content: Bytes, flags_at: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the answers of ``is_header`` for many places of a content."""
    raw = strided_rows(content, flags_at + _TIME_AT, len(_MAY_BE))
    fits = np.ones(len(flags_at), np.bool_)
    for place, may_be in enumerate(_MAY_BE):
        fits &= may_be[raw[:, place]]
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
