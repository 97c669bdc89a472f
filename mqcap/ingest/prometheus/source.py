"""Answers of Prometheus (query_range, query) as samples of distributed queue managers."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np

from mqcap.domain.datasets import ZOS_SAMPLE
from mqcap.domain.distributed.qmgr_figure import SampleReading
from mqcap.domain.errors import InputError
from mqcap.domain.source import SourceSummary
from mqcap.domain.units import US_PER_S
from mqcap.ingest.prometheus.amounts import Amounts, Series
from mqcap.ingest.prometheus.answer import (
    AnswerReading,
    AnswerSeries,
    is_answer,
    names_site_figures,
    sample_key,
    samples_of,
)
from mqcap.ingest.prometheus.names import MEANINGS, PREFIX, ZOS_MEANINGS, known_names
from mqcap.ingest.samples import (
    QMGR,
    Instants,
    SampleKey,
    Samples,
    Values,
    ZosKey,
    in_seconds,
    most_frequent,
    object_number,
)
from mqcap.ingest.text_reading import TextInput

DISTANCES_MIN: Final = 3
"""A series with fewer distances between its samples takes the step of the others (ours)."""
SHORT_MAX: Final = 50_000
"""Series of few samples that wait for the step of the others (ours); each label that changes with
every connection makes one."""
AMOUNTS_MAX: Final = 1 << 22
"""Samples of amounts since a scrape that wait for further series of the same figure (ours)."""


@dataclass
class PrometheusReading(AnswerReading):
    """A pass over one answer, or another file with the same series."""

    what: ClassVar[str] = "an answer of Prometheus"
    _series_count: int = 0
    _short: list[tuple[SampleKey | ZosKey, Instants, Values]] = field(default_factory=list)
    """Series with too few samples to know their step."""
    _amounts: Amounts = field(default_factory=Amounts)
    _steps: Counter[int] = field(default_factory=Counter)
    _unknown: set[str] = field(default_factory=set)
    _nameless: set[str] = field(default_factory=set)
    _of_zos: Samples = field(init=False)
    _unread_of_zos: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Begin without samples."""
        super().__post_init__()
        self._of_zos = Samples(self.file_sha256, ZOS_SAMPLE)
        self.further = (self._of_zos,)

    def take_all(self) -> None:
        """Add the amounts, and the series of few samples."""
        self._take_amounts()
        self._take_short()

    def is_usable(self) -> bool:
        """Return whether there are samples, or amounts that were left out with a reason."""
        amounts = self._amounts
        is_told = bool(amounts.shared or amounts.lone or amounts.rising)
        return super().is_usable() or bool(self._of_zos.row_count) or is_told

    def refusal(self) -> InputError:
        """Return the error for series of which none is read."""
        return InputError(
            f"{self.what} without any sample",
            file=self.name,
            found="; ".join(self.problems()) or f"{self._series_count} series",
            expected="series of queue managers with names of mq_prometheus",
            remedy="Check the names and the time of the query, and send it again.",
        )

    def summary(self) -> SourceSummary:
        """Return what was found."""
        return self._of_zos.added_to(super().summary(), self.name)

    def problems(self) -> Iterator[str]:
        """Yield what the file tells or lacks, and what was left out."""
        amounts = self._amounts
        yield from super().problems()
        unknown = "names that neither mq_prometheus nor the container publishes are"
        yield from self.named(unknown, self._unknown)
        unread = "series of queue managers on z/OS that are not read"
        yield from self.named(unread, self._unread_of_zos)
        if names := ", ".join(sorted(amounts.shared)):
            yield (
                f"{self.name}: collectors at several addresses (label instance) report {names} at "
                "the same time: amounts, such as puts and bytes of the log, may be shared by them "
                "or be there twice, and are left out. Query one instance."
            )
        if names := ", ".join(sorted(amounts.rising)):
            yield (
                f"{self.name}: amounts of {names} only rise: the collector may not reset them. "
                "They are left out. Ask for a longer time."
            )
        if names := ", ".join(sorted(amounts.lone)):
            yield f"{self.name}: left out, since MQPUT and MQPUT1 are asked for together: {names}."
        yield from self.named("series without a queue manager or their object", self._nameless)

    def take(self, series: AnswerSeries) -> bool:
        """Take the samples of a series; return whether its figure is used."""
        self._series_count += 1
        labels = series.metric
        if labels.get("platform") == "ZOS":
            return self._take_of_zos(series)
        name = labels.get("__name__", "")
        bare = _bare(name)
        meaning = MEANINGS.get(bare)
        if meaning is None:
            if bare not in known_names():
                self._unknown.add(name or "a series without a name")
            return False
        key = sample_key(meaning, labels, every_label=True)
        if key is None:
            self._nameless.add(name)
            return False
        if key.reading is SampleReading.counter:
            # by what tells it from all others: two counters are never one
            text = "\0".join(f"{label}={value}" for label, value in sorted(labels.items()))
            key = key._replace(object=hashlib.sha256(text.encode()).hexdigest()[:16])
        if not self.samples.admits(key):
            return False
        reported_us, values = samples_of(series)
        values = values * meaning.factor
        if key.reading is SampleReading.scrape and len(values):
            self._amounts.add(key, labels, Series(reported_us, values), is_half=meaning.is_half)
            self._take_amounts(AMOUNTS_MAX)
        else:
            self._add(key, reported_us, values)
        return True

    def _take_of_zos(self, series: AnswerSeries) -> bool:
        """Add the samples of a buffer pool or page set on z/OS; its sysplex is in the settings."""
        name = series.metric.get("__name__", "")
        meaning = ZOS_MEANINGS.get(_bare(name))
        qmgr = series.metric.get("qmgr", "").strip()
        number = object_number(series.metric.get(meaning.label, "").strip()) if meaning else None
        if meaning is None or number is None or QMGR.fullmatch(qmgr) is None:
            self._unread_of_zos.add(name)
            return False
        key = ZosKey("", "", qmgr, meaning.form.format(number), meaning.figure)
        self._add(key, *samples_of(series))
        return True

    def _samples_of(self, key: SampleKey | ZosKey) -> Samples:
        return self._of_zos if isinstance(key, ZosKey) else self.samples

    def _usual_us(self) -> int | None:
        """Return the step of most series until now; ``None`` without any."""
        steps = self._steps.most_common(1)
        return steps[0][0] if steps else None

    def _add(self, key: SampleKey | ZosKey, reported_us: Instants, values: Values) -> None:
        distances = np.diff(reported_us)
        step_us = most_frequent(distances)
        if step_us is None or len(distances) < DISTANCES_MIN:
            self._short.append((key, reported_us, values))
            if len(self._short) >= SHORT_MAX:
                self._take_short()
            return
        self._steps[step_us] += 1
        self._samples_of(key).add(key, reported_us, step_us / US_PER_S, values)

    def _take_amounts(self, sample_count: int = 1) -> None:
        """Add the amounts since a scrape that were read until now, once they are so many."""
        if self._amounts.sample_count < sample_count:
            return
        for key, reported_us, step_us, values in self._amounts.taken(self._usual_us()):
            if isinstance(step_us, int) and len(values) > DISTANCES_MIN:
                self._steps[step_us] += 1
            if key.reading is SampleReading.scrape and len(values) <= DISTANCES_MIN:
                self._short.append((key, reported_us, values))
            else:
                self.samples.add(key, reported_us, in_seconds(step_us), values)

    def _take_short(self) -> None:
        """Add the series of few samples with the step of most others until now."""
        usual_us = self._usual_us()
        for key, reported_us, values in self._short:
            step_us = usual_us or most_frequent(np.diff(reported_us))
            self._samples_of(key).add(key, reported_us, in_seconds(step_us), values)
        self._short.clear()


def _bare(name: str) -> str:
    return name.removeprefix(PREFIX) if name.startswith(PREFIX) else ""


SOURCE: Final = TextInput(
    name="prometheus",
    order=40,
    title="answer of Prometheus",
    description="an answer of Prometheus (query_range) with figures of MQ",
    recognises_json=lambda text: is_answer(text) and not names_site_figures(text),
    begin=PrometheusReading,
    first_line=r"\{(?=.*\"status\").*\"data\"",
    named_behind="an answer of Prometheus",
)
