"""Stamped captures of DISPLAY commands as samples of distributed queue managers."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.domain.errors import InputError
from mqcap.domain.estate import qmgr_zone_key
from mqcap.domain.units import US_PER_S
from mqcap.ingest.capture_stamp import site_stamp_utc
from mqcap.ingest.mq_display.answers import Capture, captures
from mqcap.ingest.mq_display.figures import MESSAGES, figures_of, no_numbers
from mqcap.ingest.samples import GatheredFigure, SampleKey, usual_seconds
from mqcap.ingest.text_reading import Refusal, SamplesReading, TextInput

_ANSWER: Final = re.compile(
    rf"^(?:QMNAME\([^)]*\)\s+(?:STATUS|ROLE)\(|(?:{'|'.join(MESSAGES)})[IWEST]?: )", re.MULTILINE
)


@dataclass
class MqDisplayReading(SamplesReading):
    """A pass over one file of captures."""

    nothing = Refusal(
        "captures of DISPLAY commands without any figure",
        expected="captures that begin with QMNAME(QM1) STATUS(RUNNING) NOW(time with offset)",
        remedy="Capture again with the documented script.",
        otherwise="no figure in any capture",
    )
    _stamps: dict[tuple[str, bool], array[int]] = field(default_factory=dict)
    """Times by queue manager, those of Native HA alone apart."""
    _steps: dict[tuple[str, bool], float | None] = field(default_factory=dict)

    def take_all(self) -> None:
        """Read the captures."""
        for capture in captures(self.text.lines(), self.left_out):
            self._take(capture)
        self._steps = {key: usual_seconds(stamps) for key, stamps in self._stamps.items()}

    def add(self, figure: GatheredFigure[SampleKey]) -> None:
        """Add the samples of one figure with the step of the captures."""
        key, times, _, values = figure
        own = key.figure is QmgrFigure.nha_in_sync_count and (key.qmgr, True) in self._steps
        self.samples.add(key, times, self._steps[key.qmgr, own], values)

    def is_end(self, line: str) -> bool:
        """Return whether the line has its values to the end, or none."""
        return line.rstrip().endswith((")", "."))

    def refusal(self) -> InputError:
        """Return the error for captures without any figure, with what was left out of samples."""
        left_out = [text.rstrip(".") for text in self.samples.problems("these captures")]
        found = "; ".join(filter(None, (self.left_out.reasons(), *left_out)))
        return self.unusable(**self.nothing._asdict(), found=found)

    def _take(self, capture: Capture) -> None:
        try:
            reported_us = self._reported_us(capture)
        except ValueError as error:
            self.left_out.add(str(error), "capture", capture.line_number)
            return
        times = self._stamps.setdefault((capture.qmgr, capture.is_native_ha), array("q"))
        times.append(reported_us)
        for reason in no_numbers(capture):
            self.left_out.add(reason, "figure", capture.line_number)
        for figure, name, value in figures_of(capture):
            key = SampleKey(capture.qmgr, figure, SampleReading.gauge, name)
            self.gathered.add(key, reported_us, value)

    def _reported_us(self, capture: Capture) -> int:
        """Return the instant of a capture; a stamp without offset is local time of the site.

        Raises ValueError with the reason why there is none.
        """
        if not capture.qmgr:
            raise ValueError("no line of dspmq in front of it names the queue manager")
        if not is_mq_name(capture.qmgr):
            raise ValueError(f"{capture.qmgr[:60]!r} is no name of a queue manager")
        if capture.now is None:
            raise ValueError("without NOW() there is no time; such output is configuration only")
        stamps = self._stamps.get((capture.qmgr, capture.is_native_ha))
        earlier = datetime.fromtimestamp(stamps[-1] / US_PER_S, UTC) if stamps else None
        zone = self.zones.get(qmgr_zone_key(capture.qmgr))
        now = site_stamp_utc(capture.now, zone, earlier, capture.qmgr)
        return round(now.timestamp()) * US_PER_S


SOURCE: Final = TextInput(
    name="mq_display",
    order=50,
    title="capture of DISPLAY commands",
    description="stamped output of DISPLAY commands (runmqsc)",
    recognises=lambda text: _ANSWER.search(text.head) is not None,
    begin=MqDisplayReading,
    first_line=r"QMNAME\([^)\n]*\)\s+(?:STATUS|ROLE)\(",
    named_behind="captures of DISPLAY commands",
)
