"""Sweeps of one file of z/TPF, by their local date and time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

import pyarrow as pa

from mqcap.domain.datasets import ZTPF_SWEEP
from mqcap.domain.source import SourceSummary
from mqcap.ingest.smf.record_heads import schema_of

_SCHEMA: Final = schema_of(ZTPF_SWEEP)
_SECOND: Final = timedelta(seconds=1)


class Sweep(NamedTuple):
    """A sweep as the console has it."""

    system: str
    queue: str
    local_date: str
    local_time: str
    sequence: int
    """From 1, where several lines of a second are equal."""


@dataclass
class Sweeps:
    """The sweeps of a file."""

    file_sha256: str
    _counts: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    _found: dict[Sweep, datetime] = field(default_factory=dict)
    """When each was, in UTC."""

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._found)

    def begin(self) -> None:
        """Begin what another stamp is of: a text that repeats stamp and lines adds no sweep."""
        self._counts.clear()

    def add(self, system: str, queue: str, local: datetime) -> None:
        """Take a sweep at a local time with its zone or offset.

        The second time of an hour that a change of clocks repeats (``fold``) is written with its
        offset from UTC.
        """
        time = f"{local:%H.%M.%S%z}" if local.fold else f"{local:%H.%M.%S}"
        place = (system, queue, local.date().isoformat(), time)
        self._counts[place] += 1
        self._found[Sweep(*place, self._counts[place])] = local.astimezone(UTC)

    def table(self) -> pa.Table:
        """Return the rows of the dataset."""
        rows = [{**sweep._asdict(), "file_sha256": self.file_sha256} for sweep in self._found]
        return pa.Table.from_pylist(rows, schema=_SCHEMA)

    def added_to(self, summary: SourceSummary) -> SourceSummary:
        """Return the summary of a file with its sweeps; these touch the UTC dates around theirs.

        Its times are those of sweeps too; the second of the last one belongs to them.
        """
        if not self._found:
            return summary
        days = {date.fromisoformat(sweep.local_date) for sweep in self._found}
        around = {day + timedelta(days=shift) for day in days for shift in (-1, 0, 1)}
        times = (min(self._found.values()), max(self._found.values()) + _SECOND)
        return summary.with_rows(ZTPF_SWEEP.name, len(self), times, around)
