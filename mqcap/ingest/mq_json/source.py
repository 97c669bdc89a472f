"""Records of mq_json, the collector that prints what mq_prometheus publishes, as samples.

Names are those of mq_prometheus without underscores. An amount is of the time since the previous
record of that queue manager. A record has at most 100 points, so several may share a time.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import msgspec
import numpy as np

from mqcap.domain.distributed.mq_name import is_mq_name
from mqcap.domain.distributed.qmgr_figure import SampleReading
from mqcap.domain.units import US_PER_S
from mqcap.ingest.prometheus.answer import sample_key
from mqcap.ingest.prometheus.names import MEANINGS, Meaning, known_names
from mqcap.ingest.samples import (
    COUNTER_REACH_STEPS,
    END_UTC,
    FIRST_UTC,
    GatheredFigure,
    SampleKey,
    in_seconds,
    most_frequent,
)
from mqcap.ingest.text_reading import Refusal, SamplesReading, TextInput

_CAPITAL: Final = re.compile(r"(?<!^)(?=[A-Z])")
_NAMED: Final = 20


class _CollectionTime(msgspec.Struct):
    epoch: float


class _Point(msgspec.Struct):
    tags: dict[str, str]
    metrics: dict[str, Any]
    objectType: str = ""  # noqa: N815 - the collector's name


class _Record(msgspec.Struct):
    collectionTime: _CollectionTime  # noqa: N815 - the collector's name
    points: list[_Point]


@dataclass
class _MqJsonReading(SamplesReading):
    nothing = Refusal(
        "records of mq_json without any figure that is read",
        expected="points of queue managers that are not on z/OS",
        remedy="Check what the collector publishes, and send its output again.",
    )
    _times: dict[str, array[int]] = field(default_factory=dict)
    _unknown: set[str] = field(default_factory=set)

    def take_all(self) -> None:
        for record, line_number in self.objects(_Record, "record"):
            if not FIRST_UTC.timestamp() <= record.collectionTime.epoch < END_UTC.timestamp():
                self.left_out.add("it is of an impossible time", "record", line_number)
                continue
            for point in record.points:
                self._take(point, round(record.collectionTime.epoch * US_PER_S))

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        yield from self.named("names that mq_json does not publish", self._unknown)

    def _take(self, point: _Point, reported_us: int) -> None:
        qmgr = point.tags.get("qmgr", "").strip()
        if not is_mq_name(qmgr) or point.tags.get("platform") == "ZOS":
            return
        times = self._times.setdefault(qmgr, array("q"))
        if not times or times[-1] != reported_us:
            times.append(reported_us)
        kinds = (kind for kind in ("queue", "channel", "nha") if kind in point.tags)
        kind = point.objectType or next(kinds, "qmgr")  # older collectors do not state it
        for meaning, value in self._figures(kind, point.metrics):
            key = sample_key(meaning, point.tags)
            if key is None:
                self.left_out.add("its point names no object", "figure")
            else:
                if key.reading is SampleReading.scrape:  # each record has its own interval
                    key = key._replace(reading=SampleReading.delta)
                self.gathered.add(key, reported_us, value * meaning.factor)

    def _figures(self, kind: str, metrics: Mapping[str, Any]) -> Iterator[tuple[Meaning, float]]:
        """Yield the metrics that have a meaning; the two halves of an amount as one."""
        halves: dict[Meaning, list[float]] = {}
        for metric, value in metrics.items():
            name = _name(kind, metric)
            meaning = MEANINGS.get(name)
            if meaning is None or type(value) not in {int, float}:
                if name not in known_names():
                    self._unknown.add(name)
            elif meaning.is_half:
                halves.setdefault(meaning, []).append(value)
            else:
                yield meaning, value
        yield from ((meaning, sum(both)) for meaning, both in halves.items() if len(both) > 1)

    def add(self, figure: GatheredFigure[SampleKey]) -> None:
        """Add the samples of one figure; an amount without a close predecessor is left out."""
        key, times, values = figure.key, figure.reported_us, figure.values
        collected = np.unique(np.array(self._times[key.qmgr]))
        step_us = most_frequent(np.diff(collected))
        if key.reading is not SampleReading.delta:
            self.samples.add(key, times, in_seconds(step_us), values)
            return
        places = np.searchsorted(collected, times)
        since = times - collected[np.maximum(places - 1, 0)]
        close = (places > 0) & (since <= COUNTER_REACH_STEPS * (step_us or 0))
        self.samples.add(key, times[close], since[close] / US_PER_S, values[close])


@cache
def _name(kind: str, metric: str) -> str:
    """Return the name of mq_prometheus: ``queue_depth`` of ``depth`` of a queue."""
    return f"{kind}_{_CAPITAL.sub('_', metric).lower()}"


SOURCE: Final = TextInput(
    name="mq_json",
    order=41,
    title="output of mq_json",
    description="output of mq_json",
    recognises_json=lambda text: text.keys >= {"collectionTime", "points"},
    begin=_MqJsonReading,
    first_line=r"\{.*\"collectionTime\"",
)
