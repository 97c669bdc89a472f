"""Quantities of survivors in words: the figure against its limit, what fails, what stops."""

from collections.abc import Iterable
from typing import Final

from mqcap.domain.numbers import counted, duration
from mqcap.domain.units import SECONDS_PER_MINUTE
from mqcap.losses.cell import LossCell, LossQuantity
from mqcap.presentation.dates import short_day
from mqcap.presentation.quantities import at_a_glance, of_limit

_BACKUPS: Final = frozenset({LossQuantity.recovery, LossQuantity.structure_recovery})
STOPS: Final = "work stops at once"
LOGS_FULL: Final = "when all logs are full"


def cell_text(cell: LossCell) -> str:
    """Return the quantity with its figure, its limit and, where it fails later, the day."""
    part = "" if cell.subject == cell.survivor else f" {cell.subject.name}"
    pool = part if cell.quantity is LossQuantity.buffer_pool else ""
    return f"{cell.quantity.label}{pool} {amount_text(cell)}{_ahead_text(cell)}"


def state_text(cell: LossCell) -> str:
    """Return the figure against its limit, and that it fails: ``65 % of 60 %, FAILS``."""
    fails = ", FAILS" if cell.fails else ""
    return f"{amount_text(cell)}{_ahead_text(cell)}{fails}"


def _ahead_text(cell: LossCell) -> str:
    if cell.fails_today or cell.fails_from is None:
        return ""
    return f" ({at_a_glance(cell.at_horizon, cell.unit)} ahead, from {short_day(cell.fails_from)})"


def amount_text(cell: LossCell) -> str:
    """Return the figure against its limit: ``129 % of 30 %``, ``43 min of 12 h``.

    Of storage it is what is needed and what is free: ``8,292 MiB needed, 9,011 MiB free``; of
    backups the longest time between them that is allowed: ``61 h allowed, 24 h scheduled``.
    """
    now = at_a_glance(cell.today, cell.unit, cell.limit)
    limit = at_a_glance(cell.limit, cell.unit)
    if cell.quantity in _BACKUPS:
        return f"{now} allowed, {limit} scheduled"
    if cell.quantity is LossQuantity.cf_storage:
        free = "free storage not known" if cell.limit is None else f"{limit} free"
        return f"{now} needed, {free}"
    return of_limit(now, limit)


def unforecast(cells: Iterable[LossCell]) -> tuple[str, ...]:
    """Return the figures without a forecast, such as ``CF busy of CF03``.

    Free storage is left out, since what is rebuilt into it keeps its size.
    """
    return tuple(
        f"{cell.quantity.label} of {cell.subject.name}"
        for cell in cells
        if cell.at_horizon is None and cell.quantity is not LossQuantity.cf_storage
    )


def before_text(cell: LossCell) -> str:
    """Return the value with nothing lost; empty for structures, of which none has arrived."""
    if cell.quantity is LossQuantity.cf_storage:
        return ""
    return f"{at_a_glance(cell.before, cell.unit)} with nothing lost"


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
