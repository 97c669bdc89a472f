"""Samples of a file that states its figures time by time, gathered by figure."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from mqcap.ingest.samples import Instants, SampleIdentity, Values

KeyT = TypeVar("KeyT", bound=SampleIdentity)


class GatheredFigure(NamedTuple, Generic[KeyT]):
    """All samples of one figure of a file, in order of time."""

    key: KeyT
    reported_us: Instants
    seconds: Values
    """Length of the interval of each; NaN where the file does not state it."""
    values: Values


class SampleColumns(NamedTuple):
    """Samples of one figure as they were added."""

    reported_us: array[int]
    seconds: array[float]
    values: array[float]

    def add(self, reported_us: int, value: float, seconds: float) -> None:
        """Add one sample."""
        self.reported_us.append(reported_us)
        self.seconds.append(seconds)
        self.values.append(value)


class GatheredSamples(Generic[KeyT]):
    """Samples by figure, each in order of time.

    ``admits`` says of a figure that is new whether its samples are taken; by default all are.
    """

    def __init__(self, admits: Callable[[KeyT], bool] = lambda _: True) -> None:
        self._admits = admits
        self._columns: dict[KeyT, SampleColumns] = {}

    def add(self, key: KeyT, reported_us: int, value: float, seconds: float = float("nan")) -> None:
        """Add one sample."""
        columns = self.columns_of(key)
        if columns is not None:
            columns.add(reported_us, value, seconds)

    def columns_of(self, key: KeyT) -> SampleColumns | None:
        """Return the samples of a figure, to add to; ``None`` where they are not taken."""
        columns = self._columns.get(key)
        if columns is None and self._admits(key):
            columns = self._columns[key] = SampleColumns(array("q"), array("d"), array("d"))
        return columns

    def figures(self) -> Iterator[GatheredFigure[KeyT]]:
        """Yield the samples of each figure, in order of time."""
        for key, columns in self._columns.items():
            reported_us, seconds, values = map(np.array, columns)
            order = np.argsort(reported_us, kind="stable")
            yield GatheredFigure(key, reported_us[order], seconds[order], values[order])
