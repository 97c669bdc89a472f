"""Active logs in a print log map of the BSDS.

A section begins with a heading that names its copy; an entry has its range as two hexadecimal
addresses, its data set after ``DSN=`` and its state after ``STATUS=``, over one line or several.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from mqcap.ingest.display_output.responses import ResponseLine

_SECTION: Final = re.compile(r"(?:ACTIVE LOG COPY (\d)|COPY (\d) ACTIVE LOG)", re.IGNORECASE)
_OTHER: Final = re.compile(r"ARCHIVE LOG|CHECKPOINT|QUIESCE|CONDITIONAL|RESTART", re.IGNORECASE)
_RBA: Final = re.compile(r"(?<![0-9A-F.])([0-9A-F]{12}|[0-9A-F]{16})(?![0-9A-F.])")
_DATA_SET: Final = re.compile(r"DSN=(\S+?),?(?:\s|$)", re.IGNORECASE)
_STATUS: Final = re.compile(r"STATUS=(.+)$", re.IGNORECASE)


class ActiveLog(NamedTuple):
    """An entry of an active log."""

    copy: int
    data_set: str
    start_rba: int
    end_rba: int
    status: str
    line: ResponseLine

    @property
    def size_bytes(self) -> int:
        """Bytes of the data set: both ends belong to it."""
        return self.end_rba - self.start_rba + 1

    @property
    def is_complete(self) -> bool:
        """Return whether the range is that of the complete data set: used, and not truncated."""
        cut = "TRUNCATED" in self.status.upper()
        return self.end_rba > self.start_rba and not cut


def active_logs(lines: Iterable[ResponseLine]) -> list[ActiveLog]:
    """Return the entries of all active log sections, in order."""
    logs: list[ActiveLog] = []
    for copy, section in _sections(lines):
        logs += _entries(copy, section)
    return logs


def _sections(lines: Iterable[ResponseLine]) -> Iterator[tuple[int, list[ResponseLine]]]:
    copy, section = 0, list[ResponseLine]()
    for line in lines:
        heading = _SECTION.search(line.text)
        if heading is None and not _OTHER.search(line.text):
            section.append(line)
            continue
        if copy:
            yield copy, section
        copy, section = int(heading[1] or heading[2]) if heading else 0, []
    if copy:
        yield copy, section


def _entries(copy: int, lines: Sequence[ResponseLine]) -> Iterator[ActiveLog]:
    """Yield the entries: each begins with two addresses, its data set may follow lines below."""
    starts = [index for index, line in enumerate(lines) if len(_RBA.findall(line.text)) >= 2]
    for start, end in pairwise([*starts, len(lines)]):
        part = lines[start:end]
        text = " ".join(line.text for line in part)
        data_set = _DATA_SET.search(f"{text} ")
        if data_set is None:
            continue
        first, last = _RBA.findall(part[0].text)[:2]
        status = _STATUS.search(text)
        yield ActiveLog(
            copy, data_set[1], int(first, 16), int(last, 16), status[1] if status else "", part[0]
        )
