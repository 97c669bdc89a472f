"""Losses in words: the same lines in the command line, page, reports and findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mqcap.domain.losses.cell import LossCell, LossQuantity
from mqcap.domain.losses.loss import Loss
from mqcap.domain.metric import SERIES_SEPARATOR, sysplex_of
from mqcap.domain.numbers import counted, duration, figure, quantity
from mqcap.domain.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE
from mqcap.presentation.dates import short_day
from mqcap.presentation.plan_text import cost_text, not_kept_text

_SECONDS: Final = {"min": SECONDS_PER_MINUTE, "h": SECONDS_PER_HOUR}
BESIDE_PLANS: Final = "beside the plans of the day"
NOTES: Final = (
    (
        "Before: with nothing lost. Today: with the load of the lost part on the measured days. "
        "Ahead: the worst at the upper bound of the forecasts up to the horizon."
    ),
    (
        "Time to failure: from the loss until work stops; of logs, if archiving stops at the worst "
        "moment."
    ),
)


def headline(loss: Loss) -> str:
    """Return what is lost, the severity and what follows in one line."""
    return f"Loss of {loss.lost}: {loss.severity.value.upper()}, {consequence(loss)}"


def consequence(loss: Loss) -> str:
    """Return a sentence on what fails, or that nothing does."""
    if loss.is_only_facility:
        return (
            f"{sysplex_of(loss.lost)} has no other coupling facility, so its structures are gone "
            "until it is back: a matter of design, no alert."
        )
    parts: list[str] = []
    if loss.nowhere_to_go:
        names = " ".join(name_of(each) for each in loss.nowhere_to_go)
        parts.append(f"{names} would have nowhere to go")
    failing = [cell for cell in loss.decisive_cells if cell.matters]
    if failing:
        worst = max(failing, key=lambda cell: cell.rank)
        more = f" and {counted(len(failing) - 1, 'more limit')}" if len(failing) > 1 else ""
        parts.append(f"{_who(loss, worst)}: {cell_text(worst)}{more}")
    if parts:
        return f"{'; '.join(parts)}.{_least(loss)}"
    if not loss.survivors:
        return "no survivor can be evaluated."
    if loss.is_any_enough:
        best = loss.decisive_cells[0].survivor if loss.decisive_cells else loss.survivors[0]
        return f"{name_of(best)} alone carries its load."
    return "the survivors carry its load."


def _least(loss: Loss) -> str:
    """Return who is changed, where it is another survivor than the one that is named."""
    if not loss.changed_survivors or not loss.is_any_enough:
        return ""
    if loss.ranked_survivors[0] in loss.changed_survivors:
        return ""
    names = " and ".join(name_of(each) for each in loss.changed_survivors)
    return f" It takes least to let {names} carry it."


def _who(loss: Loss, cell: LossCell) -> str:
    survivor = name_of(cell.survivor)
    if loss.is_any_enough:
        return f"{survivor}, the best of {counted(len(loss.survivors), 'survivor')}"
    return survivor


def cell_text(cell: LossCell) -> str:
    """Return the quantity with its figure, its limit and, where it fails later, the day."""
    part = "" if cell.subject == cell.survivor else f" {name_of(cell.subject)}"
    pool = part if cell.quantity is LossQuantity.buffer_pool else ""
    text = f"{cell.quantity.label}{pool} {amount_text(cell)}"
    if cell.fails_today or cell.fails_from is None:
        return text
    return (
        f"{text} ({quantity(cell.at_horizon, cell.unit)} ahead, from {short_day(cell.fails_from)})"
    )


def amount_text(cell: LossCell) -> str:
    """Return the figure against its limit: ``129.3 % of 30 %``, ``43 min of 12 h``."""
    if cell.unit in _SECONDS and cell.today is not None:
        today = duration(cell.today * _SECONDS[cell.unit])
    else:
        today = quantity(cell.today, cell.unit) if cell.unit == "%" else figure(cell.today)
    return f"{today} of {quantity(cell.limit, cell.unit)}"


def worst_text(loss: Loss, survivor: str) -> str:
    """Return what a survivor carries in one line: its fullest quantity, and how many fail."""
    cells = loss.cells_of(survivor)
    if not cells:
        return ""
    worst = max(cells, key=lambda cell: cell.rank)
    failing = sum(cell.fails for cell in cells)
    more = f"; {counted(failing, 'limit')} passed" if failing > 1 else ""
    stops = f", {minutes_text(0)}" if worst.stops_at_once else ""
    return f"{cell_text(worst)}{stops}{more}"


def time_text(cell: LossCell) -> str:
    """Return the time until work stops; empty where it goes on."""
    return "" if cell.minutes_to_failure is None else minutes_text(cell.minutes_to_failure)


def minutes_text(minutes: float) -> str:
    """Return minutes in words: ``at once``, ``43 min``, ``6.8 h``."""
    return "at once" if minutes == 0 else duration(minutes * SECONDS_PER_MINUTE)


def spread_text(loss: Loss) -> str:
    """Return the load of a facility spread over all survivors; empty without it."""
    spread = loss.spread
    if spread is None:
        return ""
    names = " and ".join(name_of(each) for each in loss.survivors)
    fits = "enough" if spread.room_engine_pct >= spread.moved_engine_pct else "not enough"
    return (
        f"{names} together would be {figure(spread.busy_pct)} % busy; up to their limits they have "
        f"{figure(spread.room_engine_pct)} % of an engine for {figure(spread.moved_engine_pct)} %, "
        f"{fits} even if the structures are spread by hand."
    )


def change_lines(loss: Loss) -> list[str]:
    """Return what to change, what it takes, and what no change keeps."""
    return [*step_lines(loss), *effort_lines(loss)]


def step_lines(loss: Loss) -> Iterator[str]:
    """Yield each change with its subject, as it is typed."""
    for change in loss.changes.changes if loss.changes is not None else ():
        typed = f" [{change.typed}]" if change.typed else ""
        yield f"{change.subject}: {change.text}{typed}"


def effort_lines(loss: Loss) -> Iterator[str]:
    """Yield what all changes take, for whom and until when, and what no change keeps."""
    if loss.changes is not None:
        lasts = loss.changes.lasts_until
        until = f"; lasts until {short_day(lasts)}" if lasts else ""
        names = " and ".join(name_of(each) for each in loss.changed_survivors)
        yield f"Takes {cost_text(loss.changes.cost)} {BESIDE_PLANS}, for {names}{until}."
    kept = not_kept_text(loss.not_kept)
    if kept:
        yield kept


def loss_lines(loss: Loss) -> list[str]:
    """Return the loss as lines of text, the headline first."""
    lines = [headline(loss)]
    for cell in loss.cells:
        when = time_text(cell)
        before = quantity(cell.before, cell.unit)
        fails = " FAILS" if cell.fails else ""
        stops = f", {when}" if when else ""
        lines.append(f"{name_of(cell.survivor)}: {cell_text(cell)}, before {before}{stops}{fails}")
    spread = spread_text(loss)
    return [*lines, *([spread] if spread else []), *change_lines(loss), *loss.assumptions]


def name_of(subject: str) -> str:
    """Return the last name of a path."""
    return subject.rpartition(SERIES_SEPARATOR)[2]
