"""The measured days of one series, with what rules have found in them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from datetime import date
from typing import Final

from mqcap.domain.finding import InputValue
from mqcap.store.models import WindowDay


class MeasuredDays:
    """The measured days of one series, oldest first; they stay as they are.

    States of a search share the series that they leave as they are, so a window, and the input of
    a rule from it, is found once for all of them.
    """

    __slots__ = ("_since", "days", "inputs")

    def __init__(self, days: Sequence[WindowDay]) -> None:
        self.days: Final = days
        self.inputs: Final[dict[Hashable, InputValue | None]] = {}
        """Inputs made of these days, by everything else that they depend on."""
        self._since: Final[dict[date, Sequence[WindowDay]]] = {}

    def since(self, first: date) -> Sequence[WindowDay]:
        """Return the days from the first one on."""
        if first not in self._since:
            self._since[first] = [day for day in self.days if day.site_date >= first]
        return self._since[first]
