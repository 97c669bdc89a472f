"""Days of a metric with their parts one above the other, for a chart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from mqcap.domain.attribution import OTHERS, UNEXPLAINED_RATIO, PartDay, PartKind

REST: Final = (PartKind.other, OTHERS)
Name = tuple[PartKind, str]


class Layer(NamedTuple):
    """One part on all days; 0 on a day without it."""

    kind: PartKind
    part: str
    values: tuple[float, ...]


class Stack(NamedTuple):
    """The measured days of a metric, in order, with its value and its parts."""

    days: tuple[date, ...]
    whole: tuple[float, ...]
    layers: tuple[Layer, ...]
    """The largest named part first, then what is added up, then what is unexplained, if any."""


def stack(rows: Iterable[PartDay], breakdown: PartKind, named_max: int) -> Stack:
    """Return the days with the ``named_max`` parts that are largest over all of them.

    Further parts are added to the others; parts beyond the metric have no unexplained rest.
    """
    every = list(rows)
    covered: dict[date, float] = {}
    for row in every:
        if row.kind == PartKind.whole:
            covered[row.site_date] = covered.get(row.site_date, 0.0) + row.covered_seconds
    days = tuple(sorted(day for day, seconds in covered.items() if seconds))
    by_name: dict[Name, dict[date, float]] = {}
    for row in every:
        if row.site_date in covered and row.breakdown in {breakdown, ""}:
            values = by_name.setdefault((PartKind(row.kind), row.part), {})
            mean = row.value * row.covered_seconds / covered[row.site_date]
            values[row.site_date] = values.get(row.site_date, 0.0) + mean
    whole = by_name.pop((PartKind.whole, ""), {})
    layers = _layers(by_name, breakdown, named_max, days)
    rest = tuple(
        max(0.0, whole[day] - sum(layer.values[place] for layer in layers))
        for place, day in enumerate(days)
    )
    if any(left > UNEXPLAINED_RATIO * whole[day] for left, day in zip(rest, days, strict=True)):
        layers.append(Layer(PartKind.unexplained, PartKind.unexplained, rest))
    return Stack(days, tuple(whole[day] for day in days), tuple(layers))


def _layers(
    by_name: dict[Name, dict[date, float]],
    breakdown: PartKind,
    named_max: int,
    days: Sequence[date],
) -> list[Layer]:
    sizes = {name: sum(values.values()) for name, values in by_name.items()}
    named = sorted(
        (name for name in by_name if name[0] is breakdown), key=lambda name: (-sizes[name], name)
    )
    for name in named[named_max:]:
        rest = by_name.setdefault(REST, {})
        for day, value in by_name.pop(name).items():
            rest[day] = rest.get(day, 0.0) + value
    added = sorted(name for name in by_name if name[0] is not breakdown)
    return [
        Layer(*name, tuple(by_name[name].get(day, 0.0) for day in days))
        for name in (*named[:named_max], *added)
    ]


class PairName(StrEnum):
    """A figure that two sources have."""

    log_tasks = "log_tasks"
    log_queues = "log_queues"
    structure_requests = "structure_requests"
    chinit_storage = "chinit_storage"


class SourcePair(NamedTuple):
    """What both sources measure."""

    figure: str
    unit: str
    first: str
    second: str
    remedy: str
    is_upper_bound: bool = False
    """Whether the second may be less than the first: it contains a part of the figure."""

    def deviation_pct(self, first: float, second: float) -> float:
        """Return by how much the second is above the first, in per cent; 0 where it may be less.

        Infinite where the first has nothing of what the second has.
        """
        if first <= 0:
            return math.inf if second > 0 else 0.0
        deviation = 100 * (second - first) / first
        return max(0.0, deviation) if self.is_upper_bound else deviation


PAIRS: Final = MappingProxyType(
    {
        PairName.log_tasks: SourcePair(
            "log write rate",
            "MiB/s",
            "115.1 (QJSTBFFL)",
            "116 class 3 (WTASJWB)",
            "Check whether START TRACE(ACCTG) CLASS(3) is on for all tasks, and whether records of"
            " either type are missing.",
        ),
        PairName.log_queues: SourcePair(
            "log write rate",
            "MiB/s",
            "115.1 (QJSTBFFL)",
            "the persistent bytes put of 115.216 (QQSTPPB)",
            "More bytes were put than logged: check for records of 115.1 that are missing.",
            is_upper_bound=True,
        ),
        PairName.structure_requests: SourcePair(
            "requests to the structure",
            "count/s",
            "74.4 (R744SSRC and R744SARC)",
            "115.2 of its queue managers (QESTCSEC and QESTCMEC)",
            "Check for a queue manager whose 115.2 is missing, or for 74.4 of a member.",
        ),
        PairName.chinit_storage: SourcePair(
            "31-bit storage of the channel initiator",
            "MiB",
            "115.231 (QCCTSTUS)",
            "message CSQX004I",
            "Check whether the console log is of that channel initiator, and its time zone.",
        ),
    }
)
