"""Losses in words: the same lines in the command line, page, reports and findings."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import pairwise
from typing import Final

from mqcap.domain.numbers import counted, duration, figure
from mqcap.domain.plan import NotKept
from mqcap.domain.units import SECONDS_PER_MINUTE
from mqcap.losses.cell import PLACE_RULE, LossCell, LossQuantity
from mqcap.losses.model import Loss
from mqcap.presentation.dates import short_day
from mqcap.presentation.quantities import at_a_glance, of_limit
from mqcap.presentation.summary_words import cost_text

STOPS: Final = "work stops at once"


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
    if cell.quantity in {LossQuantity.recovery, LossQuantity.structure_recovery}:
        return f"{now} allowed, {limit} scheduled"
    if cell.quantity is LossQuantity.cf_storage:
        free = "free storage not known" if cell.limit is None else f"{limit} free"
        return f"{now} needed, {free}"
    return of_limit(now, limit)


def unforecast(cells: Iterable[LossCell]) -> tuple[str, ...]:
    """Return the figures without a forecast; not free storage: what is rebuilt keeps its size."""
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
    return minutes_text(0) if cell.stops_at_once else "when all logs are full"


def minutes_text(minutes: float) -> str:
    """Return minutes in words: ``at once``, ``43 min``, ``6.8 h``."""
    return "at once" if minutes == 0 else duration(minutes * SECONDS_PER_MINUTE)


def limits_text(cells: Iterable[LossCell]) -> str:
    """Return ``6 limits passed, 2 of them over already``; empty for one that the loss made fail."""
    failing = [cell for cell in cells if cell.counts]
    over = sum(cell.fails_before for cell in failing)
    if len(failing) <= 1:
        return "over already" if over else ""
    passed = f"{counted(len(failing), 'limit')} passed"
    return f"{passed}, {over} of them over already" if over else passed


def worst_of_cells(cells: Iterable[LossCell]) -> str:
    """Return the worst quantity of several with what fails and stops; empty without any."""
    every = list(cells)
    if not every:
        return ""
    worst = max(every, key=lambda cell: cell.shown_rank)
    stops = STOPS if worst.stops_at_once else ""
    return "; ".join(filter(None, (cell_text(worst), stops, limits_text(every))))


BESIDE_PLANS: Final = "beside the plans of the day"
LASTS_NO_DAY: Final = "of use only once what cannot be kept is mended"
NOTE: Final = (
    "Figures are with the load of the lost part, on the measured days and ahead at the bound of "
    "the forecasts. With the plans: those of the survivors and of the lost part are done. With the "
    "changes: what this loss needs beside them too."
)


def headline(loss: Loss) -> str:
    """Return what is lost, the severity and what follows in one line."""
    return f"Loss of {loss.lost}: {loss.severity.value.upper()}, {consequence(loss)}"


def consequence(loss: Loss) -> str:
    """Return sentences on what fails, until when plans and changes keep it, and the worst case."""
    if loss.is_only_facility:
        return (
            f"{loss.lost.sysplex} has no other coupling facility, so its structures are "
            "gone until it is back: a matter of design, no alert."
        )
    cells = loss.decisive_cells
    if not loss.survivors and not loss.nowhere_to_go:
        return "no survivor can be evaluated."
    places = " ".join(place.name for place in loss.nowhere_to_go)
    nowhere = f"{places} would have nowhere to go." if places else ""
    fails = any(cell.matters for cell in cells)
    worst = _worst_text(loss, cells) if fails else ""
    best = " best" if fails and loss.is_any_enough and len(loss.survivors) > 1 else ""
    carried = f"{_takers(loss)}{best}{worst}." if loss.survivors else ""
    until = _kept_text(loss) if fails else ""
    first, *rest = filter(None, (nowhere, carried, until, alone_text(loss)))
    return " ".join((first, *(f"{sentence[0].upper()}{sentence[1:]}" for sentence in rest)))


def _takers(loss: Loss) -> str:
    names = [survivor.name for survivor in loss.survivors]
    if len(names) == 1:
        return f"{names[0]} takes its load"
    if loss.is_any_enough:
        return f"{loss.ranked_survivors[0].name} alone carries its load"
    return f"{' and '.join(names)} share its load"


def _worst_text(loss: Loss, cells: Sequence[LossCell]) -> str:
    worst = max(cells, key=lambda cell: cell.shown_rank)
    is_shared = len(loss.survivors) > 1 and not loss.is_any_enough
    where = f"at {worst.survivor.name} " if is_shared else ""
    return f": {where}{_stopped_text(worst)}"


def _stopped_text(cell: LossCell) -> str:
    return f"{cell_text(cell)}, {STOPS}" if cell.stops_at_once else cell_text(cell)


def _kept_text(loss: Loss) -> str:
    """Return until when it is carried once plans and changes are done; empty if not known."""
    parts = ("the plans of the day" if loss.assumed else "", "these changes" if loss.steps else "")
    done = f"with {' and '.join(filter(None, parts)) or 'no change'}"
    spread = loss.spread
    if spread is not None and spread.is_enough:
        names = " and ".join(survivor.name for survivor in loss.survivors)
        return f"spread over {names} it is carried: together {figure(spread.busy_pct)} % busy."
    unkept = [bound for bound in loss.not_kept if bound.rule_id != PLACE_RULE]
    if unkept:
        first = min(bound.fails_from for bound in unkept)
        if first > loss.site_date:
            return f"{done} it is carried until {short_day(first - timedelta(days=1))}."
        return f"no setting keeps it within the limits, even {done}."
    if loss.changes is None:
        return ""
    last = loss.changes.lasts_until
    return f"{done} it is carried{f' until {short_day(last)}' if last else ''}."


def alone_text(loss: Loss) -> str:
    """Return what the worst case would be: one survivor takes everything; empty without one."""
    if not any(cell.fails for cell in loss.alone):
        return ""
    worst = max(loss.alone, key=lambda cell: cell.shown_rank)
    alone = f"worst case, {worst.survivor.name} alone takes all of it"
    return f"{alone}: {_stopped_text(worst)}."


def worst_text(loss: Loss, survivor: str) -> str:
    """Return what a survivor carries in one line: its worst quantity, and how many fail."""
    return worst_of_cells(loss.cells_of(survivor))


def change_lines(loss: Loss) -> list[str]:
    """Return which plans come first, what to change, what it takes, and what nothing keeps."""
    return [*presupposed_lines(loss), *step_lines(loss), *effort_lines(loss)]


def brief_lines(loss: Loss) -> list[str]:
    """Return ``change_lines`` for a cell of a table: plans by name, changes as they are typed."""
    plans = ", ".join(plan.label for plan in loss.presupposes)
    typed = (f"{change.subject.in_sysplex} {change.shown}" for change in loss.steps)
    unkept = (f"{bound.rule_id} from {short_day(bound.fails_from)}" for bound in loss.not_kept)
    lines = (("First the plans of", plans), ("Then", "; ".join(typed)))
    kept = ("Cannot be kept:", ", ".join(unkept))
    return [f"{head} {text}." for head, text in (*lines, kept) if text]


def presupposed_lines(loss: Loss) -> Iterator[str]:
    """Yield each plan of the day that has to be in force, and since when it is needed."""
    for plan in loss.assumed:
        if plan.needed_from is not None:
            typed = f" [{', '.join(plan.typed)}]" if plan.typed else ""
            needed = short_day(plan.needed_from)
            yield f"First the plan of {plan.label}{typed}, needed from {needed}."


def step_lines(loss: Loss) -> Iterator[str]:
    """Yield each change with its subject, as it is typed."""
    for change in loss.steps:
        typed = f" [{change.typed}]" if change.typed else ""
        yield f"{change.subject}: {change.text}{typed}"


def effort_lines(loss: Loss) -> Iterator[str]:
    """Yield what all changes take and until when, and what no change keeps."""
    if loss.changes is not None and loss.changes.changes:
        lasts, named = loss.changes.lasts_until, unforecast(loss.changed_cells)
        until = ""
        if lasts:
            is_ahead = lasts >= loss.site_date
            until = f"; {f'lasts until {short_day(lasts)}' if is_ahead else LASTS_NO_DAY}"
        elif named:
            verb = "is" if len(named) == 1 else "are"
            until = f"; sized for the measured figures: {' and '.join(named)} {verb} not forecast"
        names = " and ".join(carrier.name for carrier in loss.carriers)
        left = ", ".join(loss.left_out)
        beside = (
            f"{BESIDE_PLANS}, as though those of {left} were not done" if left else BESIDE_PLANS
        )
        yield f"Takes {cost_text(loss.changes.cost)} {beside}, for {names}{until}."
    kept = not_kept_text(loss.not_kept)
    if kept:
        yield kept


def loss_lines(loss: Loss) -> list[str]:
    """Return the loss as lines of text, the headline first; figures are those that fail."""
    lines = [headline(loss)]
    failing = [cell for cell in loss.cells if cell.fails]
    for cell in failing:
        stops = stops_text(cell)
        words = f"work stops {stops}" if stops else ""
        parts = (cell_text(cell), before_text(cell), words, *_done_texts(loss, cell))
        lines.append(f"{cell.survivor.name}: {'; '.join(filter(None, parts))}")
    if further := len(loss.cells) - len(failing):
        lines.append(f"{counted(further, 'further figure')} of survivors within the limit.")
    if loss.spread is not None:
        lines.append(spread_text(loss))
    if loss.planned_cells:
        names = (f"{plan.label} [{', '.join(plan.typed)}]" for plan in loss.assumed)
        lines.append(f"The plans: {'; '.join(names)}.")
    if loss.left_out:
        lines.append(
            f"As though the plans of {', '.join(loss.left_out)} were not done: what-if refuses "
            "them beside the other plans."
        )
    return [*lines, *change_lines(loss), *loss.assumptions]


def _done_texts(loss: Loss, cell: LossCell) -> list[str]:
    """Return what fails once the plans are done, and once the changes are: where that differs."""
    states = [("", state_text(cell))]
    for when, cells in (("plans", loss.planned_cells), ("changes", loss.changed_cells)):
        found = [same for same in cells if same.key == cell.key]
        states += [(f"with the {when} ", state_text(same)) for same in found]
    return [f"{when}{text}" for (_, before), (when, text) in pairwise(states) if text != before]


def spread_text(loss: Loss) -> str:
    """Return the load of a facility spread over all survivors; empty without it."""
    spread = loss.spread
    if spread is None:
        return ""
    names = " and ".join(survivor.name for survivor in loss.survivors)
    planned = ", with the plans of the day done" if spread.is_planned else ""
    return (
        f"{names} together would be {figure(spread.busy_pct)} % busy{planned}: up to their limits "
        f"they have room for {figure(spread.room_engine_pct)} % of an engine, and "
        f"{figure(spread.moved_engine_pct)} % arrive: {'' if spread.is_enough else 'not '}enough "
        "if preference lists spread the structures."
    )


def not_kept_text(not_kept: Iterable[NotKept]) -> str:
    """Return the rules that no setting keeps, from when they fail and the ways out, each once."""
    reasons: dict[str, list[str]] = {}
    for rule in not_kept:
        fails = f"{rule.rule_id} fails from {short_day(rule.fails_from)}"
        reasons.setdefault(rule.why.rstrip("."), []).append(fails)
    parts = "; ".join(f"{', '.join(fails)}: {why}" for why, fails in reasons.items())
    return f"Cannot be kept: {parts}." if parts else ""
