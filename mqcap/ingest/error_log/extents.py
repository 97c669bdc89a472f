"""Growth of linear logs as error logs report it: extents created less deleted (AMQ7490).

The inserts of the message are in no document, so its numbers are read in the English sentence, as
a published script of IBM does; in other languages they are not known. Each message counts what was
done since the one before it. Extents that are reused take no more space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any, Final

import numpy as np

from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.domain.numbers import counted
from mqcap.ingest.samples import SampleKey, Samples

LONGEST: Final = timedelta(hours=36)
"""Messages further apart are no neighbours (ours): between them some may be missing."""
_COUNTS: Final = re.compile(r"(\d+)\s+created\b\D*(\d+)\s+reused\b\D*(\d+)\s+deleted\b")
_SECOND: Final = timedelta(seconds=1)
_US: Final = timedelta(microseconds=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def grown_count(sentence: str) -> int | None:
    """Return the extents created less those deleted; ``None`` for a sentence without numbers."""
    found = _COUNTS.search(sentence)
    return int(found[1]) - int(found[3]) if found else None


@dataclass
class GrownExtents:
    """Growth of the logs of all queue managers of one file."""

    file_sha256: str
    samples: Samples = field(init=False)
    dates: set[date] = field(default_factory=set)
    """UTC dates that the growth is of."""
    unread_count: int = 0
    """Messages in other languages."""
    _counts: dict[str, dict[datetime, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin without samples."""
        self.samples = Samples(self.file_sha256)

    def add(self, qmgr: str, instant: datetime, sentence: str) -> None:
        """Add what one message counts; one that is there twice counts once."""
        count = grown_count(sentence)
        if count is None:
            self.unread_count += 1
        else:
            self._counts.setdefault(qmgr, {})[instant] = count

    def problems(self) -> list[str]:
        """Return a sentence about messages whose numbers are not known."""
        if not self.unread_count:
            return []
        count = counted(self.unread_count, "message")
        return [f"{count} AMQ7490 in another language than English: events without their numbers."]

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield the growth between neighbouring messages; that before the first is not known."""
        for qmgr, counts in self._counts.items():
            instants = sorted(counts)
            pairs = [
                (before, after) for before, after in pairwise(instants) if after - before <= LONGEST
            ]
            key = SampleKey(qmgr, QmgrFigure.log_extents_grown_count, SampleReading.delta)
            ends = np.array([(after - _EPOCH) // _US for _, after in pairs], np.int64)
            seconds = np.array([(after - before) / _SECOND for before, after in pairs], float)
            self.samples.add(key, ends, seconds, np.array([counts[end] for _, end in pairs], float))
            for before, after in pairs:
                days = (after.date() - before.date()).days
                self.dates |= {before.date() + timedelta(days=day) for day in range(days + 1)}
        yield from self.samples.rest()
