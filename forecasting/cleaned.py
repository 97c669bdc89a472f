"""Days that a forecast leaves out of its history and level shifts that it sees.

The same steps as in ``prepare`` and ``specification``, listed instead of counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

import numpy as np

from forecasting.arrays import BoolArray, FloatArray
from forecasting.engine.shifts import level_shifts, with_known
from forecasting.history import History
from forecasting.model import log_scale_fits
from forecasting.prepare import clean, without_outages
from forecasting.sawtooth import sawtooth_of


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
    if not history.observed_count:
        return Cleaned()
    plain = without_outages(history)
    if not plain.observed_count:
        return Cleaned(removed=_removed(history, plain, plain))
    if sawtooth_of(plain) is not None:
        return Cleaned(removed=_removed(history, plain, plain))
    clean_history = clean(history)
    shifts = _shifts(clean_history)
    return Cleaned(
        removed=_removed(history, plain, clean_history),
        shifts=shifts,
        known=frozenset(shifts) & frozenset(history.known_changes),
    )


def _removed(
    history: History, plain: History, clean_history: History
) -> tuple[tuple[date, LeftOut], ...]:
    outages = _days(history, history.observed & ~plain.observed)
    spikes = _days(history, plain.observed & ~clean_history.observed)
    return tuple(
        sorted(
            [(day, LeftOut.outage) for day in outages] + [(day, LeftOut.spike) for day in spikes]
        )
    )


def _shifts(clean_history: History) -> tuple[date, ...]:
    observed = clean_history.observed
    values: FloatArray = clean_history.values
    if log_scale_fits(values[observed]):
        values = np.log(values)
    changes = np.array(clean_history.known_changes, dtype="datetime64[D]") - clean_history.first_day
    known_steps = tuple(changes.astype(np.int64).tolist())
    is_shift = np.zeros(len(values), dtype=bool)
    is_shift[with_known(level_shifts(values, 7), known_steps, observed)] = True
    return tuple(_days(clean_history, is_shift))


def _days(history: History, chosen: BoolArray) -> list[date]:
    return [day.astype(date) for day in history.days[chosen]]
