"""Stamped captures of DISPLAY commands as samples of distributed queue managers."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.domain.errors import InputError
from mqcap.domain.estate import qmgr_zone_key
from mqcap.domain.numbers import counted
from mqcap.domain.source import Reading, SourceSummary
from mqcap.domain.units import US_PER_S
from mqcap.ingest.capture_stamp import site_stamp_utc
from mqcap.ingest.gathered_samples import GatheredSamples
from mqcap.ingest.mq_display.answers import Capture, captures
from mqcap.ingest.mq_display.figures import MESSAGES, figures_of
from mqcap.ingest.samples import SampleKey, Samples, most_frequent
from mqcap.ingest.smf.dump_file import Lines, read_head

_ANSWER: Final = re.compile(
    rf"^(?:QMNAME\([^)]*\)\s+(?:STATUS|ROLE)\(|(?:{'|'.join(MESSAGES)})[IWEST]?: )", re.MULTILINE
)

_REASONS_SHOWN: Final = 3
"""Reasons that are named in full; a stamp is part of some, so that each may be another."""


@dataclass
class MqDisplayReading:
    """A pass over one file of captures."""

    path: Path
    file_sha256: str
    zones: Mapping[str, str]
    content_bytes: int = 0
    problems: list[str] = field(default_factory=list)
    _samples: Samples = field(init=False)
    _gathered: GatheredSamples[SampleKey] = field(init=False)
    _stamps: dict[tuple[str, bool], array[int]] = field(default_factory=dict)
    """Times by queue manager, those of Native HA alone apart."""
    _refused: Counter[str] = field(default_factory=Counter)
    _foreign_count: int = 0
    _unpacking: str = ""

    def __post_init__(self) -> None:
        """Begin without samples."""
        self._samples = Samples(self.file_sha256)
        self._gathered = GatheredSamples(self._samples.admits)

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples; raises InputError when no capture can be used."""
        for capture in captures(self._lines()):
            self._foreign_count += sum(not record.message for record in capture.records)
            self._take(capture)
        steps = {key: _step_seconds(stamps) for key, stamps in self._stamps.items()}
        for key, times, _, values in self._gathered.figures():
            is_native_ha = key.figure is QmgrFigure.nha_in_sync_count and (key.qmgr, True) in steps
            self._samples.add(key, times, steps[key.qmgr, is_native_ha], values)
            yield from self._samples.full()
        self._check_used()
        yield from self._samples.rest()

    def summary(self) -> SourceSummary:
        """Return what was found."""
        name, problems = self.path.name, (*self.problems, *self._other_problems())
        return self._samples.summary(name, "text", self.content_bytes, problems=problems)

    def _other_problems(self) -> Iterator[str]:
        name = self.path.name
        if self._unpacking:
            yield f"{name}: {self._unpacking}"
        shown = self._refused.most_common(_REASONS_SHOWN)
        for reason, count in shown:
            yield f"{name}: {counted(count, 'capture')} left out: {reason}."
        if others := self._refused.total() - sum(count for _, count in shown):
            yield f"{name}: {counted(others, 'more capture')} left out for the like."
        if self._foreign_count:
            yield (
                f"{name}: {counted(self._foreign_count, 'record')} of an error log between the "
                "captures left out: send the error log as a file of its own."
            )

    def _lines(self) -> Iterator[str]:
        lines = Lines(self.path)
        for line in lines:
            self.content_bytes += len(line)
            yield line.decode("utf-8", "replace").rstrip("\r\n")
        self._unpacking = lines.problem or ""

    def _take(self, capture: Capture) -> None:
        try:
            reported_us = self._reported_us(capture)
        except ValueError as error:
            self._refused[str(error)] += 1
            return
        times = self._stamps.setdefault((capture.qmgr, capture.is_native_ha), array("q"))
        times.append(reported_us)
        for figure, name, value in figures_of(capture):
            key = SampleKey(capture.qmgr, figure, SampleReading.gauge, name)
            self._gathered.add(key, reported_us, value)

    def _reported_us(self, capture: Capture) -> int:
        """Return the instant of a capture; a stamp without offset is local time of the site.

        Raises ValueError with the reason why there is none.
        """
        if not is_mq_name(capture.qmgr):
            raise ValueError(f"{capture.qmgr[:60]!r} is no name of a queue manager")
        if capture.now is None:
            raise ValueError("without NOW() there is no time; such output is configuration only")
        stamps = self._stamps.get((capture.qmgr, capture.is_native_ha))
        earlier = datetime.fromtimestamp(stamps[-1] / US_PER_S, UTC) if stamps else None
        zone = self.zones.get(qmgr_zone_key(capture.qmgr))
        now = site_stamp_utc(capture.now, zone, earlier, capture.qmgr)
        return round(now.timestamp()) * US_PER_S

    def _check_used(self) -> None:
        if self._samples.row_count:
            return
        refused = [reason for reason, _ in self._refused.most_common(_REASONS_SHOWN)]
        left_out = [text.rstrip(".") for text in self._samples.problems("these captures")]
        reasons = "; ".join([*refused, *left_out]) or "no figure in any capture"
        raise InputError(
            "captures of DISPLAY commands without any figure",
            file=self.path.name,
            found=reasons,
            expected="captures that begin with QMNAME(QM1) STATUS(RUNNING) NOW(time with offset)",
            remedy="Capture again with the documented script.",
        )


@dataclass(frozen=True)
class MqDisplaySource:
    """Captures of dspmq and runmqsc."""

    zones: Mapping[str, str] = field(default_factory=dict)
    """Time zone of each distributed queue manager, by ``qmgr_zone_key``."""
    name: str = "mq_display"
    order: int = 50
    title: str = "capture of DISPLAY commands"
    description: str = "stamped output of DISPLAY commands (runmqsc)"

    def in_zones(self, zones: Mapping[str, str]) -> MqDisplaySource:
        """Return the same source with these time zones."""
        return replace(self, zones=zones)

    def accepts(self, path: Path) -> bool:
        """Return whether the file is such output, stamped or not."""
        head = read_head(path)
        return b"\x00" not in head and _ANSWER.search(head.decode("latin-1")) is not None

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading."""
        return MqDisplayReading(path, file_sha256, self.zones)


def _step_seconds(stamps: array[int]) -> float | None:
    step_us = most_frequent(np.diff(np.unique(np.array(stamps))))
    return None if step_us is None else step_us / US_PER_S


SOURCE: Final = MqDisplaySource()
