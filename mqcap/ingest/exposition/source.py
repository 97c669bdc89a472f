"""Metrics as text (Prometheus text format, OpenMetrics) as series of queue managers.

The text has no time of its own. The capture script writes a line before each scrape::

    # captured 2026-11-22T10:00:00Z

or each sample has a stamp: milliseconds in the text format, seconds in OpenMetrics, which cannot be
mistaken for each other between 2000 and 2100. Only names of MQ are looked at.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from mqcap.domain.errors import InputError
from mqcap.ingest.capture_stamp import stamp_utc
from mqcap.ingest.prometheus.answer import AnswerSeries
from mqcap.ingest.prometheus.names import PREFIX
from mqcap.ingest.prometheus.source import PrometheusReading
from mqcap.ingest.text_reading import TextInput

STAMP: Final = "# captured"
METRIC: Final = re.compile(r"^(?:# (?:HELP|TYPE) )?ibmmq_\w+[ {]", re.MULTILINE)
_LABELS: Final = r'\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\}'
_NUMBER: Final = r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|Inf|NaN)"
_SAMPLE: Final = re.compile(
    rf"(ibmmq_\w+)({_LABELS})?[ \t]+({_NUMBER})(?:[ \t]+(-?\d+(?:\.\d+)?))?[ \t]*(?:#.*)?", re.ASCII
)
_OTHER: Final = re.compile(r"[A-Za-z_:][\w:]*(?:\{.*\})?[ \t]+[-+\dIN]", re.ASCII)
_LABEL: Final = re.compile(r'([A-Za-z_]\w*)[ \t]*=[ \t]*"((?:[^"\\]|\\.)*)"')
_ESCAPE: Final = re.compile(r"\\(.)")
_MS_FROM: Final = 1e11
"""Stamps from here on are milliseconds: as seconds they would be of the year 5138."""


@dataclass
class ExpositionReading(PrometheusReading):
    """A pass over one file of scrapes."""

    what: ClassVar[str] = "metrics as text"

    def is_end(self, line: str) -> bool:  # noqa: ARG002 - every line
        """Return True: that the last line is left out is said below."""
        return True

    def series(self) -> Iterator[tuple[AnswerSeries, int]]:
        """Yield each series with its bytes; raises InputError when no sample has a time."""
        found, sizes = self._gathered()
        if not found:
            reasons = filter(None, (self.text.problem, *self.left_out.sentences()))
            raise InputError(
                "metrics as text without any sample that has a time",
                file=self.name,
                found="; ".join(reasons) or "no metric of MQ",
                expected=f"the line {STAMP} 2026-11-22T10:00:00Z before each scrape",
                remedy="Capture again with that line, or send the answer of Prometheus.",
            )
        for identity, (seconds, values) in found.items():
            name, _, labels = identity.partition("{")
            metric = {"__name__": name}
            for label, value in _LABEL.findall(labels):
                metric[label] = _ESCAPE.sub(lambda of: "\n" if of[1] == "n" else of[1], value)
            yield AnswerSeries(metric, list(zip(seconds, values, strict=True))), sizes[identity]

    def _gathered(self) -> tuple[dict[str, tuple[array[float], array[float]]], Counter[str]]:
        """Return seconds and values, and bytes, by name and labels as they are written."""
        found: dict[str, tuple[array[float], array[float]]] = {}
        sizes: Counter[str] = Counter()
        captured_s: float | None = None
        for number, line in enumerate(self.text.ended_lines(), start=1):
            if line.startswith(STAMP):
                captured_s = self._captured_s(line.removeprefix(STAMP).strip(), number)
                continue
            if not line.startswith(PREFIX):
                if not _OTHER.match(line):
                    self.left_out.not_understood(line, number)
                continue
            sample = _SAMPLE.fullmatch(line)
            if sample is None:
                self.left_out.add("it cannot be read", line_number=number)
                continue
            seconds = captured_s if sample[4] is None else float(sample[4])
            if seconds is None:
                self.left_out.add("its scrape has no time", line_number=number)
                continue
            identity = sample[1] + (sample[2] or "")
            times, values = found.setdefault(identity, (array("d"), array("d")))
            times.append(seconds / 1_000 if abs(seconds) >= _MS_FROM else seconds)
            values.append(float(sample[3]))
            sizes[identity] += len(line.encode()) + 1
        if self.text.open_line.startswith(PREFIX):
            self.left_out.add("it is the last one and has no end")
        return found, sizes

    def _captured_s(self, text: str, number: int) -> float | None:
        try:
            return stamp_utc(text).timestamp()
        except ValueError as error:
            self.left_out.add(str(error), "scrape", number)
            return None


SOURCE: Final = TextInput(
    name="exposition",
    order=41,
    title="metrics as text",
    description="metrics of MQ as text with a line of capture before each scrape",
    recognises=lambda text: METRIC.search(text.head) is not None,
    begin=ExpositionReading,
    first_line=r"ibmmq_\w+(?:\{| [-+\d])",
)
