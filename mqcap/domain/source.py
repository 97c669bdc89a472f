"""Port of every kind of input: bytes or text in, typed tables out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True, kw_only=True)
class SourceSummary:
    """The decompressed content of one file: decoded + skipped + quarantined bytes.

    ``hour_dates`` are the UTC dates of all hours that any row touches.
    """

    framing: str
    content_bytes: int
    decoded_bytes: int
    skipped_bytes: int
    quarantined_bytes: int
    record_count: int
    rows_by_dataset: dict[str, int]
    first_interval_utc: datetime | None = None
    last_interval_utc: datetime | None = None
    hour_dates: tuple[date, ...] = ()
    problems: tuple[str, ...] = ()
    """Sentences for the operator: corrupt ranges, unknown subtypes with counts, newer layouts."""
    impossible_bytes: int = 0
    """Of the quarantined ones, those of whole records with a value or clock that cannot be: they
    say nothing against the other records."""
    parts_stand_alone: bool = False
    """True where what cannot be read says nothing against the rest, as in a log of messages."""

    def with_rows(
        self, dataset: str, count: int, times: Iterable[datetime], dates: Iterable[date]
    ) -> SourceSummary:
        """Return the summary with further rows, of a dataset of their own."""
        ends = (self.first_interval_utc, self.last_interval_utc, *times)
        known = [end for end in ends if end is not None]
        return replace(
            self,
            record_count=self.record_count + count,
            rows_by_dataset=dict(sorted({**self.rows_by_dataset, dataset: count}.items())),
            first_interval_utc=min(known, default=None),
            last_interval_utc=max(known, default=None),
            hour_dates=tuple(sorted({*self.hour_dates, *dates})),
        )


class Reading(Protocol):
    """Single pass over a file. Call ``tables`` to the end, then ``summary``."""

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield dataset name and ``pyarrow.Table``; a dataset may come in several tables."""

    def summary(self) -> SourceSummary:
        """Return what was found; complete only once ``tables`` is exhausted."""


class Source(Protocol):
    """A kind of input, such as ``smf`` or ``console``."""

    name: str
    order: int
    """Sources are asked in ascending order; the first that accepts a file reads it."""
    title: str
    """Name of such an input in a report: ``SMF dump``."""
    description: str
    """A noun phrase for the question of which inputs are read: ``an SMF dump``."""

    def accepts(self, path: Path) -> bool:
        """Return whether the content (not the name) of the file is of this kind."""

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading; raises InputError when the file is not what it claims to be."""
