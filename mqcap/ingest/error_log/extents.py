"""Extents of linear logs as error logs report them: created, reused and deleted (AMQ7490).

The inserts of the message are in no document, so its numbers are read in the English sentence, as
a published script of IBM does; in other languages they are not known. Each message counts what was
done since the one before it. Two amounts are made of them: created less deleted is what the log
takes more space for, created less reused and deleted what was not reclaimed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.domain.numbers import counted
from mqcap.ingest.samples import SampleKey, Samples

LONGEST: Final = timedelta(hours=36)
"""Messages further apart are no neighbours (ours): between them some may be missing."""
_COUNTS: Final = re.compile(r"(\d+)\s+created\b\D*(\d+)\s+reused\b\D*(\d+)\s+deleted\b")
_AMOUNTS: Final = (
    QmgrFigure.log_extents_grown_count,
    QmgrFigure.log_extents_unreclaimed_count,
)
_SECOND: Final = timedelta(seconds=1)
_US: Final = timedelta(microseconds=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class ExtentCounts(NamedTuple):
    """The numbers of one message."""

    created: int
    reused: int
    deleted: int

    @property
    def amounts(self) -> Mapping[QmgrFigure, int]:
        """The amounts that are made of them."""
        grown = self.created - self.deleted
        return {
            QmgrFigure.log_extents_grown_count: grown,
            QmgrFigure.log_extents_unreclaimed_count: grown - self.reused,
        }


def extent_counts(sentence: str) -> ExtentCounts | None:
    """Return the numbers of a sentence; ``None`` for one without."""
    found = _COUNTS.search(sentence)
    return ExtentCounts(*map(int, found.groups())) if found else None


@dataclass
class ExtentMessages:
    """What the messages of all queue managers of one file count."""

    file_sha256: str
    samples: Samples = field(init=False)
    dates: set[date] = field(default_factory=set)
    """UTC dates that the amounts are of."""
    unread_count: int = 0
    """Messages in other languages."""
    _counts: dict[str, dict[datetime, ExtentCounts]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin without samples."""
        self.samples = Samples(self.file_sha256)

    def add(self, qmgr: str, instant: datetime, sentence: str) -> None:
        """Add what one message counts; one that is there twice counts once."""
        counts = extent_counts(sentence)
        if counts is None:
            self.unread_count += 1
        else:
            self._counts.setdefault(qmgr, {})[instant] = counts

    def problems(self) -> list[str]:
        """Return a sentence about messages whose numbers are not known."""
        if not self.unread_count:
            return []
        count = counted(self.unread_count, "message")
        return [f"{count} AMQ7490 in another language than English: events without their numbers."]

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield the amounts between neighbouring messages; those before the first: not known."""
        for qmgr, counts in self._counts.items():
            instants = sorted(counts)
            pairs = [
                (before, after) for before, after in pairwise(instants) if after - before <= LONGEST
            ]
            ends = np.array([(after - _EPOCH) // _US for _, after in pairs], np.int64)
            seconds = np.array([(after - before) / _SECOND for before, after in pairs], float)
            amounts = [counts[end].amounts for _, end in pairs]
            for figure in _AMOUNTS:
                key = SampleKey(qmgr, figure, SampleReading.delta)
                values = np.array([each[figure] for each in amounts], float)
                self.samples.add(key, ends, seconds, values)
            for before, after in pairs:
                days = (after.date() - before.date()).days
                self.dates |= {before.date() + timedelta(days=day) for day in range(days + 1)}
        yield from self.samples.rest()
