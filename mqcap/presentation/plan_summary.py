"""Summary of what is to be decided about one resource: the one row that every surface prints.

Page, mail, command line, ticket, report and REST API show its fields; none of them words a plan
itself. A row is at most ``ROW_WORDS`` words and ``ROW_NUMBERS`` numbers (``row_text``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, computed_field

from mqcap.domain.console.states import ConsoleState, open_on, states_on
from mqcap.domain.crossing import SINCE_DATA_BEGINS, Crossing, CrossingState
from mqcap.domain.estate import Estate, SystemClass
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SERIES_SEPARATOR, Direction, Statistic
from mqcap.domain.numbers import counted, figure
from mqcap.domain.plan import UNPLANNED, Plan, PlanCost, PlanOrder, PlanVariant, plan_order
from mqcap.domain.problem import Acknowledgement
from mqcap.domain.resource import ResourceKind
from mqcap.domain.urgency import is_over
from mqcap.losses.cell import LossCell
from mqcap.losses.model import Loss
from mqcap.losses.text.as_plan import URGENT, plans_of_losses
from mqcap.presentation import display_units
from mqcap.presentation.dates import short_day
from mqcap.presentation.due_dates import due_date
from mqcap.presentation.finding_figures import OR_MORE, observed_of_limit
from mqcap.presentation.missing_inputs import STEPS_MAX, Step, needs, steps
from mqcap.presentation.quantities import at_a_glance, rounded
from mqcap.settings import AlertSettings
from sizing.rulebook.registry import all_rules

TITLE_WORDS: Final = 8
PROBLEM_WORDS: Final = 8
CHANGE_WORDS: Final = 8
ROW_WORDS: Final = 45
ROW_NUMBERS: Final = 8
HORIZON_DAYS: Final = 180
"""A limit that is passed later asks for nothing yet, as plans do (ours)."""
NOW: Final = "now"
"""In place of a due day that is over."""
_MIB_PER_GIB: Final = 1_024
_MOST_USED: Final = 2.0
"""A time that has to last is shown as no more than so many times too short."""
_GUESSED: Final = re.compile(r"[;:(]|, (?:and|so|which|that)\b")
"""Where the first clause of a sentence ends."""
_SENTENCE_END: Final = re.compile(r"(?<=\.) (?=[A-Z])")
_NUMBER: Final = re.compile(r"\d+ [A-Z][a-z]{2} \d{4}|(?<![\w-])\d[\d,.]*(?![\d,.-])")
"""A date is one number; digits of a name such as ``CSQ1``, or ``31-bit``, are none."""

_MEANING: Final[Mapping[str, str]] = MappingProxyType(
    {
        "LOG-RUNWAY-12H": "Full too soon if archiving stops",
        "LOG-FILL-30MIN": "One log fills too fast",
        "LOG-DAY-ACTIVE": "Hold less than a day of log",
        "REC-BACKUP-INTERVAL": "Backups too far apart to restart in time",
        "DST-SURVIVE": "Full soon after its consumer stops",
        "DST-SURVIVE-FILE": "File full soon after its consumer stops",
    }
)
"""What a breach of a rule means, where its figure and limit do not say it."""


class SummaryKind(StrEnum):
    """Kinds of rows."""

    change = "change"
    """A resource passes a limit: change it."""
    incident = "incident"
    """The console reported it: find the cause."""
    loss = "loss"
    """A part may be lost: prepare for it."""
    inputs = "inputs"
    """Checks wait for settings."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class SummaryOption(_Part):
    """One way to do it: the plan itself, a recommended tier, or what does instead."""

    change: str
    """As typed; ``16 x CYL(5825)``."""
    note: str
    """``mandatory``, ``recommended``, or the condition under which it does."""
    lasts: str
    """``until 30 May 2027``; empty where it is not known."""
    cost: str
    buys: str = ""
    """What it keeps or makes of the figure; empty for the plan itself."""
    lasts_until: date | None = None
    """Last day on which it is enough; ``None``: as far as the forecast reaches, or not forecast."""
    parts: PlanCost = PlanCost()
    """The cost in full."""


class SummarySeries(_Part):
    """The series of the sparkline with the limit that is drawn into it."""

    series_id: str
    statistic: Statistic
    limit: float
    direction: Direction


class PlanSummary(_Part):
    """What is to be decided about one resource, in the words and figures that are printed."""

    kind: SummaryKind
    resource: str
    """Path; of missing inputs the keys of the settings."""
    title: str
    """At most ``TITLE_WORDS`` words."""
    problem: str
    """At most ``PROBLEM_WORDS`` words: what happened, is over its limit or will be."""
    story: str = ""
    """Of an incident, cause and effect as a sentence or two; for the detail alone."""
    severity: Severity
    is_production: bool = True
    now: str = ""
    """The figure as printed, such as ``1.5 h``; empty where there is none."""
    limit: str = ""
    now_value: float | None = None
    """The figure in ``unit``; ``None`` where it is not known."""
    limit_value: float | None = None
    unit: str = ""
    direction: Direction = Direction.upward
    used_ratio: float | None = None
    """Share of the limit that is used, above 1 when it is passed; ``None`` when not known."""
    series: SummarySeries | None = None
    is_over: bool = False
    """True when the limit is passed on the day already."""
    early_date: date | None = None
    """By then it is passed with 10 % probability; ``None``: not within the horizon."""
    expected_date: date | None = None
    """The same with 50 %."""
    late_date: date | None = None
    """The same with 90 %."""
    change: str = ""
    """As typed; in words where nothing is typed."""
    options: tuple[SummaryOption, ...] = ()
    """The plan itself first, then more of the same, then what does instead."""
    check_first: tuple[str, ...] = ()
    """What to find out or to know before the change, a sentence each."""
    due_date: date | None = None
    """Last day to begin; ``None`` where nothing has one."""
    is_due_at_once: bool = False
    owner: str = ""
    cost: str = ""
    lasts: str = ""
    rule_id: str = ""
    """The rule of the figure, for links; printed nowhere."""
    subject: str = ""
    acknowledged: str = ""
    """Who acknowledged it, and until when; empty for none."""
    links: Mapping[str, str] = {}
    """Addresses below the pages: ``chart``, ``computed``, ``plan``, ``try``; those that exist."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def now_of_limit(self) -> str:
        """``1.5 h of 12 h``; the figure alone without a limit, empty without a figure."""
        if not self.now or not self.limit:
            return self.now
        if self.unit_shown and self.now.endswith(f" {self.unit_shown}"):
            return f"{self.now.removesuffix(self.unit_shown).rstrip()} of {self.limit}"
        return f"{self.now} of {self.limit}"

    @property
    def unit_shown(self) -> str:
        """The unit of both, where it is long enough not to be said twice."""
        unit = self.limit.partition(" ")[2]
        return unit if len(unit) > len("days") else ""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def due(self) -> str:
        """``11 Dec 2026``, ``now``, or empty."""
        if self.is_due_at_once:
            return NOW
        return short_day(self.due_date) if self.due_date else ""


class SummaryFacts(NamedTuple):
    """What a day knows; all of one site day."""

    plans: Sequence[Plan]
    findings: Sequence[Finding] = ()
    crossings: Sequence[Crossing] = ()
    losses: Sequence[Loss] = ()
    states: Sequence[ConsoleState] = ()
    """What consoles reported; without them an incident has no clock."""
    acknowledged: Mapping[str, Acknowledgement] = MappingProxyType({})
    """By path of the resource."""
    alerts: AlertSettings = AlertSettings()
    """Owners and lead times, for what has no plan."""
    estate: Estate = Estate()
    """Classes of systems, likewise."""


def plan_summaries(facts: SummaryFacts) -> list[PlanSummary]:
    """Return a row for each resource to decide on, most urgent first, acknowledged ones last.

    Those are the plans, losses of which something is to be decided, and resources at Act or Watch
    that have neither.
    """
    findings = {(each.rule_id, each.subject): each for each in facts.findings}
    crossings = {(each.rule_id, each.subject): each for each in facts.crossings}
    losses = {loss.lost: loss for loss in facts.losses}
    plans = [plan for plan in facts.plans if not plan.needs_nothing]
    placed: list[tuple[PlanOrder, PlanSummary]] = []
    for plan in (*plans, *plans_of_losses(facts.losses)):
        loss = losses.get(plan.owner_subject) if plan.kind == ResourceKind.loss else None
        if loss is not None:
            row = _of_loss(plan, loss)
        else:
            row = _of_plan(plan, _figure_of(plan, findings), crossings, facts.states)
        placed.append((plan_order(plan), row))
    placed += _without_plan(facts, crossings)
    rows = (row for _, row in sorted(placed, key=lambda pair: pair[0]))
    noted = (row.model_copy(update=_acknowledged(row, facts.acknowledged)) for row in rows)
    return sorted(noted, key=lambda row: bool(row.acknowledged))


def plan_row(plan: Plan, findings: Iterable[Finding]) -> PlanSummary:
    """Return the row of one plan, from findings of its day; without dates and clock."""
    by_key = {(each.rule_id, each.subject): each for each in findings}
    return _of_plan(plan, _figure_of(plan, by_key), {}, ())


def _acknowledged(
    row: PlanSummary, acknowledged: Mapping[str, Acknowledgement]
) -> dict[str, object]:
    found = acknowledged.get(row.resource)
    return {} if found is None else {"acknowledged": acknowledged_words(found)}


def _without_plan(
    facts: SummaryFacts, crossings: Mapping[tuple[str, str], Crossing]
) -> Iterator[tuple[PlanOrder, PlanSummary]]:
    """Yield the most urgent finding of each resource at Act or Watch that no plan is about."""
    planned = {key for plan in facts.plans for key in plan.judged}
    resources = {plan.resource for plan in facts.plans}
    found: dict[str, tuple[PlanOrder, PlanSummary]] = {}
    for finding in facts.findings:
        key = (finding.rule_id, finding.subject)
        if finding.severity not in URGENT or finding.superseded_by or key in planned:
            continue
        if finding.is_of_loss:
            continue
        rule = all_rules().get(finding.rule_id)
        path = rule.resource_of(finding.subject).path if rule else "/".join(key)
        if path not in resources and _asks(finding, crossings.get(key)):
            row = finding_summary(finding, crossings.get(key), facts)
            placed = (_order_of(row, finding), row)
            found[path] = min(found.get(path, placed), placed, key=lambda pair: pair[0])
    yield from found.values()


def _asks(finding: Finding, crossing: Crossing | None) -> bool:
    """Return whether something is to be done: the limit is passed, or will be in the horizon."""
    if is_over(finding, crossing) or finding.changes:
        return True
    early = crossing.earliest_date if crossing else None
    return early is not None and early <= finding.site_date + timedelta(days=HORIZON_DAYS)


def _order_of(row: PlanSummary, finding: Finding) -> PlanOrder:
    """Return the place of a finding without a plan: after the plans of its severity."""
    headroom = finding.headroom_ratio
    return (
        not row.is_production,
        -row.severity.rank,
        UNPLANNED,
        row.due_date or date.max,
        False,
        float("inf") if headroom is None else headroom,
        f"{row.resource}/{row.rule_id}",
    )


def finding_summary(
    finding: Finding, crossing: Crossing | None, facts: SummaryFacts
) -> PlanSummary:
    """Return the row of a resource without a plan, about its most urgent finding."""
    rule = all_rules().get(finding.rule_id)
    resource = rule.resource_of(finding.subject) if rule else None
    typed = [change.typed for change in finding.changes if change.typed]
    advice = [change.action for change in finding.changes] or _sentences(finding.advice)
    change = typed[0] if typed else _first_clause(advice[-1]) or "decide"
    is_at_once = is_over(finding, crossing)
    problem = finding.title if finding.is_event else _problem(finding, crossing)
    query = {"rule": finding.rule_id, "subject": finding.subject, "day": str(finding.site_date)}
    due = due_date(finding, crossing, facts.alerts)
    return PlanSummary(
        kind=SummaryKind.incident if finding.is_event else SummaryKind.change,
        resource=resource.path if resource else f"{finding.rule_id}/{finding.subject}",
        title=_cut(resource.label if resource else finding.subject, TITLE_WORDS),
        problem=_cut(problem, PROBLEM_WORDS),
        story=finding.statement if finding.is_event else "",
        severity=finding.severity,
        is_production=facts.estate.class_of(finding.subject) is SystemClass.production,
        **_figures(finding),
        series=_series(finding),
        is_over=is_at_once,
        **_range(crossing),
        change=_cut(change, CHANGE_WORDS) if _asks(finding, crossing) else "",
        check_first=tuple(f"{each.rstrip('.')}." for each in advice if each),
        due_date=finding.site_date if is_at_once else due,
        is_due_at_once=is_at_once and not finding.has_ended,
        owner=facts.alerts.owner_of(finding.subject),
        rule_id=finding.rule_id,
        subject=finding.subject,
        links={"plan": f"finding?{urlencode(query)}", **_links_of(finding)},
    )


def _range(crossing: Crossing | None) -> dict[str, date | None]:
    if crossing is None:
        return {}
    return {
        "early_date": crossing.earliest_date,
        "expected_date": crossing.expected_date,
        "late_date": crossing.latest_date,
    }


def missing_summaries(findings: Iterable[Finding]) -> list[PlanSummary]:
    """Return a row for each step of settings that lets checks be made, most worthwhile first."""
    return [_of_step(step) for step in steps(needs(findings))[:STEPS_MAX]]


def row_text(row: PlanSummary) -> str:
    """Return a row as every surface prints it, in one line."""
    parts = (
        row.title,
        row.problem,
        row.now_of_limit,
        row.change,
        row.due,
        row.owner,
        row.cost,
    )
    return "; ".join(filter(None, parts))


def count_numbers(text: str) -> int:
    """Return how many numbers a reader sees; a date is one."""
    return len(_NUMBER.findall(text))


def acknowledged_words(acknowledgement: Acknowledgement) -> str:
    """Return ``acknowledged by anna until 1 Mar 2027``."""
    who = f" by {acknowledgement.who}" if acknowledgement.who else ""
    until = acknowledgement.until_date
    return f"acknowledged{who}{f' until {short_day(until)}' if until else ''}"


def _figure_of(plan: Plan, findings: Mapping[tuple[str, str], Finding]) -> Finding | None:
    """Return the finding whose figure and limit are shown.

    Of mandatory limits that are passed the one that is passed most; else that of the rule that is
    due first, of the worst rule, or the nearest. What only happened has no figure.
    """
    keys = sorted(plan.judged | {(plan.worst_rule, plan.worst_subject)})
    judged = [found for key in keys if (found := findings.get(key)) is not None]
    mandatory = {(rule.rule_id, rule.subject) for rule in plan.rules if rule.is_mandatory}

    def place(each: Finding) -> tuple[bool, bool, bool, bool, float]:
        key = (each.rule_id, each.subject)
        return (
            not (each.breach and key in mandatory),
            not each.breach and each.rule_id != plan.due_rule,
            not each.breach and key != (plan.worst_rule, plan.worst_subject),
            key not in mandatory,
            float("inf") if each.headroom_ratio is None else each.headroom_ratio,
        )

    with_figure = (each for each in judged if each.limit_value is not None and not each.is_event)
    return min((each for each in with_figure if each.observed is not None), key=place, default=None)


def _of_plan(
    plan: Plan,
    finding: Finding | None,
    crossings: Mapping[tuple[str, str], Crossing],
    states: Sequence[ConsoleState],
) -> PlanSummary:
    crossing = crossings.get((finding.rule_id, finding.subject)) if finding else None
    rule_id = finding.rule_id if finding else plan.worst_rule
    subject = finding.subject if finding else plan.worst_subject
    problem = _happened(plan, states) if plan.is_event else ""
    if not problem:
        problem = _problem(finding, crossing) if finding else _first_clause(plan.summary)
    problem = _capital(problem)
    return PlanSummary(
        kind=SummaryKind.incident if plan.is_event else SummaryKind.change,
        resource=plan.resource,
        title=_cut(plan.label, TITLE_WORDS),
        problem=_cut(problem, PROBLEM_WORDS),
        story=plan.summary if plan.is_event else "",
        severity=plan.severity,
        is_production=plan.is_production,
        **_figures(finding),
        series=_series(finding),
        is_over=is_over(finding, crossing),
        **_range(crossing),
        change=change_words(plan),
        options=_options(plan),
        check_first=_check_first(plan),
        due_date=None if plan.has_ended else plan.due_date,
        is_due_at_once=not plan.has_ended and (plan.is_due_at_once or plan.is_cause_alone),
        owner=plan.owner,
        cost=short_cost(plan.cost),
        lasts=lasts_words(plan, plan),
        rule_id=rule_id,
        subject=subject,
        links=_links(plan, finding),
    )


def _of_loss(plan: Plan, loss: Loss) -> PlanSummary:
    """Return the row of a loss: its worst survivor, and what is to be done before it happens."""
    worst = max(loss.decisive_cells, key=lambda cell: cell.shown_rank, default=None)
    typed = typed_words(loss.changes) if loss.changes else ""
    done = counted(len(loss.presupposes), "plan above", "plans above")
    if loss.presupposes:
        typed = f"{typed}, after {done}" if typed else f"do {done}"
    query = {"day": str(loss.site_date)}
    return PlanSummary(
        kind=SummaryKind.loss,
        resource=plan.resource,
        title=_cut(f"Loss of {loss.lost.rpartition(SERIES_SEPARATOR)[2]}", TITLE_WORDS),
        problem=_cut(_loss_problem(loss, worst), PROBLEM_WORDS),
        severity=loss.severity,
        is_production=loss.is_production,
        **_cell_figures(worst),
        is_over=worst is not None and worst.fails_today,
        early_date=loss.first_failure_date,
        change=typed or "no setting is enough",
        options=_options(plan),
        check_first=_check_first(plan),
        due_date=plan.due_date,
        is_due_at_once=plan.is_due_at_once,
        owner=loss.owner,
        cost=short_cost(plan.cost),
        lasts=lasts_words(plan, plan) if plan.changes else "",
        rule_id=plan.worst_rule,
        subject=loss.lost,
        links={"plan": f"losses?{urlencode(query)}#{loss.lost}"},
    )


def _of_step(step: Step) -> PlanSummary:
    owners = sorted({need.owner for need in step.needs})
    also = f" and {len(owners) - 1} more" if len(owners) > 1 else ""
    keys = ", ".join(step.keys)
    return PlanSummary(
        kind=SummaryKind.inputs,
        resource=f"{owners[0]}{SERIES_SEPARATOR}{keys}",
        title=f"{owners[0].partition(SERIES_SEPARATOR)[2] or owners[0]}{also}",
        problem=f"{counted(len(step.needs), 'check')} not made",
        severity=Severity.unknown,
        change=f"set {keys}",
    )


def _happened(plan: Plan, states: Sequence[ConsoleState]) -> str:
    """Return the gravest state of the day with its times: ``Out of log space 08:58 to 09:04``."""
    rule = all_rules().get(plan.worst_rule)
    if rule is None:
        return ""
    today = open_on(states_on(states, rule.traits.resource, plan.worst_subject), plan.site_date)
    if not today:
        return ""
    worst = today[0]
    at = display_units.current().about(worst.subject).at
    begin = f"{at(worst.first_utc):%H:%M}"
    if worst.site_date != plan.site_date:
        begin = f"since {short_day(worst.site_date)}"
    until = ""
    if worst.ended_utc is not None and worst.last_date <= plan.site_date:
        until = f" to {at(worst.ended_utc):%H:%M}"
    return f"{_capital(worst.state)} {begin}{until}"


def _problem(finding: Finding, crossing: Crossing | None) -> str:
    """Return what is wrong: what the figure means, since when the limit is passed, or when."""
    is_downward = finding.direction is Direction.downward
    if is_over(finding, crossing):
        if finding.breach and (meaning := _MEANING.get(finding.rule_id)):
            return meaning
        side = "Below" if is_downward else "Over"
        side = "At" if finding.headroom_ratio == 0 else side
        since = ""
        if crossing and crossing.breached_since and crossing.reason != SINCE_DATA_BEGINS:
            since = f" since {short_day(crossing.breached_since)}"
        return f"{side} its limit{since}"
    if crossing is not None and crossing.state is CrossingState.will_cross:
        verb = "Falls below" if is_downward else "Passes"
        if crossing.expected_date:
            return f"{verb} its limit about {short_day(crossing.expected_date)}"
        if crossing.earliest_date:
            return f"May pass its limit from {short_day(crossing.earliest_date)}"
    return "Near its limit"


def _loss_problem(loss: Loss, worst: LossCell | None) -> str:
    if loss.nowhere_to_go:
        return f"{counted(len(loss.nowhere_to_go), 'structure')} would have nowhere to go"
    if worst is None:
        return "No survivor can be evaluated"
    name = worst.survivor.rpartition(SERIES_SEPARATOR)[2]
    limit = "over" if worst.fails_today else "passes"
    return f"{name} {limit} its limit of {worst.quantity.label}"


def change_words(plan: Plan) -> str:
    """Return what is to be typed, in at most ``CHANGE_WORDS`` words; else what is to be done."""
    if plan.changes:
        return typed_words(plan)
    if plan.is_cause_alone:
        return "find the cause"
    if plan.missing and not plan.is_feasible:
        return _cut(f"set {_first_clause(plan.missing[0])}", CHANGE_WORDS)
    return "no setting is enough" if not plan.is_feasible else "nothing to do"


def typed_words(variant: PlanVariant) -> str:
    """Return changes as typed; one without an operand in its first words, more are counted."""
    texts = list(dict.fromkeys(each.typed or _first_clause(each.text) for each in variant.changes))
    if not texts:
        return ""
    more = f" and {len(texts) - 1} more" if len(texts) > 1 else ""
    room = CHANGE_WORDS - len(more.split())
    if len("; ".join(texts).split()) <= CHANGE_WORDS:
        return "; ".join(texts)
    return f"{_cut(texts[0], room)}{more}"


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
        _times(cost.engines, "engine"),
    )
    work = f"{figure(round(cost.work_hours, 1))} h" if cost.work_hours else ""
    stops = (
        _times(cost.ipls, "IPL"),
        _times(cost.queue_manager_restarts, "restart"),
        _times(cost.chinit_restarts, "chinit restart"),
    )
    size, stop = (next(filter(None, parts), "") for parts in (sizes, stops))
    return ", ".join(filter(None, (size, work, stop)))


def lasts_words(plan: Plan, variant: PlanVariant) -> str:
    """Return ``until 30 May 2027``, or beyond the horizon; empty where nothing is forecast."""
    is_forecast = not plan.rules or any(rule.is_forecast for rule in plan.rules)
    is_open = variant in plan.options and not variant.is_evaluated
    if not variant.changes or is_open or not is_forecast:
        return ""
    if plan.unforecast and not variant.lasts_until:
        return ""
    if variant.lasts_until is None:
        return f"beyond {short_day(plan.horizon_date)}"
    if variant.lasts_until < plan.site_date:
        return ""
    return f"until {short_day(variant.lasts_until)}"


def _options(plan: Plan) -> tuple[SummaryOption, ...]:
    """Return the plan itself, what more buys, and what does instead."""
    if not plan.changes:
        return ()
    titles = {rule.rule_id: rule.title for rule in plan.rules}
    own = "recommended" if plan.is_recommendation else "mandatory"
    variants: list[tuple[PlanVariant, str, str]] = [(plan, _if(plan.condition) or own, plan.effect)]
    for tier in plan.tiers:
        kept = dict.fromkeys(titles.get(end.rule_id, end.level) for end in tier.buys)
        variants.append((tier, "recommended", ", ".join(kept)))
    variants += [(each, _if(each.condition) or "instead", each.effect) for each in plan.options]
    return tuple(
        SummaryOption(
            change=typed_words(variant),
            note=note,
            lasts=lasts_words(plan, variant),
            cost=short_cost(variant.cost),
            buys=buys,
            lasts_until=variant.lasts_until,
            parts=variant.cost,
        )
        for variant, note, buys in variants
    )


def _if(condition: str) -> str:
    return f"if {condition}" if condition else ""


def _check_first(plan: Plan) -> tuple[str, ...]:
    """Return what to find out, what the change does besides, and what it leaves open."""
    cause = plan.cause or plan.event_advice
    effects = (change.side_effects for change in plan.changes)
    ways_out = (each.why for each in plan.not_kept)
    every = (
        cause, *effects, *plan.notes, *ways_out, *plan.missing,
    )  # fmt: skip
    sentences = (f"{_capital(each.rstrip('.'))}." for each in every if each)
    return tuple(dict.fromkeys(sentences))


def _figures(finding: Finding | None) -> dict[str, Any]:
    """Return the figure and its limit, printed and as numbers; empty without a finding."""
    if finding is None:
        return {}
    more = f" {OR_MORE}" if OR_MORE in observed_of_limit(finding) else ""
    observed, limit = (
        _scaled(finding.observed, finding.unit),
        _scaled(finding.limit_value, finding.unit),
    )
    headroom = finding.headroom_ratio
    return {
        "now": f"{at_a_glance(finding.observed, finding.unit, finding.limit_value)}{more}",
        "limit": at_a_glance(finding.limit_value, finding.unit),
        "now_value": observed,
        "limit_value": limit,
        "unit": display_units.current().scale(finding.unit).unit,
        "direction": finding.direction,
        "used_ratio": None if headroom is None else _used(finding, headroom),
    }


def _used(finding: Finding, headroom: float) -> float:
    """Return the share of the limit that is used; of a time that has to last, limit by time."""
    if finding.direction is Direction.upward:
        return 1 - headroom
    return min(_MOST_USED, 1 / (1 + headroom)) if headroom > -1 else _MOST_USED


def _cell_figures(cell: LossCell | None) -> dict[str, Any]:
    if cell is None or cell.limit is None:
        return {}
    return {
        "now": at_a_glance(cell.today, cell.unit, cell.limit),
        "limit": at_a_glance(cell.limit, cell.unit),
        "now_value": cell.today,
        "limit_value": cell.limit,
        "unit": cell.unit,
        "used_ratio": cell.use_ratio or None,
    }


def _scaled(value: float | None, unit: str) -> float | None:
    return None if value is None else value * display_units.current().scale(unit).factor


def _series(finding: Finding | None) -> SummarySeries | None:
    if finding is None or finding.series_id is None or finding.statistic is None:
        return None
    limit = finding.crossing_limit
    if limit is None:
        return None
    return SummarySeries(
        series_id=finding.series_id,
        statistic=finding.statistic,
        limit=limit,
        direction=finding.crossing_direction,
    )


def _links(plan: Plan, finding: Finding | None) -> dict[str, str]:
    """Return the addresses below the pages: the chart, the arithmetic, the plan, what-if."""
    day = str(plan.site_date)
    links = {"plan": f"plan?{urlencode({'resource': plan.resource, 'day': day})}"}
    if plan.scenario_parts:
        links["try"] = f"whatif?{urlencode({'resource': plan.resource, 'day': day})}"
    return links | (_links_of(finding) if finding else {})


def _links_of(finding: Finding) -> dict[str, str]:
    query = {"rule": finding.rule_id, "subject": finding.subject, "day": str(finding.site_date)}
    links = {"computed": f"explain?{urlencode(query)}"}
    if finding.series_id is not None and finding.statistic is not None:
        chart = {"series": finding.series_id, "day": query["day"], "statistic": finding.statistic}
        links["chart"] = f"series?{urlencode(chart)}"
    return links


def _gib(mib: float, of: str) -> str:
    """Return storage with its sign: ``+148 GiB DASD``, ``+512 MiB CF``; empty for none."""
    if not mib:
        return ""
    if abs(mib) < _MIB_PER_GIB:
        return f"{figure(round(mib), signed=True)} MiB {of}"
    return f"{'+' if mib > 0 else ''}{rounded(mib / _MIB_PER_GIB)} GiB {of}"


def _sentences(text: str) -> list[str]:
    return [each.strip() for each in _SENTENCE_END.split(text) if each.strip()] or [""]


def _times(count: int, what: str) -> str:
    return "" if not count else what if count == 1 else counted(count, what)


def _first_clause(text: str) -> str:
    return _GUESSED.split(text, maxsplit=1)[0].strip().rstrip(".")


def _cut(text: str, words: int) -> str:
    """Return at most so many words; what is left out is marked."""
    every = text.split()
    return text if len(every) <= words else f"{' '.join(every[:words])}…"


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
