"""An answer of Prometheus as a stream of its series, whatever its size.

The document is mapped into memory and only one series of it is decoded at a time. The end of a
series is looked for in the bytes and proved by decoding what is in front of it, so that blanks
between tokens, or brackets within a label, are read as JSON has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

import msgspec
import numpy as np

from mqcap.domain.errors import InputError
from mqcap.domain.units import US_PER_S
from mqcap.ingest.samples import Instants, Values
from mqcap.ingest.smf.dump_file import Content, view_of

_RESULT: Final = re.compile(rb'"result"\s*:\s*\[')
_END: Final = re.compile(rb"\]\s*\}")
_BETWEEN: Final = re.compile(rb"[\s,]*")
_TRUNCATED: Final = "Input data was truncated"
"""Message of the parser for a document that goes on."""
_NOT_RECOGNISED: Final = "an answer of the Prometheus range API (query_range)"
_SITE_LABELS: Final = tuple(
    re.compile(pattern) for pattern in (rb'"subject"\s*:\s*"', rb'"figure"\s*:\s*"')
)
_CLOSING: Final = ord("]")


class AnswerSeries(msgspec.Struct):
    """One series: its labels, and its samples as time in seconds and value."""

    metric: dict[str, str]
    values: list[tuple[float, float]] = []
    value: tuple[float, float] | None = None
    """The only sample, in the answer of an instant query."""


class _TextSeries(msgspec.Struct):
    """The same with values as text: the parser takes ``NaN`` for a number, ``+Inf`` not."""

    metric: dict[str, str]
    values: list[tuple[float, str | float]] = []
    value: tuple[float, str | float] | None = None


class _Data(msgspec.Struct):
    resultType: str = ""  # noqa: N815 - the API's name


class Envelope(msgspec.Struct):
    """What an answer tells beside its series."""

    status: str = ""
    data: _Data = msgspec.field(default_factory=_Data)
    errorType: str = ""  # noqa: N815 - the API's name
    error: str = ""
    warnings: list[str] = []


_SERIES: Final = msgspec.json.Decoder(AnswerSeries, strict=False)
_TEXT_SERIES: Final = msgspec.json.Decoder(_TextSeries)
_ENVELOPE: Final = msgspec.json.Decoder(Envelope)


class Answer:
    """An answer; ``envelope`` is complete once ``series`` is exhausted."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self.envelope = Envelope()

    @property
    def problems(self) -> list[str]:
        """Warnings of the API."""
        return self.envelope.warnings

    def series(self) -> Iterator[tuple[AnswerSeries, int]]:
        """Yield each series with the bytes that it takes.

        Raises InputError when the document is no such answer, ends in the middle, or is an error.
        """
        data = view_of(self._content.data)
        begin = _RESULT.search(data)
        if begin is None:
            self._finish(bytes(data))
            return
        position = begin.end()
        while True:
            position = self._skipped(data, position)
            if data[position] == _CLOSING:
                break
            series, end = self._next(data, position)
            yield series, end - position
            self._content.release(position, end)
            position = end
        self._finish(bytes(data[: begin.end()]) + bytes(data[position:]))

    def _finish(self, frame: bytes) -> None:
        """Read what surrounds the series."""
        try:
            self.envelope = _ENVELOPE.decode(frame)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._unreadable(str(error)) from error
        if self.envelope.status != "success":
            raise InputError(
                "an answer of Prometheus that holds an error instead of figures",
                file=self._content.file,
                found=f"{self.envelope.errorType}: {self.envelope.error}"[:300],
                remedy="Correct the query, and send its answer.",
            )

    def _skipped(self, data: memoryview, position: int) -> int:
        """Return the position of the next token; raises InputError at the end of the file."""
        between = _BETWEEN.match(data, position)
        position = between.end() if between else position
        if position >= len(data):
            raise self._unreadable(_TRUNCATED)
        return position

    def _next(self, data: memoryview, position: int) -> tuple[AnswerSeries, int]:
        """Return the series that begins at a position, and where it ends."""
        for end in self._ends(data, position):
            text = data[position:end]
            try:
                return _decoded(text), end
            except (msgspec.ValidationError, UnicodeDecodeError) as error:
                raise self._unreadable(str(error)) from error
            except msgspec.DecodeError as error:
                if str(error) != _TRUNCATED:
                    raise self._unreadable(str(error)) from error
        raise self._unreadable(_TRUNCATED)

    def _ends(self, data: memoryview, position: int) -> Iterator[int]:
        """Yield where the series may end, nearest first."""
        return (found.end() for found in _END.finditer(data, position))

    def _unreadable(self, reason: str) -> InputError:
        is_cut = reason == _TRUNCATED
        return InputError(
            "the JSON of a Prometheus answer ends in the middle"
            if is_cut
            else "the JSON of a Prometheus answer cannot be read",
            file=self._content.file,
            found=self._content.problem or reason,
            expected=_NOT_RECOGNISED,
            remedy="Send the complete answer again; nothing of it is stored.",
        )


def names_site_figures(head: bytes) -> bool:
    """Return whether the first series has labels of a site figure instead of names of MQ."""
    return all(label.search(head) for label in _SITE_LABELS)


def samples_of(series: AnswerSeries) -> tuple[Instants, Values]:
    """Return times in microseconds, ascending and each once, with the last value of each."""
    pairs = series.values if series.value is None else [*series.values, series.value]
    flat = np.fromiter(chain.from_iterable(pairs), float, 2 * len(pairs)).reshape(-1, 2)
    seconds = np.nan_to_num(flat[:, 0], nan=0.0, posinf=0.0, neginf=0.0).clip(-1e11, 1e11)
    reported_us = np.round(seconds * US_PER_S).astype(np.int64)
    values = np.ascontiguousarray(flat[:, 1])
    if len(reported_us) > 1 and not (reported_us[1:] > reported_us[:-1]).all():
        order = np.argsort(reported_us, kind="stable")
        reported_us, values = reported_us[order], values[order]
        is_last = np.append(reported_us[1:] != reported_us[:-1], True)
        reported_us, values = reported_us[is_last], values[is_last]
    return reported_us, values


def _decoded(text: memoryview) -> AnswerSeries:
    try:
        return _SERIES.decode(text)
    except msgspec.ValidationError:
        read = _TEXT_SERIES.decode(text)
    try:
        values = [(time, float(value)) for time, value in read.values]
        only = None if read.value is None else (read.value[0], float(read.value[1]))
    except ValueError as error:
        raise msgspec.ValidationError(str(error)) from error
    return AnswerSeries(read.metric, values, only)
