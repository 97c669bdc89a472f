"""Figures of z/TPF systems that one file has, with the step between them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from mqcap.domain.datasets import ZTPF_SAMPLE
from mqcap.domain.distributed.qmgr_figure import SampleReading
from mqcap.domain.sampled.figures import ZtpfFigure
from mqcap.domain.units import US_PER_S
from mqcap.ingest.gathered_samples import GatheredSamples
from mqcap.ingest.samples import Instants, Samples, Values, in_seconds, most_frequent
from mqcap.ingest.text_reading import Omissions

_TOTAL: Final = ZtpfFigure.mqm_total_blocks
_OF_TOTAL: Final = (ZtpfFigure.mqm_in_use_blocks, ZtpfFigure.mqm_high_water_blocks)


class ZtpfKey(NamedTuple):
    """Whose figure a sample is."""

    system: str
    queue: str
    """Empty for a figure of the system."""
    figure: ZtpfFigure

    @property
    def reading(self) -> SampleReading:
        """All are levels."""
        return SampleReading.gauge


@dataclass
class ZtpfFigures:
    """The figures of one file."""

    file_sha256: str
    left_out: Omissions
    """What was left out and why, to be counted here."""
    samples: Samples = field(init=False)
    _gathered: GatheredSamples[ZtpfKey] = field(default_factory=GatheredSamples)
    _last: dict[ZtpfKey, tuple[int, float]] = field(default_factory=dict)
    _stamps: dict[tuple[str, str], array[int]] = field(default_factory=dict)
    """Times of displays by system and queue."""

    def __post_init__(self) -> None:
        """Begin without samples."""
        self.samples = Samples(self.file_sha256, ZTPF_SAMPLE)

    def take_display(
        self, system: str, queue: str, reported_us: int, values: Mapping[ZtpfFigure, float]
    ) -> None:
        """Take a display, whose step is that between the displays of its system or queue."""
        self._stamps.setdefault((system, queue), array("q")).append(reported_us)
        self.take(system, queue, reported_us, values)

    def take(
        self,
        system: str,
        queue: str,
        reported_us: int,
        values: Mapping[ZtpfFigure, float],
        seconds: float = float("nan"),
    ) -> None:
        """Gather figures of one time; repeated ones once. More than the total is no figure.

        ``seconds`` is the length of the interval that ends then; NaN where it is not stated.
        """
        total = values.get(_TOTAL)
        for figure, value in values.items():
            if figure in _OF_TOTAL and total is not None and value > total:
                self.left_out.add(f"{figure} is above the total", "figure")
                continue
            key = ZtpfKey(system, queue, figure)
            if self._last.get(key) != (reported_us, value):
                self._last[key] = (reported_us, value)
                self._gathered.add(key, reported_us, value, seconds)

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield the samples in tables of a bounded size, all but the last of them full."""
        for key, reported_us, seconds, values in self._gathered.figures():
            self.samples.add(key, reported_us, self._steps(key, reported_us, seconds), values)
            yield from self.samples.full()
        yield from self.samples.rest()

    def _steps(self, key: ZtpfKey, reported_us: Instants, stated: Values) -> Values | float | None:
        """Return the intervals of a table as it states them, else the most frequent distance.

        Of displays that of their stamps.
        """
        stamps = self._stamps.get((key.system, key.queue))
        times = reported_us if stamps is None else np.array(stamps)
        distinct: Instants = np.unique(times)
        step_us = most_frequent(distinct[1:] - distinct[:-1])
        if step_us is None or stamps is not None:
            return in_seconds(step_us)
        return np.where(np.isnan(stated), step_us / US_PER_S, stated)
