"""Losses in words: the same lines in the command line, page, reports and findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from mqcap.domain.metric import SERIES_SEPARATOR, sysplex_of
from mqcap.domain.numbers import counted, figure
from mqcap.losses.cell import LossCell
from mqcap.losses.model import Loss, PresupposedPlan
from mqcap.losses.text.figures import (
    STOPS,
    before_text,
    cell_text,
    fails_text,
    name_of,
    state_text,
    stops_text,
    unforecast,
    worst_of_cells,
    worst_parts,
)
from mqcap.presentation.dates import short_day
from mqcap.presentation.plans.cost import cost_text
from mqcap.presentation.plans.lasting import LASTS_NO_DAY, unforecast_text
from mqcap.presentation.plans.text import brief_text, not_kept_text

BESIDE_PLANS: Final = "beside the plans of the day"
NOTES: Final = (
    (
        "Before: with nothing lost. Today: with the load of the lost part on the measured days. "
        "Ahead: the worst at the upper bound of the forecasts up to the horizon. Limits passed are "
        "those of today and ahead; over already: with nothing lost too. All of this is as though "
        "no plan of the day were done."
    ),
    (
        "With the plans: all plans of the day of the survivors and of the lost part are done, "
        "channels that another queue manager takes included. With the changes: what this loss "
        "needs beside them is done too; what cannot be kept fails even then. A day is the first "
        "on which the limit beside it is passed."
    ),
    (
        "Work stops: at once when the load arrives, or when all logs are full, if archiving stops "
        "at the worst moment."
    ),
)


def headline(loss: Loss) -> str:
    """Return what is lost, the severity and what follows in one line."""
    return f"Loss of {loss.lost}: {loss.severity.value.upper()}, {consequence(loss)}"


def consequence(loss: Loss) -> str:
    """Return sentences on what fails, or that nothing does; what nothing keeps comes first."""
    if loss.is_only_facility:
        return (
            f"{sysplex_of(loss.lost)} has no other coupling facility, so its structures are gone "
            "until it is back: a matter of design, no alert."
        )
    sentences = [*_nowhere_text(loss), *_decisive_text(loss)]
    if sentences:
        later = (_until_changed(loss), _with_plans_alone(loss), alone_text(loss))
        return _as_sentences(filter(None, (_without_setting(loss), *sentences, *later)))
    if not loss.survivors:
        return "no survivor can be evaluated."
    cells = loss.decisive_cells
    if loss.is_any_enough:
        best = cells[0].survivor if cells else loss.survivors[0]
        return f"{name_of(best)} alone carries its load."
    carries = (
        f"{name_of(loss.survivors[0])} carries"
        if len(loss.survivors) == 1
        else ("the survivors share its load and carry")
    )
    return _as_sentences(filter(None, (f"{carries} it.", alone_text(loss))))


def alone_text(loss: Loss) -> str:
    """Return what the worst case would be: one survivor takes everything; empty without one."""
    if not any(cell.fails for cell in loss.alone):
        return ""
    worst = max(loss.alone, key=lambda cell: cell.shown_rank)
    stops = f", {STOPS}" if worst.stops_at_once else ""
    return (
        f"worst case, {name_of(worst.survivor)} alone takes all of it: {cell_text(worst)}{stops}."
    )


def _nowhere_text(loss: Loss) -> Iterator[str]:
    if loss.nowhere_to_go:
        names = " ".join(name_of(each) for each in loss.nowhere_to_go)
        yield f"{names} would have nowhere to go."


def _decisive_text(loss: Loss) -> Iterator[str]:
    """Yield what the decisive survivor comes to; nothing where it keeps its limits."""
    cells = loss.decisive_cells
    if any(cell.matters for cell in cells):
        worst = max(cells, key=lambda cell: cell.shown_rank)
        words = _who(loss, worst)
        if loss.assumed and _without_setting(loss):
            words = f"without these plans {words}"
        yield f"{words}: {_states(cells)}."


def _states(cells: Sequence[LossCell]) -> str:
    """Return the worst quantity, what stops and how many limits are passed, a sentence each."""
    return _as_sentences(worst_parts(cells), ". ")


def _as_sentences(parts: Iterable[str], between: str = " ") -> str:
    """Return the parts in one text, each but the first with a capital: a name may come before."""
    first, *rest = parts
    return between.join((first, *(f"{part[0].upper()}{part[1:]}" for part in rest)))


def _without_setting(loss: Loss) -> str:
    """Return that no setting makes room for the channels; empty where one does."""
    unkept = {(each.rule_id, each.subject): each.fails_from for each in loss.not_kept}
    names = [
        f"{cell.quantity.label} of {name_of(cell.survivor)}{_from_text(loss, first)}"
        for cell in loss.decisive_cells
        if cell.quantity.is_of_channels
        and (first := unkept.get((cell.rule_id, cell.subject))) is not None
    ]
    if not names:
        return ""
    first = min(unkept.values())
    if first > loss.site_date:
        last = short_day(first - timedelta(days=1))
        done = ", once the plans of the day are done" if loss.assumed else ""
        return f"its load is carried until {last}{done}: then over the limit {' and '.join(names)}."
    done = ", even with the plans of the day done" if loss.assumed else ""
    needed = "another queue manager is needed"
    return f"no setting keeps {' and '.join(names)} within its limit{done}: {needed}."


def _from_text(loss: Loss, first: date) -> str:
    return f" from {short_day(first)} on" if first > loss.site_date else ""


def _until_changed(loss: Loss) -> str:
    """Return who carries it until the survivor that is changed can, where that is another one."""
    best = loss.cells_until_changed
    if not loss.is_any_enough or not best or best[0] in loss.decisive_cells:
        return ""
    survivor = name_of(best[0].survivor)
    worst = max(best, key=lambda cell: cell.shown_rank)
    stops = f", where {STOPS} too" if worst.stops_at_once else ""
    return f"until then the best is {survivor}: {cell_text(worst)}{stops}."


def _with_plans_alone(loss: Loss) -> str:
    """Return who carries it best with the plans of the day, where that is another survivor."""
    best = loss.best_with_plans
    named = {cell.survivor for cell in (*loss.decisive_cells, *loss.cells_until_changed)}
    if best is None or best in named:
        return ""
    cells = [cell for cell in loss.planned_cells if cell.survivor == best]
    return (
        f"with {plans_text(loss, best)} done and nothing more, {name_of(best)} carries it best: "
        f"{_states(cells)}."
    )


def _who(loss: Loss, cell: LossCell) -> str:
    """Return the words before the figures of the decisive survivor, the verb among the first."""
    survivor = name_of(cell.survivor)
    if not loss.is_any_enough:
        return f"the worst is {survivor}"
    count = counted(len(loss.survivors), "survivor")
    if cell.survivor == loss.ranked_survivors[0]:
        return f"the best of {count} is {survivor}"
    if loss.changes is not None and loss.changes.changes:
        return f"the least to change of {count} is {survivor}"
    return f"plans of the day make {survivor} fit, of {count}"


def worst_text(loss: Loss, survivor: str) -> str:
    """Return what a survivor carries in one line: its worst quantity, and how many fail."""
    return worst_of_cells(loss.cells_of(survivor))


def change_lines(loss: Loss) -> list[str]:
    """Return which plans come first, what to change, what it takes, and what nothing keeps."""
    return [*presupposed_lines(loss), *step_lines(loss), *effort_lines(loss)]


def brief_lines(loss: Loss) -> list[str]:
    """Return ``change_lines`` for a cell of a table: plans by name, changes as they are typed."""
    plans = ", ".join(plan.label for plan in loss.presupposes)
    changes = loss.changes.changes if loss.changes is not None else ()
    names = (change.subject.partition(SERIES_SEPARATOR)[2] for change in changes)
    typed = (f"{name} {brief_text(each)}" for name, each in zip(names, changes, strict=True))
    unkept = (f"{each.rule_id} from {short_day(each.fails_from)}" for each in loss.not_kept)
    lines = (("First the plans of", plans), ("Then", "; ".join(typed)))
    kept = ("Cannot be kept:", ", ".join(unkept))
    return [f"{head} {text}." for head, text in (*lines, kept) if text]


def presupposed_lines(loss: Loss) -> Iterator[str]:
    """Yield each plan of the day that has to be in force, and by when."""
    for plan in loss.presupposes:
        typed = f" [{', '.join(plan.typed)}]" if plan.typed else ""
        yield f"First {presupposed_text(plan)}{typed}."


def presupposed_text(plan: PresupposedPlan) -> str:
    """Return a plan of the day with its due day for a loss, and since when it is needed."""
    return (
        f"the plan of {plan.label}, needed from {short_day(plan.needed_from)}: due "
        f"{short_day(plan.due_date)}"
    )


def beside_text(loss: Loss) -> str:
    """Return ``BESIDE_PLANS``, and the plans that are as though not done."""
    if not loss.left_out:
        return BESIDE_PLANS
    return f"{BESIDE_PLANS}, as though those of {', '.join(loss.left_out)} were not done"


def step_lines(loss: Loss) -> Iterator[str]:
    """Yield each change with its subject, as it is typed."""
    for change in loss.changes.changes if loss.changes is not None else ():
        typed = f" [{change.typed}]" if change.typed else ""
        yield f"{change.subject}: {change.text}{typed}"


def effort_lines(loss: Loss) -> Iterator[str]:
    """Yield what all changes take and until when, and what no change keeps."""
    if loss.changes is not None and loss.changes.changes:
        lasts, named = loss.changes.lasts_until, unforecast(loss.changed_cells)
        words = unforecast_text(named) if named else ""
        words = _until(loss, lasts) if lasts else words
        until = f"; {words}" if words else ""
        names = " and ".join(name_of(each) for each in loss.changed_survivors)
        yield f"Takes {cost_text(loss.changes.cost)} {beside_text(loss)}, for {names}{until}."
    kept = not_kept_text(loss.not_kept)
    if kept:
        yield kept


def _until(loss: Loss, last: date) -> str:
    return f"lasts until {short_day(last)}" if last >= loss.site_date else LASTS_NO_DAY


def loss_lines(loss: Loss) -> list[str]:
    """Return the loss as lines of text, the headline first."""
    lines = [headline(loss)]
    for cell in loss.cells:
        stops = stops_text(cell)
        words = f"work stops {stops}" if stops else ""
        then = _done_texts(loss, cell) if cell.fails else []
        parts = (cell_text(cell), before_text(cell), words, fails_text(cell), *then)
        lines.append(f"{name_of(cell.survivor)}: {'; '.join(filter(None, parts))}")
    spread = spread_text(loss)
    return [
        *lines,
        *([spread] if spread else []),
        *assumed_lines(loss),
        *change_lines(loss),
        *loss.assumptions,
    ]


def _done_texts(loss: Loss, cell: LossCell) -> list[str]:
    """Return what fails once the plans are done, and once the changes are: where that differs."""
    states = [("", state_text(cell))]
    for when, cells in (("plans", loss.planned_cells), ("changes", loss.changed_cells)):
        found = [each for each in cells if each.key == cell.key]
        states += [(f"with the {when} ", state_text(each)) for each in found]
    return [f"{when}{text}" for (_, before), (when, text) in pairwise(states) if text != before]


def assumed_lines(loss: Loss) -> Iterator[str]:
    """Yield the plans of the day that are taken to be done, and those that cannot be."""
    if loss.planned_cells:
        names = (f"{plan.label} [{', '.join(plan.typed)}]" for plan in loss.assumed)
        yield f"The plans: {'; '.join(names)}."
    if loss.left_out:
        yield (
            f"As though the plans of {', '.join(loss.left_out)} were not done: what-if refuses "
            "them beside the other plans."
        )


def spread_text(loss: Loss) -> str:
    """Return the load of a facility spread over all survivors; empty without it."""
    spread = loss.spread
    if spread is None:
        return ""
    names = " and ".join(name_of(each) for each in loss.survivors)
    is_enough = spread.room_engine_pct >= spread.moved_engine_pct
    fits = (
        "enough without more engines if preference lists spread the structures by hand"
        if is_enough
        else "not enough even if preference lists spread the structures by hand"
    )
    text = f"{names} together would be {figure(spread.busy_pct)} % busy"
    engines = f"{figure(spread.room_engine_pct)} % of an engine"
    moved = f"{figure(spread.moved_engine_pct)} %"
    today = spread.room_today_engine_pct
    if today is None:
        planned = ", with the plans of the day done" if spread.is_planned else ""
        return (
            f"{text}{planned}. Up to their limits they have room for {engines}, and {moved} "
            f"arrive: {fits}."
        )
    less = "enough too" if today >= spread.moved_engine_pct else "not enough"
    return (
        f"{text} with {plans_text(loss, *loss.survivors)} done. Up to their limits they then have "
        f"room for {engines}, and {moved} arrive: {fits}. "
        f"Without it the room is {figure(today)} %: {less}."
    )


def plans_text(loss: Loss, *parts: str) -> str:
    """Return the one plan of the day of these parts by its name, several together."""
    labels = loss.plan_labels_of(*parts)
    return f"the plan of {labels[0]}" if len(labels) == 1 else "the plans of the day"
