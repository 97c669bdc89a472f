"""Amounts since a scrape, as the collectors of an answer report them.

mq_prometheus reports what was counted since anybody's last scrape, and then begins again. So series
of one collector whose labels change are one series; what several collectors read at one address
belongs to the time since any of them read last; and what a collector does not reset is a counter.
Where it cannot be known whether two collectors share what was counted, amounts are left out.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from mqcap.domain.distributed.qmgr_figure import SampleReading
from mqcap.ingest.samples import COUNTER_REACH_STEPS, Instants, SampleKey, Values, most_frequent

RISES_MIN: Final = 12
"""Values of a collector that rise at so many times for each at which one falls, and then to less
than half, are not reset (ours): 12 amounts in any order only rise in one of 479 million."""
DOUBTFUL_RISES: Final = 4
"""From so many rises on, values that never fall may not be reset (ours): 5 amounts in any order
only rise in one of 120."""
OF_MQ: Final = frozenset(
    {
        "__name__",
        "qmgr",
        "hostname",
        "platform",
        "description",
        "queue",
        "usage",
        "cluster",
        "channel",
        "type",
        "rqmname",
        "connname",
        "jobname",
        "sslciph",
        "instance_type",
    }
)
"""Labels that mq_prometheus writes of what it observes; each other one is of who collects."""

Collector = tuple[tuple[str, str], ...]


class Series(NamedTuple):
    """Times, ascending, with a value each."""

    reported_us: Instants
    values: Values


Amount = tuple[SampleKey, Instants, int | Instants | None, Values]
"""Times and values of an amount, with the time that each is about; ``None`` where not known."""


@dataclass
class Amounts:
    """The amounts of one answer until all of it is read."""

    sample_count: int = 0
    shared: set[str] = field(default_factory=set)
    """Queue managers with amounts left out, of collectors that may share them."""
    rising: set[str] = field(default_factory=set)
    """Queue managers with amounts left out, since they may not be reset."""
    lone: set[str] = field(default_factory=set)
    """Names left out because the other half of their amount is not in the answer."""
    _series: dict[SampleKey, dict[Collector, dict[tuple[bool, str], list[Series]]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    )

    def add(
        self, key: SampleKey, labels: Mapping[str, str], series: Series, *, is_half: bool
    ) -> None:
        """Keep one series; ``is_half`` when another name has the rest of the amount."""
        collector = tuple(sorted((name, labels[name]) for name in labels.keys() - OF_MQ))
        name = (is_half, labels["__name__"])
        self._series[key][collector][name].append(series)
        self.sample_count += len(series.values)

    def taken(self, usual_us: int | None) -> Iterator[Amount]:
        """Yield the amounts and forget them; ``usual_us`` is the step of most other series."""
        figures = {
            key: {
                who: whole for who, named in by_collector.items() if (whole := self._whole(named))
            }
            for key, by_collector in self._series.items()
        }
        self._series.clear()
        self.sample_count = 0
        counting, rising = _counting(figures)
        for key, by_collector in figures.items():
            for address, collectors in self._of_addresses(key.qmgr, by_collector).items():
                abouts = {(key.qmgr, who) for who in collectors}
                if abouts <= counting:
                    merged = _merged(list(collectors.values()), np.maximum)
                    of_address = key._replace(
                        reading=SampleReading.counter, object=key.object or address
                    )
                    yield of_address, merged.reported_us, _step_us(merged), merged.values
                elif abouts & rising:
                    self.rising.add(key.qmgr)
                else:
                    yield _amount(key, list(collectors.values()), usual_us)

    def _whole(self, named: Mapping[tuple[bool, str], Sequence[Series]]) -> Series | None:
        """Return what one collector reports of a figure under one name, or under two halves."""
        by_name = {name: _merged(series, np.maximum) for name, series in named.items()}
        whole = [series for (is_half, _), series in by_name.items() if not is_half]
        if whole:
            return _merged(whole, np.maximum)
        if len(by_name) == 1:
            self.lone |= {name for _, name in by_name}
            return None
        first, second = by_name.values()
        times, left, right = np.intersect1d(
            first.reported_us, second.reported_us, assume_unique=True, return_indices=True
        )
        return Series(times, first.values[left] + second.values[right]) if len(times) else None

    def _of_addresses(
        self, qmgr: str, by_collector: Mapping[Collector, Series]
    ) -> dict[str, dict[Collector, Series]]:
        """Return by address what nobody reports at the same time from another one."""
        spans: dict[str, tuple[int, int]] = {}
        for who, series in by_collector.items():
            first, last = int(series.reported_us[0]), int(series.reported_us[-1])
            before = spans.get(_address(who), (first, last))
            spans[_address(who)] = (min(first, before[0]), max(last, before[1]))
        alone: dict[str, dict[Collector, Series]] = defaultdict(dict)
        for who, (times, values) in by_collector.items():
            kept = np.ones(len(times), bool)
            for address, (first, last) in spans.items():
                if address != _address(who):
                    kept &= (times < first) | (times > last)
            if not kept.all():
                self.shared.add(qmgr)
            if kept.any():
                alone[_address(who)][who] = Series(times[kept], values[kept])
        return alone


def _address(who: Collector) -> str:
    return dict(who).get("instance", "")


def _counting(
    figures: Mapping[SampleKey, Mapping[Collector, Series]],
) -> tuple[set[tuple[str, Collector]], set[tuple[str, Collector]]]:
    """Return queue manager and collector of amounts that are not reset, and that may not be."""
    rises: dict[tuple[str, Collector], list[Instants]] = defaultdict(list)
    falls: dict[tuple[str, Collector], list[Instants]] = defaultdict(list)
    resets: set[tuple[str, Collector]] = set()
    for key, by_collector in figures.items():
        for who, (times, values) in by_collector.items():
            about = (key.qmgr, who)
            before, after = values[:-1], values[1:]
            rises[about].append(times[1:][after > before])
            falls[about].append(times[1:][after < before])
            if ((after < before) & (2 * after >= before)).any():
                resets.add(about)
    counting, rising = set(), set()
    for about in rises.keys() - resets:
        up, down = (len(np.unique(np.concatenate(found[about]))) for found in (rises, falls))
        if up >= RISES_MIN * max(1, down):
            counting.add(about)
        elif up >= DOUBTFUL_RISES and not down:
            rising.add(about)
    return counting, rising


def _amount(key: SampleKey, parts: Sequence[Series], usual_us: int | None) -> Amount:
    """Return what was read at one address: by one collector, or by several in turn."""
    merged = _merged(parts, np.add)
    step_us, own_us = _step_us(merged), min(filter(None, map(_step_us, parts)), default=None)
    if (
        step_us is None
        or own_us is None
        or step_us >= own_us
        or (usual_us is not None and step_us >= usual_us)
    ):
        return key, merged.reported_us, step_us, merged.values
    times = merged.reported_us
    since_us = np.diff(times, prepend=2 * times[0] - times[1])  # the first as the second
    since_us = np.where(since_us <= COUNTER_REACH_STEPS * own_us, since_us, own_us)
    in_turn = key._replace(reading=SampleReading.delta)
    return in_turn, times, since_us, merged.values


def _step_us(series: Series) -> int | None:
    return most_frequent(np.diff(series.reported_us))


def _merged(parts: Sequence[Series], at_one_time: np.ufunc) -> Series:
    """Return series as one, ascending, with what is of one time joined."""
    if len(parts) == 1:
        return parts[0]
    times = np.concatenate([series.reported_us for series in parts])
    values = np.concatenate([series.values for series in parts])
    order = np.argsort(times, kind="stable")
    unique, first = np.unique(times[order], return_index=True)
    return Series(unique, at_one_time.reduceat(values[order], first))
