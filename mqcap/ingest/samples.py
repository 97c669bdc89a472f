"""Samples as tables: what all inputs that tell figures time by time have in common.

A reader calls ``add`` for stretches of samples of one figure, and hands on what ``full`` and
``rest`` yield. What no queue manager can tell is left out here, and counted.

Of one queue manager a file gives so many queues at most: names that change all the time (queues
that programs create, with a new name each) would otherwise take memory, and space of the lake, for
every name.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mqcap.domain.datasets import QMGR_SAMPLE, Dataset
from mqcap.domain.distributed.mq_name import is_temporary_queue
from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.domain.numbers import counted
from mqcap.domain.sampled.figures import ZosFigure
from mqcap.domain.source import SourceSummary
from mqcap.domain.units import US_PER_S
from mqcap.ingest.smf.arrow import column, strings
from mqcap.ingest.smf.clock import TimeRange
from mqcap.ingest.smf.record_heads import ARROW_TYPES

QUEUES_MAX: Final = 50_000
"""Queues of one queue manager that are read from one file (ours): no document has a limit."""
_NAMED: Final = 5


@dataclass
class QueueLimit:
    """The first ``most`` queues of each queue manager of a file, and which were left out."""

    most: int = QUEUES_MAX
    _taken: dict[str, set[str]] = field(default_factory=dict)
    _left_out: dict[str, dict[str, None]] = field(default_factory=dict)

    def admits(self, qmgr: str, queue: str) -> bool:
        """Return whether a queue is among the first ones of its queue manager."""
        taken = self._taken.setdefault(qmgr, set())
        if queue in taken:
            return True
        if len(taken) < self.most:
            taken.add(queue)
            return True
        others = self._left_out.setdefault(qmgr, {})
        if len(others) < self.most:  # what is counted takes no more memory than what is read
            others[queue] = None
        return False

    def problems(self, file: str) -> Iterator[str]:
        """Yield a sentence for each queue manager with queues that were left out."""
        for qmgr, others in self._left_out.items():
            names = list(others)
            listed = ", ".join(names[:_NAMED]) + (" and others" if len(names) > _NAMED else "")
            at_least = "at least " if len(names) >= self.most else ""
            yield (
                f"{file}: queue manager {qmgr} has more than {counted(self.most, 'queue')} here; "
                f"{at_least}{counted(len(names), 'queue')} beyond the first of them left out: "
                f"{listed}. Report only queues that are to be watched (docs/distributed.md)."
            )


ROWS_PER_TABLE: Final = 1 << 16
VALUE_BELOW: Final = float(2**63)
"""MQ counts in 64 bits: nothing beyond is a figure of it."""
AMOUNT_BELOW: Final = float(2**50)
"""Nothing counts so much in one step (a PiB); so the amounts of an hour fit into 64 bits (ours)."""
FIRST_UTC: Final = datetime(2000, 1, 1, tzinfo=UTC)
END_UTC: Final = datetime(2100, 1, 1, tzinfo=UTC)
"""Times outside are those of a clock that was never set, or of other units (ours)."""
SCRAPE_REACH_S: Final = 3_600.0
"""Longest ``scrape_seconds`` of a site: so far before its time a delta may reach."""
COUNTER_REACH_STEPS: Final = 1.5
"""Two samples of a counter are neighbours up to this distance."""
_SIGNED: Final = frozenset(
    {QmgrFigure.log_extents_grown_count, QmgrFigure.log_extents_unreclaimed_count}
)
"""Figures of queue managers that may be below zero."""
_OF_WHOLE: Final = frozenset(
    {QmgrFigure.log_fs_free_pct, QmgrFigure.qmgr_fs_free_pct, QmgrFigure.host_ram_free_pct}
)
"""Free shares: more than 100 % is a number of another unit."""
_QUEUE_FIGURES: Final = "queue_"
"""Begin of the names of figures of queues."""
_WHOLE_PCT: Final = 100.0
_FIRST_US: Final = int(FIRST_UTC.timestamp()) * US_PER_S
_END_US: Final = int(END_UTC.timestamp()) * US_PER_S
_COMMON: Final = ("reported_utc", "step_seconds", "value", "file_sha256")
"""Columns of every dataset of samples; all others are texts of the key."""
Instants = NDArray[np.int64]
"""Microseconds since 1970, UTC."""
Values = NDArray[np.float64]


class SampleIdentity(Protocol):
    """Whose figure samples are: has an attribute for each text of its dataset."""

    @property
    def reading(self) -> SampleReading:
        """What the values are."""


class SampleKey(NamedTuple):
    """Whose figure the samples of a distributed queue manager are."""

    qmgr: str
    figure: QmgrFigure
    reading: SampleReading
    object: str = ""
    host: str = ""


class SiteSampleKey(NamedTuple):
    """Which site figure of which subject; ``unit`` is empty where the file states none."""

    subject: str
    figure: str
    unit: str

    @property
    def reading(self) -> SampleReading:
        """A level, as every site figure is."""
        return SampleReading.gauge


class _Stretch(NamedTuple):
    key: SampleIdentity
    reported_us: Instants
    step_seconds: Values
    """One for each sample; NaN where it is not known."""
    values: Values


def most_frequent(distances: Instants) -> int | None:
    """Return the most frequent distance of times, the shortest of several; ``None`` without any."""
    if not len(distances):
        return None
    if (distances == distances[0]).all():
        return int(distances[0])
    values, counts = np.unique(distances, return_counts=True)
    return int(values[counts.argmax()])


def usual_seconds(times: Instants | array[int]) -> float | None:
    """Return the most frequent distance of times in any order; ``None`` without any."""
    step_us = most_frequent(np.diff(np.unique(times)))
    return None if step_us is None else step_us / US_PER_S


def in_seconds(step_us: int | Instants | None) -> float | Values | None:
    """Return a step, or those of each sample, in seconds."""
    return None if step_us is None else step_us / US_PER_S


@dataclass
class Samples:
    """Samples of one file on their way to tables."""

    file_sha256: str
    dataset: Dataset = QMGR_SAMPLE
    row_count: int = 0
    times: TimeRange = field(default_factory=TimeRange)
    _left_out: Counter[str] = field(default_factory=Counter)
    _pending: list[_Stretch] = field(default_factory=list)
    _pending_rows: int = 0
    _queues: QueueLimit = field(default_factory=QueueLimit)

    def admits(self, key: SampleIdentity) -> bool:
        """Return whether samples of a key are taken: not beyond the limit of queues.

        Temporary queues are no objects.
        """
        if not isinstance(key, SampleKey) or not key.figure.startswith(_QUEUE_FIGURES):
            return True
        return not is_temporary_queue(key.object) and self._queues.admits(key.qmgr, key.object)

    def add(
        self,
        key: SampleIdentity,
        reported_us: Instants,
        step_seconds: float | Values | None,
        values: Values,
    ) -> None:
        """Add samples of one figure, reported at ascending times, each about the step before it.

        ``step_seconds`` is one for all or one for each, ``None`` where the input does not tell it.
        Values that are no numbers (NaN, infinite) are no samples; those of impossible size or time
        are left out and counted, as are queues beyond ``QUEUES_MAX``. Below zero only ``_SIGNED``
        and site figures are possible.
        """
        if not self.admits(key):
            return
        every = float("nan") if step_seconds is None else step_seconds
        steps: Values = np.broadcast_to(np.asarray(every, float), values.shape)
        in_time = (reported_us >= _FIRST_US) & (reported_us < _END_US)
        finite = np.isfinite(values)
        is_amount = key.reading in {SampleReading.delta, SampleReading.scrape}
        sized = np.abs(values) < (AMOUNT_BELOW if is_amount else VALUE_BELOW)
        if isinstance(key, SampleKey) and key.figure not in _SIGNED:
            sized &= values >= 0
        if isinstance(key, SampleKey) and key.figure in _OF_WHOLE:
            sized &= values <= _WHOLE_PCT
        usable = in_time & sized  # NaN and infinity compare as false
        if not usable.all():
            self._left_out["of impossible size"] += int((in_time & finite & ~sized).sum())
            self._left_out["at an impossible time"] += int((finite & ~in_time).sum())
            reported_us, values, steps = reported_us[usable], values[usable], steps[usable]
        if not len(reported_us):
            return
        self._pending.append(_Stretch(key, reported_us, steps, values))
        self._pending_rows += len(reported_us)
        self.row_count += len(reported_us)
        self._note_times(key.reading, reported_us, steps)

    def full(self) -> Iterator[tuple[str, pa.Table]]:
        """Yield what is pending as a table, once it is enough for one."""
        if self._pending_rows >= ROWS_PER_TABLE:
            yield from self.rest()

    def rest(self) -> Iterator[tuple[str, pa.Table]]:
        """Yield what is pending as a table."""
        if self._pending:
            yield self.dataset.name, _table(self.dataset, self._pending, self.file_sha256)
        self._pending, self._pending_rows = [], 0

    def added_to(self, summary: SourceSummary, file: str) -> SourceSummary:
        """Return the summary of a file whose other samples, of another dataset, it is about."""
        if self.row_count:
            times = filter(None, self.times.span())
            summary = summary.with_rows(
                self.dataset.name, self.row_count, times, self.times.dates()
            )
        return replace(summary, problems=(*self.problems(file), *summary.problems))

    def problems(self, file: str) -> list[str]:
        """Return sentences about samples that were left out."""
        left_out = [
            f"{file}: {counted(count, 'sample')} {what} left out."
            for what, count in self._left_out.items()
            if count
        ]
        return [*left_out, *self._queues.problems(file)]

    def _note_times(self, reading: SampleReading, reported_us: Instants, steps: Values) -> None:
        known = np.where(np.isnan(steps), SCRAPE_REACH_S, steps)
        step_us = np.round(known * US_PER_S).astype(np.int64)
        shifts: list[Instants | int] = [-step_us, -1]
        if reading is SampleReading.scrape:
            shifts.append(-np.maximum(step_us, round(SCRAPE_REACH_S * US_PER_S)))
        elif reading is SampleReading.counter:
            reach_us = np.round(COUNTER_REACH_STEPS * step_us).astype(np.int64)
            shifts += [-reach_us, reach_us]
        first, last = int(reported_us[0]), int(reported_us[-1])
        self.times.add(first - int(step_us[0]), last)
        for shift in shifts:
            self.times.add_days(reported_us + shift)


def _table(dataset: Dataset, stretches: Sequence[_Stretch], file_sha256: str) -> pa.Table:
    counts = np.array([len(stretch.reported_us) for stretch in stretches])
    columns = {
        name: _repeated([str(getattr(stretch.key, name)) for stretch in stretches], counts)
        for name in dataset.columns
        if name not in _COMMON
    }
    reported_us = np.concatenate([stretch.reported_us for stretch in stretches])
    columns["reported_utc"] = column(reported_us, ARROW_TYPES["timestamp"])
    steps = np.concatenate([stretch.step_seconds for stretch in stretches])
    columns["step_seconds"] = column(steps, absent=np.isnan(steps))
    columns["value"] = column(np.concatenate([stretch.values for stretch in stretches]))
    columns["file_sha256"] = _repeated([file_sha256] * len(stretches), counts)
    return pa.table({name: columns[name] for name in dataset.columns})


def _repeated(texts: Sequence[str], counts: NDArray[np.int64]) -> pa.DictionaryArray:
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    indices = np.repeat(np.array([numbers[text] for text in texts], np.int32), counts)
    return pa.DictionaryArray.from_arrays(column(indices), strings(list(numbers)))


QMGR: Final = re.compile(r"[A-Z0-9@#$]{1,4}")
"""Name of a queue manager on z/OS."""
_NUMBER_MAX: Final = 99


class ZosKey(NamedTuple):
    """Sysplex and SMF id are empty where the input does not state them."""

    sysplex: str
    smfid: str
    qmgr: str
    object: str
    figure: ZosFigure

    @property
    def reading(self) -> SampleReading:
        """Samples of a monitor are levels."""
        return SampleReading.gauge


def object_number(text: str) -> int | None:
    """Return the number of a buffer pool or page set, from 0 to 99; ``None`` for other text."""
    is_number = text.isascii() and text.isdigit() and int(text) <= _NUMBER_MAX
    return int(text) if is_number else None


KeyT = TypeVar("KeyT", bound=SampleIdentity)


class GatheredFigure(NamedTuple, Generic[KeyT]):
    """All samples of one figure of a file, in order of time."""

    key: KeyT
    reported_us: Instants
    seconds: Values
    """Length of the interval of each; NaN where the file does not state it."""
    values: Values


class GatheredSamples(Generic[KeyT]):
    """Samples by figure, each in order of time.

    ``admits`` says of a figure that is new whether its samples are taken; by default all are.
    """

    def __init__(self, admits: Callable[[KeyT], bool] = lambda _: True) -> None:
        self._admits = admits
        self._columns: dict[KeyT, tuple[array[int], array[float], array[float]]] = {}

    def add(self, key: KeyT, reported_us: int, value: float, seconds: float = float("nan")) -> None:
        """Add one sample, unless those of its figure are not taken."""
        columns = self._columns.get(key)
        if columns is None:
            if not self._admits(key):
                return
            columns = self._columns[key] = array("q"), array("d"), array("d")
        times, lengths, values = columns
        times.append(reported_us)
        lengths.append(seconds)
        values.append(value)

    def figures(self) -> Iterator[GatheredFigure[KeyT]]:
        """Yield the samples of each figure, in order of time."""
        for key, columns in self._columns.items():
            reported_us, seconds, values = map(np.array, columns)
            order = np.argsort(reported_us, kind="stable")
            yield GatheredFigure(key, reported_us[order], seconds[order], values[order])
