"""Answers of Prometheus as site figures: any query whose labels name ``subject`` and ``figure``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from mqcap.domain.datasets import SITE_SAMPLE
from mqcap.domain.errors import InputError
from mqcap.domain.source import Reading, SourceSummary
from mqcap.domain.units import US_PER_S
from mqcap.ingest.prometheus.answer import Answer, AnswerSeries, names_site_figures, samples_of
from mqcap.ingest.samples import Samples, SiteSampleKey, most_frequent
from mqcap.ingest.site_figures.lines import checked_names
from mqcap.ingest.smf.dump_file import open_content, read_head

_RESULT_TYPE: Final = re.compile(rb'"resultType"\s*:')


@dataclass
class SiteAnswerReading:
    """A pass over one answer."""

    path: Path
    file_sha256: str
    content_bytes: int = 0
    decoded_bytes: int = 0
    _samples: Samples = field(init=False)
    _warnings: list[str] = field(default_factory=list)
    _refused: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Begin without samples."""
        self._samples = Samples(self.file_sha256, SITE_SAMPLE)

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples.

        Raises InputError when the document cannot be read to its end, or no series can be used.
        """
        content = open_content(self.path)
        self.content_bytes = len(content.data)
        answer = Answer(content)
        for series, bytes_count in answer.series():
            try:
                self._take(series)
            except ValueError as error:
                self._refused[str(error)] += 1
            else:
                self.decoded_bytes += bytes_count
            yield from self._samples.full()
        self._warnings += answer.envelope.warnings
        if not self._samples.row_count:
            raise InputError(
                "an answer of Prometheus without any site figure that can be used",
                file=self.path.name,
                found="; ".join(list(self._refused)[:3]) or "no sample",
                expected="series with the labels subject and figure",
                remedy="Set both with label_replace, as docs/site-figures.md shows.",
            )
        yield from self._samples.rest()

    def summary(self) -> SourceSummary:
        """Return what was found."""
        name, content = self.path.name, self.content_bytes
        problems = [
            *(f"{name}: {text}" for text in self._warnings),
            *(
                f"{name}: {count} of its series left out: {reason}."
                for reason, count in self._refused.items()
            ),
        ]
        return self._samples.summary(name, "json", content, content - self.decoded_bytes, problems)

    def _take(self, series: AnswerSeries) -> None:
        key = _key(series.metric)
        reported_us, values = samples_of(series)
        step_us = most_frequent(np.diff(reported_us))
        self._samples.add(key, reported_us, None if step_us is None else step_us / US_PER_S, values)


@dataclass(frozen=True)
class SiteAnswerSource:
    """Answers of the Prometheus API with site figures."""

    name: str = "site_answers"
    order: int = 39
    title: str = "site figures from Prometheus"
    description: str = "an answer of Prometheus with the labels subject and figure"

    def accepts(self, path: Path) -> bool:
        """Return whether the file is an answer whose first series has both labels."""
        head = read_head(path)
        is_object = head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
        is_answer = is_object and _RESULT_TYPE.search(head) is not None
        return is_answer and names_site_figures(head)

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading."""
        return SiteAnswerReading(path, file_sha256)


def _key(labels: Mapping[str, str]) -> SiteSampleKey:
    """Return whose figure a series is; raises ValueError with the reason where it is none."""
    if not {"subject", "figure"} <= labels.keys():
        name = labels.get("__name__") or "a series"
        raise ValueError(f"{name[:60]} without the labels subject and figure")
    names = checked_names(labels["subject"], labels["figure"], labels.get("unit", ""))
    return SiteSampleKey(*names)


SOURCE: Final = SiteAnswerSource()
