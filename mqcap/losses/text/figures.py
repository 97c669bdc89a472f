"""Quantities of survivors in words: the figure against its limit, what fails, what stops."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.numbers import counted, duration, figure, quantity
from mqcap.domain.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE
from mqcap.losses.cell import LossCell, LossQuantity
from mqcap.presentation.dates import short_day

_SECONDS: Final = {"min": SECONDS_PER_MINUTE, "h": SECONDS_PER_HOUR}
_BACKUPS: Final = frozenset({LossQuantity.recovery, LossQuantity.structure_recovery})
STOPS: Final = "work stops at once"
LOGS_FULL: Final = "when all logs are full"


def cell_text(cell: LossCell) -> str:
    """Return the quantity with its figure, its limit and, where it fails later, the day."""
    part = "" if cell.subject == cell.survivor else f" {name_of(cell.subject)}"
    pool = part if cell.quantity is LossQuantity.buffer_pool else ""
    return f"{cell.quantity.label}{pool} {amount_text(cell)}{_ahead_text(cell)}"


def state_text(cell: LossCell) -> str:
    """Return the figure against its limit, and that it fails: ``64.63 %, limit 60 %, FAILS``."""
    fails = ", FAILS" if cell.fails else ""
    return f"{amount_text(cell)}{_ahead_text(cell)}{fails}"


def _ahead_text(cell: LossCell) -> str:
    if cell.fails_today or cell.fails_from is None:
        return ""
    return f" ({value_text(cell, cell.at_horizon)} ahead, from {short_day(cell.fails_from)})"


def amount_text(cell: LossCell) -> str:
    """Return the figure against its limit: ``129.3 %, limit 30 %``, ``43 min of 12 h``.

    A percentage has its limit beside it, since "of" would be read as its denominator.
    Of storage it is what is needed and what is free: ``8,292 MiB needed, 9,011 MiB free``; of
    backups the longest time between them that is allowed: ``61.4 h allowed, 24 h scheduled``.
    """
    if cell.quantity in _BACKUPS:
        scheduled = quantity(cell.limit, cell.unit)
        return f"{value_text(cell, cell.today)} allowed, {scheduled} scheduled"
    if cell.quantity is LossQuantity.cf_storage:
        free = (
            "free storage not known" if cell.limit is None else f"{_plain(cell, cell.limit)} free"
        )
        return f"{_plain(cell, cell.today)} needed, {free}"
    if cell.unit == "%":
        return f"{_plain(cell, cell.today)}, limit {quantity(cell.limit, cell.unit)}"
    if cell.unit in _SECONDS:
        return f"{value_text(cell, cell.today)} of {quantity(cell.limit, cell.unit)}"
    return f"{figure(cell.today)} of {quantity(cell.limit, cell.unit)}"


def value_text(cell: LossCell, value: float | None) -> str:
    """Return a value of the quantity with its unit; a time in the unit that reads best."""
    if cell.unit in _SECONDS and value is not None:
        return duration(value * _SECONDS[cell.unit])
    return _plain(cell, value)


def unforecast(cells: Iterable[LossCell]) -> tuple[str, ...]:
    """Return the figures without a forecast, such as ``CF busy of CF03``.

    Free storage is left out, since what is rebuilt into it keeps its size.
    """
    return tuple(
        f"{cell.quantity.label} of {name_of(cell.subject)}"
        for cell in cells
        if cell.at_horizon is None and cell.quantity is not LossQuantity.cf_storage
    )


def before_text(cell: LossCell) -> str:
    """Return the value with nothing lost; empty for structures, of which none has arrived."""
    if cell.quantity is LossQuantity.cf_storage:
        return ""
    return f"{value_text(cell, cell.before)} with nothing lost"


def stops_text(cell: LossCell) -> str:
    """Return when work stops: ``at once``, or when the logs are full; empty where it goes on."""
    if cell.minutes_to_failure is None:
        return ""
    return minutes_text(0) if cell.stops_at_once else LOGS_FULL


def minutes_text(minutes: float) -> str:
    """Return minutes in words: ``at once``, ``43 min``, ``6.8 h``."""
    return "at once" if minutes == 0 else duration(minutes * SECONDS_PER_MINUTE)


def limits_text(cells: Iterable[LossCell]) -> str:
    """Return how many limits are passed, and of how many that is so with nothing lost.

    Such as ``6 limits passed, 2 of them over already``; empty for a single one that the loss makes
    fail, and for none.
    """
    failing = [cell for cell in cells if cell.counts]
    over = sum(cell.fails_before for cell in failing)
    if len(failing) <= 1:
        return "over already" if over else ""
    passed = f"{counted(len(failing), 'limit')} passed"
    return f"{passed}, {over} of them over already" if over else passed


def worst_of_cells(cells: Iterable[LossCell]) -> str:
    """Return the worst quantity of several with what fails and stops; empty without any."""
    return "; ".join(worst_parts(cells))


def worst_parts(cells: Iterable[LossCell]) -> list[str]:
    """Return the worst quantity, that work stops at once, and the limits passed; those that are."""
    every = list(cells)
    if not every:
        return []
    worst = max(every, key=lambda cell: cell.shown_rank)
    stops = STOPS if worst.stops_at_once else ""
    return [part for part in (cell_text(worst), stops, limits_text(every)) if part]


def name_of(subject: str) -> str:
    """Return the last name of a path."""
    return subject.rpartition(SERIES_SEPARATOR)[2]


def _plain(cell: LossCell, value: float | None) -> str:
    return quantity(value, cell.unit)
