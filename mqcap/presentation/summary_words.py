"""Words of the rows of what is to be decided: what is wrong, what to change, what it takes."""

import re
from collections.abc import Sequence
from typing import Final

from mqcap.domain.console.states import (
    ALL_FULL,
    ARCHIVING_STOPPED,
    ConsoleState,
    log_outage,
    open_on,
    states_on,
)
from mqcap.domain.crossing import SINCE_DATA_BEGINS, Crossing, CrossingState
from mqcap.domain.finding import Finding
from mqcap.domain.metric import Direction
from mqcap.domain.numbers import counted, figure, quantity
from mqcap.domain.plan import (
    AnyPlan,
    ChangePlan,
    Incident,
    InputsMissing,
    LossPlan,
    PlanCost,
    PlanVariant,
)
from mqcap.domain.problem import Acknowledgement
from mqcap.domain.resource import ResourceKind
from mqcap.domain.urgency import is_over
from mqcap.losses.cell import LossCell
from mqcap.losses.model import Loss
from mqcap.presentation import display_units
from mqcap.presentation.dates import near_day, short_day
from mqcap.presentation.fleet import side
from mqcap.presentation.labels import as_sentence
from mqcap.presentation.quantities import rounded
from sizing.rulebook.registry import all_rules

WORDS_MAX: Final = 8
"""Words of a title, of what is wrong and of a change at most (ours)."""
_MIB_PER_GIB: Final = 1_024
_GUESSED: Final = re.compile(r"[;:(]|, (?:and|or|so|which|that)\b")
"""Where the first clause of a sentence ends."""
_SENTENCE_END: Final = re.compile(r"(?<=\.) (?=[A-Z])")
MEANING: Final = {
    "LOG-RUNWAY-12H": "Full too soon if archiving stops",
    "LOG-FILL-30MIN": "One log fills too fast",
    "LOG-DAY-ACTIVE": "Hold less than a day of log",
    "REC-FORMULA-A": "Backups too far apart to restart in time",
    "DST-SURVIVE": "Full soon after its consumer stops",
    "DST-SURVIVE-FILE": "File full soon after its consumer stops",
}
"""What a breach of a rule means, where its figure and limit do not say it."""


def acknowledged_words(acknowledgement: Acknowledgement) -> str:
    """Return ``acknowledged by anna until 1 Mar 2027``."""
    who = f" by {acknowledgement.who}" if acknowledgement.who else ""
    until = acknowledgement.until_date
    return f"acknowledged{who}{f' until {short_day(until)}' if until else ''}"


def happened(plan: Incident, states: Sequence[ConsoleState]) -> str:
    """Return the gravest state of the day with its times: ``Out of log space 08:58 to 09:04``.

    Of logs that were full since archiving had stopped cause and effect: ``Archiving failed 05:34,
    logs full 08:58``.
    """
    rule = all_rules().get(plan.reason.rule_id)
    if rule is None:
        return ""
    today = open_on(states_on(states, rule.traits.resource, plan.reason.subject), plan.site_date)
    if not today:
        return ""
    worst = today[0]
    at = display_units.current().about(worst.subject).at
    outage = log_outage(worst.subject, states, plan.site_date)
    if outage is not None and worst.resource_kind is ResourceKind.active_log:
        cause, effect = outage
        stopped = ARCHIVING_STOPPED[cause.message_id].removeprefix("the ")
        full = "logs full" if effect.message_id == ALL_FULL else "last log"
        since = f"{at(cause.first_utc):%H:%M}"
        if cause.site_date != plan.site_date:
            since = near_day(cause.site_date, plan.site_date)
        return f"{as_sentence(stopped)} {since}, {full} {at(effect.first_utc):%H:%M}"
    begin = f"{at(worst.first_utc):%H:%M}"
    if worst.site_date != plan.site_date:
        begin = f"since {short_day(worst.site_date)}"
    until = ""
    if worst.ended_utc is not None and worst.last_date <= plan.site_date:
        until = f" to {at(worst.ended_utc):%H:%M}"
    return f"{as_sentence(worst.state)} {begin}{until}"


def problem_words(finding: Finding, crossing: Crossing | None) -> str:
    """Return what is wrong: what the figure means, since when the limit is passed, or when."""
    if is_over(finding, crossing):
        if finding.breach and (meaning := MEANING.get(finding.rule_id)):
            return meaning
        since = ""
        if crossing and crossing.breached_since and crossing.reason != SINCE_DATA_BEGINS:
            since = f" since {short_day(crossing.breached_since)}"
        return f"{as_sentence(side(crossing, finding))} its limit{since}"
    if crossing is not None and crossing.state is CrossingState.will_cross:
        verb = "Falls below" if finding.direction is Direction.downward else "Passes"
        if crossing.expected_date:
            return f"{verb} its limit about {short_day(crossing.expected_date)}"
        if crossing.earliest_date:
            return f"May pass its limit from {short_day(crossing.earliest_date)}"
    return "Near its limit"


def loss_problem(loss: Loss, worst: LossCell | None) -> str:
    """Return which survivor passes which limit."""
    if loss.nowhere_to_go:
        return f"{counted(len(loss.nowhere_to_go), 'structure')} would have nowhere to go"
    if worst is None:
        return "No survivor can be evaluated"
    name = worst.survivor.name
    limit = "over" if worst.fails_today else "passes"
    return f"{name} {limit} its limit of {worst.quantity.label}"


def change_words(plan: AnyPlan) -> str:
    """Return what is to be typed, in at most ``WORDS_MAX`` words; else what is to be done."""
    if plan.changes:
        return typed_words(plan.base)
    match plan:
        case Incident(is_cause_alone=True):
            return "find the cause"
        case InputsMissing():
            return cut(f"set {first_clause(plan.missing[0])}")
    return "no setting is enough" if not plan.is_feasible else "nothing to do"


def typed_words(variant: PlanVariant) -> str:
    """Return changes as typed; one without an operand in its first words, more are counted."""
    texts = list(
        dict.fromkeys(change.typed or first_clause(change.text) for change in variant.changes)
    )
    if not texts:
        return ""
    more = f" and {len(texts) - 1} more" if len(texts) > 1 else ""
    room = WORDS_MAX - len(more.split())
    if len("; ".join(texts).split()) <= WORDS_MAX:
        return "; ".join(texts)
    return f"{cut(texts[0], room)}{more}"


def is_typed(variant: PlanVariant) -> bool:
    """Return whether the first change of a variant is an operand, not words."""
    return any(change.typed for change in variant.changes[:1])


def cost_text(cost: PlanCost) -> str:
    """Return the parts of a cost that are not nothing; ``no cost`` without any."""
    cylinders, mib = (figure(amount, signed=True) for amount in (cost.cylinders, cost.dasd_mib))
    peak = _amount(cost.peak_cylinders, "cylinders") if cost.replaced_cylinders else ""
    parts = [
        f"{cylinders} cylinders ({mib} MiB) of DASD" if cost.cylinders or cost.dasd_mib else "",
        f"{peak} until the old data sets are deleted" if peak else "",
        _amount(cost.real_storage_mib, "MiB of real storage"),
        _amount(cost.above_bar_mib, "MiB of virtual storage above the bar (MEMLIMIT)"),
        _amount(cost.chinit_31bit_mib, "MiB of 31-bit storage of a channel initiator"),
        _amount(cost.cf_storage_mib, "MiB of CF storage"),
        counted(cost.engines, "CF engine") if cost.engines else "",
        _restarts(cost.chinit_restarts, "channel initiator"),
        _restarts(cost.queue_manager_restarts, "queue manager"),
        counted(cost.ipls, "IPL") if cost.ipls else "",
        _amount(cost.file_system_mib, "MiB in file systems"),
        *(f"{what} (size not known)" for what in cost.unsized),
        f"{figure(cost.work_hours)} h of work" if cost.work_hours else "",
        f"{figure(round(cost.money))} {cost.currency}" if cost.money is not None else "",
    ]
    return ", ".join(filter(None, parts)) or "no cost"


def _amount(value: float, unit: str) -> str:
    return quantity(value, unit, signed=True) if value else ""


def _restarts(count: int, what: str) -> str:
    return f"{counted(count, 'restart')} of a {what}" if count else ""


def short_cost(cost: PlanCost) -> str:
    """Return size, work and stop: ``+148 GiB DASD, 12 h, chinit restart``; empty for none.

    Of several sizes the first is shown, of several stops the gravest.
    """
    storage = cost.real_storage_mib + cost.chinit_31bit_mib
    sizes = (
        _gib(cost.dasd_mib, "DASD"),
        _gib(storage, "storage"),
        _gib(cost.above_bar_mib, "virtual"),
        _gib(cost.cf_storage_mib, "CF"),
        _gib(cost.file_system_mib, "disk"),
        f"+{counted(cost.engines, 'engine')}" if cost.engines else "",
    )
    work = f"{figure(round(cost.work_hours, 1))} h" if cost.work_hours else ""
    stops = (
        _times(cost.ipls, "IPL"),
        _times(cost.queue_manager_restarts, "restart"),
        _times(cost.chinit_restarts, "chinit restart"),
    )
    size, stop = (next(filter(None, parts), "") for parts in (sizes, stops))
    return ", ".join(filter(None, (size, work, stop)))


def lasts_words(plan: AnyPlan, variant: PlanVariant) -> str:
    """Return ``until 30 May 2027``, or beyond the horizon; empty where nothing is forecast."""
    rules = plan.evidence.rules
    is_forecast = not rules or any(rule.is_forecast for rule in rules)
    if isinstance(plan, LossPlan):
        is_forecast = variant.lasts_until is not None or not plan.unforecast
    is_open = variant in plan.options and not any(change.settings for change in variant.changes)
    if not variant.changes or is_open or not is_forecast:
        return ""
    if variant.lasts_until is None:
        return f"beyond {short_day(plan.dates.horizon_date)}"
    if variant.lasts_until < plan.site_date:
        return ""
    return f"until {short_day(variant.lasts_until)}"


def check_first_sentences(plan: AnyPlan) -> tuple[str, ...]:
    """Return what to find out, what the change does besides, and what it leaves open."""
    effects = [change.side_effects for change in plan.changes]
    ways_out = [
        f"from {short_day(bound.fails_from)} on: {bound.why}"
        if bound.fails_from > plan.site_date
        else bound.why
        for bound in plan.evidence.not_kept
    ]
    match plan:
        case LossPlan():
            every = [*effects, *ways_out]
        case InputsMissing():
            every = [*effects, *ways_out, *plan.missing]
        case ChangePlan() | Incident():
            cause = plan.cause or (plan.advice if isinstance(plan, Incident) else "")
            every = [cause, *effects, *plan.notes, *ways_out, *plan.missing]
    sentences = (f"{as_sentence(sentence.rstrip('.'))}." for sentence in every if sentence)
    return tuple(dict.fromkeys(sentences))


def _gib(mib: float, of: str) -> str:
    """Return storage with its sign: ``+148 GiB DASD``, ``+512 MiB CF``; empty for none."""
    if not mib:
        return ""
    if abs(mib) < _MIB_PER_GIB:
        return f"{figure(round(mib), signed=True)} MiB {of}"
    return f"{'+' if mib > 0 else ''}{rounded(mib / _MIB_PER_GIB)} GiB {of}"


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, at least one, which may be empty."""
    return [sentence.strip() for sentence in _SENTENCE_END.split(text) if sentence.strip()] or [""]


def _times(count: int, what: str) -> str:
    return "" if not count else what if count == 1 else counted(count, what)


def first_clause(text: str) -> str:
    """Return a text up to its first clause that adds something."""
    return _GUESSED.split(text, maxsplit=1)[0].strip().rstrip(".")


def cut(text: str, words: int = WORDS_MAX) -> str:
    """Return at most so many words; what is left out is marked."""
    every = text.split()
    return text if len(every) <= words else f"{' '.join(every[:words])}…"
