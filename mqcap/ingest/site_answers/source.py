"""Answers of Prometheus as site figures: any query whose labels name ``subject`` and ``figure``."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from mqcap.domain.datasets import SITE_SAMPLE, Dataset
from mqcap.domain.errors import InputError
from mqcap.ingest.prometheus.answer import (
    Answer,
    AnswerSeries,
    is_answer,
    names_site_figures,
    samples_of,
)
from mqcap.ingest.samples import SiteSampleKey, in_seconds, most_frequent
from mqcap.ingest.site_figures.source import checked_names
from mqcap.ingest.text_reading import SamplesReading, TextInput


@dataclass
class SiteAnswerReading(SamplesReading):
    """A pass over one answer."""

    framing: ClassVar[str] = "json"
    dataset: ClassVar[Dataset] = SITE_SAMPLE
    _warnings: tuple[str, ...] = ()

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples.

        Raises InputError when the document cannot be read to its end, or no series can be used.
        """
        answer = Answer(self.text)
        decoded_bytes = 0
        for series, bytes_count in answer.series():
            try:
                self._take(series)
            except ValueError as error:
                self.left_out.add(str(error), "series")
            else:
                decoded_bytes += bytes_count
            yield from self.samples.full()
        self.skipped_bytes = max(0, self.text.content_bytes - decoded_bytes)
        self._warnings = tuple(answer.problems)
        yield from super().tables()

    def take_all(self) -> None:
        """Nothing is left to gather."""

    def refusal(self) -> InputError:
        """Return the error for an answer of which no series can be used."""
        return self.unusable(
            "an answer of Prometheus without any site figure that can be used",
            found=self.left_out.reasons() or "no sample",
            expected="series with the labels subject and figure",
            remedy="Set both with label_replace, as docs/inputs.md shows.",
        )

    def problems(self) -> Iterator[str]:
        """Yield what was left out, and the warnings of the API."""
        yield from (f"{self.name}: {text}" for text in self._warnings)
        yield from super().problems()

    def _take(self, series: AnswerSeries) -> None:
        key = _key(series.metric)
        reported_us, values = samples_of(series)
        seconds = in_seconds(most_frequent(np.diff(reported_us)))
        self.samples.add(key, reported_us, seconds, values)


def _key(labels: Mapping[str, str]) -> SiteSampleKey:
    """Return whose figure a series is; raises ValueError with the reason where it is none."""
    if not {"subject", "figure"} <= labels.keys():
        name = labels.get("__name__") or "a series"
        raise ValueError(f"{name[:60]} without the labels subject and figure")
    names = checked_names(labels["subject"], labels["figure"], labels.get("unit", ""))
    return SiteSampleKey(*names)


SOURCE: Final = TextInput(
    name="site_answers",
    order=39,
    title="site figures from Prometheus",
    description="an answer of Prometheus with the labels subject and figure",
    recognises_json=lambda text: is_answer(text) and names_site_figures(text),
    begin=SiteAnswerReading,
)
