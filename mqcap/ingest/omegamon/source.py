"""Files of OMEGAMON Data Provider (JSON lines) as samples of queue managers on z/OS."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from mqcap.domain.datasets import ZOS_SAMPLE
from mqcap.domain.errors import InputError
from mqcap.domain.numbers import counted
from mqcap.domain.source import Reading, SourceSummary
from mqcap.domain.units import US_PER_S
from mqcap.ingest.gathered_samples import GatheredFigure, GatheredSamples
from mqcap.ingest.omegamon.lines import (
    PRODUCT,
    TABLES_READ,
    is_known,
    known_fields,
    samples_of,
)
from mqcap.ingest.samples import Instants, Samples, most_frequent
from mqcap.ingest.smf.dump_file import Lines, read_head
from mqcap.ingest.zos_key import ZosKey

DISTANCES_MIN: Final = 3
"""A series with fewer distances between its samples takes the interval that its lines state
(ours)."""
_SIGNS: Final = (
    re.compile(rb'"table_name"\s*:\s*"'),
    re.compile(rb'"write_time"\s*:\s*"'),
    re.compile(rb'"product_code"\s*:\s*"'),
)
_DECODER: Final = msgspec.json.Decoder(dict[str, Any])
_BOM: Final = b"\xef\xbb\xbf"
_NAMED: Final = 20


@dataclass
class OmegamonReading:
    """A pass over one file of lines."""

    path: Path
    file_sha256: str
    content_bytes: int = 0
    skipped_bytes: int = 0
    _samples: Samples = field(init=False)
    _gathered: GatheredSamples[ZosKey] = field(default_factory=GatheredSamples)
    _left_out: Counter[str] = field(default_factory=Counter)
    _first_line: dict[str, int] = field(default_factory=dict)
    _other_products: Counter[str] = field(default_factory=Counter)
    _unknown: set[str] = field(default_factory=set)
    _unpacking: str = ""
    _stepless_count: int = 0

    def __post_init__(self) -> None:
        """Begin without samples."""
        self._samples = Samples(self.file_sha256, ZOS_SAMPLE)

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples; raises InputError when no line gives any."""
        lines = Lines(self.path)
        for number, line in enumerate(lines, start=1):
            self.content_bytes += len(line)
            self._take(line, number)
        self._unpacking = lines.problem or ""
        for figure in self._gathered.figures():
            self._add(figure)
            yield from self._samples.full()
        if not self._samples.row_count:
            raise self._unusable()
        yield from self._samples.rest()

    def summary(self) -> SourceSummary:
        """Return what was found; lines that cannot be used are reported and not quarantined."""
        name, problems = self.path.name, self._problems()
        return self._samples.summary(
            name, "json lines", self.content_bytes, self.skipped_bytes, problems
        )

    def _take(self, line: bytes, number: int) -> None:
        if not line.strip():
            return
        line = line.removeprefix(_BOM) if number == 1 else line
        try:
            row = _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            self._leave_out("it is no JSON object", line, number)
            return
        product, table = str(row.get("product_code", "")), str(row.get("table_name", ""))
        if product != PRODUCT:
            self._other_products[product[:20] or "none"] += 1
            return
        if not is_known(table):
            self._unknown.add(f"table {table[:40]}")
            return
        self._unknown.update(f"{table}.{name[:40]}" for name in row.keys() - known_fields()[table])
        try:
            for key, reported_us, value, seconds in samples_of(row):
                self._gathered.add(key, reported_us, value, seconds)
        except ValueError as error:
            self._leave_out(str(error), line, number)

    def _leave_out(self, reason: str, line: bytes, number: int) -> None:
        self.skipped_bytes += len(line)
        self._left_out[reason] += 1
        self._first_line.setdefault(reason, number)

    def _add(self, figure: GatheredFigure[ZosKey]) -> None:
        """Add a series with its step: of its samples, else as its lines state it."""
        key, reported_us, stated, values = figure
        times: Instants = np.unique(reported_us)
        distances = times[1:] - times[:-1]
        step_us = most_frequent(distances)
        if step_us is not None and (len(distances) >= DISTANCES_MIN or np.isnan(stated).all()):
            self._samples.add(key, reported_us, step_us / US_PER_S, values)
            return
        known = ~np.isnan(stated)
        self._stepless_count += int((~known).sum())
        self._samples.add(key, reported_us[known], stated[known], values[known])

    def _problems(self) -> Iterator[str]:
        name = self.path.name
        if self._unpacking:
            yield f"{name}: {self._unpacking}"
        for reason, lines_count in self._left_out.items():
            first, lines = self._first_line[reason], counted(lines_count, "line")
            yield f"{name}: {lines} left out, first line {first}: {reason}."
        if self._stepless_count:
            count = counted(self._stepless_count, "sample")
            yield f"{name}: {count} left out: alone in the file, and without interval_seconds."
        if self._other_products:
            listed = ", ".join(sorted(self._other_products))
            count = counted(self._other_products.total(), "line")
            yield f"{name}: {count} of other products left out: {listed}."
        if self._unknown:
            listed = ", ".join(sorted(self._unknown)[:_NAMED])
            yield f"{name}: names that OMEGAMON for Messaging does not have left out: {listed}."

    def _unusable(self) -> InputError:
        reasons = (f"line {self._first_line[reason]}: {reason}" for reason in self._left_out)
        return InputError(
            "lines of OMEGAMON Data Provider without any figure that is read",
            file=self.path.name,
            found="; ".join(reasons) or self._unpacking or "no line of its tables",
            expected=f'"product_code":"{PRODUCT}" in tables {", ".join(TABLES_READ)}',
            remedy="Add these tables to the filter of OMEGAMON Data Connect, with write_time.",
        )


@dataclass(frozen=True)
class OmegamonSource:
    """Lines of OMEGAMON Data Provider."""

    name: str = "omegamon"
    order: int = 42
    title: str = "lines of OMEGAMON Data Provider"
    description: str = "JSON lines of OMEGAMON Data Provider"

    def accepts(self, path: Path) -> bool:
        """Return whether the file has such lines, of whatever product."""
        head = read_head(path)
        begins = head.removeprefix(_BOM).lstrip().startswith(b"{")
        return begins and all(sign.search(head) for sign in _SIGNS)

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading."""
        return OmegamonReading(path, file_sha256)


SOURCE: Final = OmegamonSource()
