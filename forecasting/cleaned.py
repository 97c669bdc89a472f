"""Days that a forecast leaves out of its history and level shifts that it sees."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from forecasting.history import History
from forecasting.prepare import clean, without_outages
from forecasting.sawtooth import sawtooth_of
from forecasting.specification import specification


class LeftOut(StrEnum):
    """Reason for which a measured day is left out of the training."""

    outage = "outage"
    """Not above zero in a series that otherwise is: an outage or a counter that began anew."""
    spike = "spike"
    """Far from the weeks around it, single, and not at the same place of most months."""


@dataclass(frozen=True)
class Cleaned:
    """Days left out with their reasons, and first days after level shifts, each in order."""

    removed: tuple[tuple[date, LeftOut], ...] = ()
    shifts: tuple[date, ...] = ()
    known: frozenset[date] = frozenset()
    """Those of ``shifts`` that the estate declares in ``known_changes``."""


def cleaned(history: History) -> Cleaned:
    """Return how a forecast of this history treats its days; an empty one has nothing left out."""
    plain = without_outages(history)
    is_modelled = plain.observed_count and sawtooth_of(plain) is None
    kept = clean(history) if is_modelled else plain
    days = history.days.astype(object)
    removed = [
        (day, LeftOut.spike if is_seen else LeftOut.outage)
        for day, is_seen in zip(days[history.observed & ~kept.observed],
                                plain.observed[history.observed & ~kept.observed], strict=True)
    ]  # fmt: skip
    places = list(specification(kept, 0).regressors.shifts) if is_modelled else []
    shifts = tuple(days[places])
    return Cleaned(tuple(removed), shifts, frozenset(shifts) & frozenset(history.known_changes))
