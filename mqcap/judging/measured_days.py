"""The measured days of one series, with what rules have found in them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from datetime import date
from typing import Final

from mqcap.domain.finding import InputValue
from mqcap.domain.metric import Statistic
from mqcap.store.models import WindowDay


class MeasuredDays:
    """The measured days of one series, oldest first; they stay as they are.

    States of a search share the series that they leave as they are, so a window, and the input of
    a rule from it, is found once for all of them.
    """

    def __init__(self, days: Sequence[WindowDay]) -> None:
        self.inputs: Final[dict[Hashable, InputValue | None]] = {}
        """Inputs made of these days, by everything else that they depend on."""
        self._since: Final[dict[date, Sequence[WindowDay]]] = {date.min: days}
        self._highest: Final[dict[tuple[date, Statistic], float]] = {}

    @property
    def days(self) -> Sequence[WindowDay]:
        """All days."""
        return self.since(date.min)

    def since(self, first: date) -> Sequence[WindowDay]:
        """Return the days from the first one on."""
        if first not in self._since:
            self._since[first] = self._found(first)
        return self._since[first]

    def highest(self, first: date, statistic: Statistic) -> float:
        """Return the highest figure of the days from the first one on; 0 without any."""
        key = (first, statistic)
        if key not in self._highest:
            figures = (day.value(statistic) for day in self.since(first))
            self._highest[key] = max(figures, default=0.0)
        return self._highest[key]

    def changed(self, change: Callable[[WindowDay], WindowDay]) -> MeasuredDays:
        """Return the days under a change of each, made for a window when it is read."""
        return _ChangedDays(self, change)

    def _found(self, first: date) -> Sequence[WindowDay]:
        return [day for day in self.days if day.site_date >= first]


class _ChangedDays(MeasuredDays):
    """The days of a series under a change, which few windows of a state are read of."""

    def __init__(self, of: MeasuredDays, change: Callable[[WindowDay], WindowDay]) -> None:
        super().__init__(())
        self._since.clear()
        self._of: Final = of
        self._change: Final = change

    def _found(self, first: date) -> Sequence[WindowDay]:
        return [self._change(day) for day in self._of.since(first)]
