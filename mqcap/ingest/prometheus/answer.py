"""An answer of Prometheus as a stream of its series, whatever its size and order of keys.

The document is mapped into memory; the parser finds all series in it, and only one of them is
decoded at a time.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

import msgspec
import numpy as np

from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.distributed.qmgr_figure import QmgrFigure
from mqcap.domain.errors import InputError
from mqcap.domain.numbers import counted
from mqcap.domain.units import US_PER_S
from mqcap.ingest.prometheus.names import Meaning
from mqcap.ingest.samples import Instants, SampleKey, Samples, Values
from mqcap.ingest.text import TextFile
from mqcap.ingest.text_reading import SamplesReading, only_printable

_SITE_LABELS: Final = frozenset({"subject", "figure"})


class AnswerSeries(msgspec.Struct):
    """One series: its labels, and its samples as time in seconds and value."""

    metric: dict[str, str]
    values: list[tuple[float, float]] = []
    value: tuple[float, float] | None = None
    """The only sample, in the answer of an instant query."""


class _Data(msgspec.Struct):
    result: list[msgspec.Raw] = []


class _Labelled(msgspec.Struct):
    metric: dict[str, str]


class _Plain(msgspec.Struct):
    result: list[_Labelled]


class _Envelope(msgspec.Struct):
    status: str = ""
    data: _Data | None = None
    errorType: str = ""  # noqa: N815 - the API's name
    error: str = ""
    warnings: list[str] = []


_SERIES: Final = msgspec.json.Decoder(AnswerSeries, strict=False)
_PLUS: Final = re.compile(rb'"\+(?=Inf"\s*\])')
_ENVELOPE: Final = msgspec.json.Decoder(_Envelope)


@dataclass
class AnswerReading(SamplesReading):
    """A pass over one answer, or another file with the same series, one after another."""

    warnings: list[str] = field(default_factory=list)
    """Of the API, and about lines that are none of the answer."""
    further: tuple[Samples, ...] = ()

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples; raises InputError for what cannot be read, or without any that is used."""
        decoded_bytes = 0
        for series, size in self.series():
            if self.take(series):
                decoded_bytes += size
            for samples in (self.samples, *self.further):
                yield from samples.full()
        self.skipped_bytes = max(0, self.text.content_bytes - decoded_bytes)
        yield from super().tables()
        for samples in self.further:
            yield from samples.rest()

    def take(self, series: AnswerSeries) -> bool:
        """Take the samples of a series; return whether its figure is used."""
        raise NotImplementedError

    def take_all(self) -> None:
        """Nothing is left to gather."""

    def problems(self) -> Iterator[str]:
        """Yield the warnings, and what was left out."""
        yield from (f"{self.name}: {text}" for text in self.warnings)
        yield from super().problems()

    def series(self) -> Iterator[tuple[AnswerSeries, int]]:
        """Yield each series with its bytes; raises InputError for one cut, wrong or of an error."""
        content, document = self.text.mapped()
        try:
            envelope = _ENVELOPE.decode(document)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._unreadable(error) from error
        self.warnings += envelope.warnings
        if before := self.text.lines_before:
            said = f"{counted(len(before), 'line')} in front of the answer left out, the first of"
            self.warnings.append(f'{said} them "{only_printable(before[0])[:80]}".')
        if envelope.status != "success":
            raise InputError(
                "an answer of Prometheus that holds an error instead of figures",
                file=self.name,
                found=f"{envelope.errorType}: {envelope.error}"[:300],
                remedy="Correct the query, and send its answer.",
            )
        position = 0
        for series in envelope.data.result if envelope.data else ():
            try:
                found = _decoded(series)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise self._unreadable(error) from error
            size = len(bytes(series))
            yield found, size
            content.release(position, position + size)
            position += size

    def _unreadable(self, error: Exception) -> InputError:
        is_cut = str(error) == "Input data was truncated"
        how = "ends in the middle" if is_cut else "cannot be read"
        return InputError(
            f"the JSON of a Prometheus answer {how}",
            file=self.name,
            found=self.text.problem or str(error),
            expected="an answer of the Prometheus range API (query_range)",
            remedy="Send the complete answer again; nothing of it is stored.",
        )


def is_answer(text: TextFile) -> bool:
    """Return whether a text is an answer of Prometheus, of figures or of an error."""
    return "status" in text.keys and bool(text.keys & {"data", "errorType"})


def names_site_figures(text: TextFile) -> bool:
    """Return whether the first series has labels of a site figure; of a cut answer any name."""
    data: Any = text.first_object.get("data")
    try:
        is_raw, decode = isinstance(data, msgspec.Raw), msgspec.json.decode
        read: _Plain = (decode if is_raw else msgspec.convert)(data, type=_Plain)
        return read.result[0].metric.keys() >= _SITE_LABELS
    except (msgspec.MsgspecError, IndexError):
        return text.keys >= _SITE_LABELS


def sample_key(
    meaning: Meaning, labels: Mapping[str, str], *, every_label: bool = False
) -> SampleKey | None:
    """Return whose figure it is; ``None`` where labels name no queue manager or object.

    The first label names an object, all of them a channel, with ``every_label`` missing ones too.
    """
    qmgr = labels.get("qmgr", "").strip()
    found = [name for name in meaning.labels if name in labels]
    if not is_mq_name(qmgr) or (meaning.labels and not found):
        return None
    if meaning.figure is not QmgrFigure.channel_status:
        found = found[:1]
    elif every_label:
        found = list(meaning.labels)
    named = "/".join(labels.get(name, "").strip() for name in found)
    host = labels.get("hostname", "").strip()
    return SampleKey(qmgr, meaning.figure, meaning.reading, named, host)


def samples_of(series: AnswerSeries) -> tuple[Instants, Values]:
    """Return times in microseconds, ascending and each once, with the last value of each."""
    pairs = series.values if series.value is None else [*series.values, series.value]
    flat = np.fromiter(chain.from_iterable(pairs), float, 2 * len(pairs)).reshape(-1, 2)
    seconds = np.nan_to_num(flat[:, 0], nan=0.0, posinf=0.0, neginf=0.0).clip(-1e11, 1e11)
    reversed_us = np.round(seconds * US_PER_S).astype(np.int64)[::-1]
    reported_us, last = np.unique(reversed_us, return_index=True)
    return reported_us, np.ascontiguousarray(flat[::-1, 1][last])


def _decoded(text: msgspec.Raw) -> AnswerSeries:
    try:
        return _SERIES.decode(text)
    except msgspec.ValidationError:  # the parser takes NaN and -Inf for numbers, +Inf not
        return _SERIES.decode(_PLUS.sub(b'"', bytes(text)))
