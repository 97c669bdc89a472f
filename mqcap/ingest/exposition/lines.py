"""Metrics as text (Prometheus text format, OpenMetrics) as series.

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
from dataclasses import dataclass, field
from typing import Final

from mqcap.domain.errors import InputError
from mqcap.domain.numbers import counted
from mqcap.ingest.capture_stamp import stamp_utc
from mqcap.ingest.prometheus.answer import AnswerSeries
from mqcap.ingest.smf.dump_file import Content, view_of

STAMP: Final = "# captured"
_LABELS: Final = rb'\{(?:[^"}\n]|"(?:[^"\\\n]|\\.)*")*\}'
_LINE: Final = re.compile(
    rb"^(?:"
    + re.escape(STAMP).encode()
    + rb"[ \t]+([^\r\n]*)"
    + rb"|(ibmmq_\w+)("
    + _LABELS
    + rb")?[ \t]+([+-]?(?:\d[\d.eE+-]*|Inf|NaN))(?:[ \t]+(-?\d+(?:\.\d+)?))?"
    + rb"[ \t]*(?:#[^\n]*)?\r?\n"
    + rb"|(ibmmq_[^\n]*))",
    re.MULTILINE,
)
_LABEL: Final = re.compile(rb'([A-Za-z_]\w*)[ \t]*=[ \t]*"((?:[^"\\]|\\.)*)"')
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPED: Final = {"n": "\n"}
_MS_FROM: Final = 1e11
"""Stamps from here on are milliseconds: as seconds they would be of the year 5138."""


@dataclass
class _Gathered:
    seconds: array[float] = field(default_factory=lambda: array("d"))
    values: array[float] = field(default_factory=lambda: array("d"))
    bytes_count: int = 0


class Exposition:
    """A text; ``problems`` are complete once ``series`` is exhausted."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._refused: Counter[str] = Counter()
        self._stamp_problems: Counter[str] = Counter()

    @property
    def problems(self) -> tuple[str, ...]:
        """What was left out, as sentences."""
        stamps = (
            f"{counted(count, 'scrape')} left out: {reason}."
            for reason, count in self._stamp_problems.items()
        )
        lines = (
            f"{counted(count, 'line')} left out: {reason}."
            for reason, count in self._refused.items()
        )
        cut = (self._content.problem,) if self._content.problem else ()
        return (*cut, *stamps, *lines)

    def series(self) -> Iterator[tuple[AnswerSeries, int]]:
        """Yield each series with the bytes that it takes.

        Raises InputError when no sample has a time.
        """
        found = self._gathered()
        if not found:
            raise InputError(
                "metrics as text without any sample that has a time",
                file=self._content.file,
                found="; ".join(self.problems) or "no metric of MQ",
                expected=f"the line {STAMP} 2026-11-22T10:00:00Z before each scrape",
                remedy="Capture again with that line, or send the answer of Prometheus.",
            )
        for identity, each in found.items():
            name, _, labels = identity.partition(b"{")
            pairs = list(zip(each.seconds, each.values, strict=True))
            metric = {"__name__": name.decode("ascii"), **_labels(labels)}
            yield AnswerSeries(metric, pairs), each.bytes_count

    def _gathered(self) -> dict[bytes, _Gathered]:
        """Return the samples by name and labels as they are written."""
        found: dict[bytes, _Gathered] = {}
        captured_s: float | None = None
        for line in _LINE.finditer(view_of(self._content.data)):
            stamp, name, labels, value, time, unreadable = line.groups()
            if stamp is not None:
                captured_s = self._captured_s(stamp.decode("latin-1").strip())
                continue
            number = _number(value) if unreadable is None else None
            if number is None:
                self._refused["it cannot be read, or it is the last one and cut"] += 1
                continue
            seconds = captured_s if time is None else _seconds(time)
            if seconds is None:
                self._refused["its scrape has no time"] += 1
                continue
            each = found.setdefault(name + (labels or b""), _Gathered())
            each.seconds.append(seconds)
            each.values.append(number)
            each.bytes_count += line.end() - line.start()
        return found

    def _captured_s(self, text: str) -> float | None:
        """Return the time of a scrape in seconds; ``None`` where its line has none."""
        try:
            return stamp_utc(text).timestamp()
        except ValueError as error:
            self._stamp_problems[str(error)] += 1
            return None


def _number(value: bytes) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _seconds(time: bytes) -> float:
    stamp = float(time)
    return stamp / 1_000 if abs(stamp) >= _MS_FROM else stamp


def _labels(text: bytes) -> dict[str, str]:
    return {
        name.decode("ascii"): _ESCAPE.sub(
            lambda found: _ESCAPED.get(found[1], found[1]), value.decode("utf-8", "replace")
        )
        for name, value in _LABEL.findall(text)
    }
