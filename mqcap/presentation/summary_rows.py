"""Rows of what is to be decided, from plans, findings, forecasts, losses and missing settings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from mqcap.domain.console.states import ConsoleState
from mqcap.domain.crossing import Crossing
from mqcap.domain.estate import Estate
from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.feed import FeedDay
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import Direction, series_id
from mqcap.domain.numbers import counted
from mqcap.domain.plan import AnyPlan, Incident, LossPlan, Plan, PlanVariant
from mqcap.domain.resource import ResourceKind
from mqcap.domain.subject import Subject
from mqcap.domain.urgency import UNPLANNED, PlanOrder, is_over, is_over_soon, plan_order
from mqcap.losses.cell import LossCell
from mqcap.losses.model import Loss
from mqcap.losses.text.as_plan import plans_of_losses
from mqcap.presentation import display_units
from mqcap.presentation.fleet import now_and_limit
from mqcap.presentation.labels import as_sentence
from mqcap.presentation.plan_summary import PlanSummary, SummaryKind, SummaryOption, SummarySeries
from mqcap.presentation.quantities import at_a_glance
from mqcap.presentation.summary_words import (
    change_words,
    check_first_sentences,
    cut,
    first_clause,
    happened,
    is_typed,
    lasts_words,
    loss_problem,
    problem_words,
    sentences,
    short_cost,
    typed_words,
)
from mqcap.settings import AlertSettings
from mqcap.settings.due_dates import due_date
from sizing.rulebook.registry import all_rules

_SIZED: Final = frozenset(
    {
        ResourceKind.active_log,
        ResourceKind.mq_log,
        ResourceKind.mq_queue,
        ResourceKind.smds,
        ResourceKind.buffer_pool,
        ResourceKind.page_set,
        ResourceKind.structure,
    }
)
"""Kinds of resources whose advice is to buy: a limit that is no more than Watch asks for nothing
without an amount, since their mandatory limits are kept to the horizon."""
_MOST_USED: Final = 2.0
"""A time that has to last is shown as no more than so many times too short."""


class DayResults(NamedTuple):
    """What was evaluated of one site day."""

    site_date: date
    findings: Sequence[Finding] = ()
    crossings: Sequence[Crossing] = ()
    feeds: Sequence[FeedDay] = ()
    """The expected and the received records of the day."""
    plans: Sequence[Plan] = ()
    """By resource, one each; none on days before plans were made."""
    losses: Sequence[Loss] = ()
    states: Sequence[ConsoleState] = ()
    """What consoles reported for the day; without them an incident has no clock."""


class SiteFacts(NamedTuple):
    """Owners, lead times and classes of systems, for what has no plan."""

    alerts: AlertSettings = AlertSettings()
    estate: Estate = Estate()


NO_SITE: Final = SiteFacts()


def plan_summaries(today: DayResults, site: SiteFacts = NO_SITE) -> list[PlanSummary]:
    """Return a row for each plan, loss to decide on and other resource at Act or Watch."""
    findings = {(finding.rule_id, finding.subject): finding for finding in today.findings}
    crossings = {(crossing.rule_id, crossing.subject): crossing for crossing in today.crossings}
    losses = {loss.lost: loss for loss in today.losses}
    placed = [
        (plan_order(plan), _of_plan(plan, _figure_of(plan, findings), crossings, today.states))
        for plan in today.plans
        if not plan.needs_nothing
    ]
    placed += [
        (plan_order(plan), _of_loss(plan, losses[plan.about.owner_subject]))
        for plan in plans_of_losses(today.losses)
    ]
    placed += _without_plan(today, crossings, site)
    return [row for _, row in sorted(placed, key=lambda pair: pair[0])]


def plan_row(plan: Plan, findings: Iterable[Finding]) -> PlanSummary:
    """Return the row of one plan, from findings of its day; without dates and clock."""
    by_key = {(finding.rule_id, finding.subject): finding for finding in findings}
    return _of_plan(plan, _figure_of(plan, by_key), {}, ())


def _without_plan(
    today: DayResults, crossings: Mapping[tuple[str, Subject], Crossing], site: SiteFacts
) -> Iterator[tuple[PlanOrder, PlanSummary]]:
    """Yield the most urgent finding of each resource at Act or Watch that no plan is about."""
    planned = {key for plan in today.plans for key in plan.judged}
    resources = {plan.resource for plan in today.plans}
    found: dict[str, tuple[PlanOrder, PlanSummary]] = {}
    for finding in today.findings:
        key = (finding.rule_id, finding.subject)
        is_elsewhere = finding.superseded_by or finding.is_of_loss or key in planned
        if is_elsewhere or not finding.severity.is_urgent:
            continue
        rule = all_rules().get(finding.rule_id)
        path = rule.resource_of(finding.subject).path if rule else series_id(*key)
        if path not in resources and _asks(finding, crossings.get(key)):
            row = finding_summary(finding, crossings.get(key), site)
            placed = (_order_of(row, finding), row)
            found[path] = min(found.get(path, placed), placed, key=lambda pair: pair[0])
    yield from found.values()


def _asks(finding: Finding, crossing: Crossing | None) -> bool:
    """Return whether something is to be done: the limit is passed, or is expected to be.

    What only single days may pass within the horizon asks for nothing, nor does a recommended limit
    for which nothing is to be bought.
    """
    rule = all_rules().get(finding.rule_id)
    at_most = rule.traits.breach_severity if rule and rule.traits.resource in _SIZED else None
    if finding.severity is at_most is Severity.watch:
        return any(change.typed for change in finding.changes)
    return bool(finding.changes) or is_over_soon(finding, crossing)


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
    finding: Finding, crossing: Crossing | None, site: SiteFacts = NO_SITE
) -> PlanSummary:
    """Return the row of a resource without a plan, about its most urgent finding."""
    rule = all_rules().get(finding.rule_id)
    resource = rule.resource_of(finding.subject) if rule else None
    typed = [change.typed for change in finding.changes if change.typed]
    advice = [change.action for change in finding.changes] or sentences(finding.advice)
    change = typed[0] if typed else first_clause(advice[-1]) or "decide"
    over = is_over(finding, crossing)
    due = due_date(finding, crossing, site.alerts)
    is_late = due is not None and due < finding.site_date
    is_at_once = is_late or (over and finding.severity is Severity.act and not finding.has_ended)
    problem = finding.title if finding.is_event else problem_words(finding, crossing)
    path = resource.path if resource else finding.key
    links = _links(path, finding.site_date, finding)
    return PlanSummary(
        kind=SummaryKind.incident if finding.is_event else SummaryKind.change,
        resource=path,
        title=cut(resource.label if resource else finding.subject),
        problem=cut(problem),
        story=finding.statement if finding.is_event else "",
        severity=finding.severity,
        is_production=site.estate.class_of(finding.subject) is SystemClass.production,
        **_judged(finding, crossing),
        change=cut(change) if _asks(finding, crossing) else "",
        is_typed=bool(typed),
        check_first=tuple(f"{sentence.rstrip('.')}." for sentence in advice if sentence),
        due_date=finding.site_date if is_at_once else due,
        is_due_at_once=is_at_once,
        owner=site.alerts.owner_of(finding.subject),
        rule_id=finding.rule_id,
        subject=finding.subject,
        links=links if resource else links | {"plan": links["computed"]},
    )


def _figure_of(plan: Plan, findings: Mapping[tuple[str, Subject], Finding]) -> Finding | None:
    """Return the finding whose figure and limit are shown.

    Of mandatory limits that are passed the one that is passed most; else that of the rule that is
    due first, of the worst rule, or the nearest. What only happened has no figure.
    """
    keys = sorted(plan.judged | {(plan.reason.rule_id, plan.reason.subject)})
    judged = [found for key in keys if (found := findings.get(key)) is not None]
    mandatory = {(rule.rule_id, rule.subject) for rule in plan.evidence.rules if rule.is_mandatory}

    def place(each: Finding) -> tuple[bool, bool, bool, bool, float]:
        key = (each.rule_id, each.subject)
        return (
            not (each.breach and key in mandatory),
            not each.breach and each.rule_id != plan.dates.due_rule,
            not each.breach and key != (plan.reason.rule_id, plan.reason.subject),
            key not in mandatory,
            float("inf") if each.headroom_ratio is None else each.headroom_ratio,
        )

    with_figure = (
        finding
        for finding in judged
        if None not in {finding.observed, finding.limit_value} and not finding.is_event
    )
    return min(with_figure, key=place, default=None)


def _of_plan(
    plan: Plan,
    finding: Finding | None,
    crossings: Mapping[tuple[str, Subject], Crossing],
    states: Sequence[ConsoleState],
) -> PlanSummary:
    crossing = crossings.get((finding.rule_id, finding.subject)) if finding else None
    rule_id = finding.rule_id if finding else plan.reason.rule_id
    subject = finding.subject if finding else plan.reason.subject
    incident = plan if isinstance(plan, Incident) else None
    problem = happened(incident, states) if incident else ""
    if not problem:
        problem = problem_words(finding, crossing) if finding else first_clause(plan.reason.summary)
    # a day that is only the end of the forecast is none: there is nothing to do by then
    has_day = bool(plan.changes) or plan.due_date < plan.dates.horizon_date
    return PlanSummary(
        kind=SummaryKind.incident if incident else SummaryKind.change,
        resource=plan.resource,
        title=cut(plan.about.label),
        problem=cut(as_sentence(problem)),
        story=plan.reason.summary if incident else "",
        severity=plan.severity,
        is_production=plan.about.is_production,
        **_judged(finding, crossing),
        change=change_words(plan),
        is_typed=is_typed(plan.base),
        options=_options(plan),
        check_first=check_first_sentences(plan),
        due_date=plan.due_date if has_day and not plan.has_ended else None,
        is_due_at_once=not plan.has_ended and plan.is_due_at_once,
        owner=plan.about.owner,
        cost=short_cost(plan.base.cost),
        lasts=lasts_words(plan, plan.base),
        rule_id=rule_id,
        subject=subject,
        links=_links(plan.resource, plan.site_date, finding, is_tried=bool(plan.scenario_parts)),
    )


def _of_loss(plan: LossPlan, loss: Loss) -> PlanSummary:
    """Return the row of a loss: its worst survivor, and what is to be done before it happens."""
    worst = max(loss.decisive_cells, key=lambda cell: cell.shown_rank, default=None)
    typed = typed_words(loss.changes) if loss.changes else ""
    if loss.presupposes:
        first = counted(len(loss.presupposes), "plan")
        typed = f"{typed} after {first}" if typed else f"done by {first}"
    return PlanSummary(
        kind=SummaryKind.loss,
        resource=plan.resource,
        title=cut(f"Loss of {loss.lost.name}"),
        problem=cut(loss_problem(loss, worst)),
        severity=loss.severity,
        is_production=loss.is_production,
        **_cell_figures(worst),
        is_over=worst is not None and worst.fails_today,
        early_date=loss.first_failure_date,
        change=typed or "no setting is enough",
        is_typed=loss.changes is not None and is_typed(loss.changes),
        options=_options(plan),
        check_first=check_first_sentences(plan),
        due_date=plan.due_date,
        is_due_at_once=plan.is_due_at_once,
        owner=loss.owner,
        cost=short_cost(plan.base.cost),
        lasts=lasts_words(plan, plan.base) if plan.changes else "",
        rule_id=plan.reason.rule_id,
        subject=loss.lost,
        links=_links(plan.resource, loss.site_date, None),
    )


def _options(plan: AnyPlan) -> tuple[SummaryOption, ...]:
    """Return the plan itself, what more buys, and what does instead."""
    if not plan.changes:
        return ()
    titles = {rule.rule_id: rule.title for rule in plan.evidence.rules}
    own = "recommended" if plan.is_recommendation else "mandatory"
    variants: list[tuple[PlanVariant, str, str]] = [
        (plan.base, _note(plan.base, own), plan.base.effect)
    ]
    for tier in plan.tiers:
        kept = dict.fromkeys(titles.get(end.rule_id, end.level) for end in tier.buys)
        variants.append((tier, "recommended", ", ".join(kept)))
    variants += [(option, _note(option, "instead"), option.effect) for option in plan.options]
    return tuple(
        SummaryOption(
            change=typed_words(variant),
            is_typed=is_typed(variant),
            note=note,
            lasts=lasts_words(plan, variant),
            cost=short_cost(variant.cost),
            buys=buys,
            lasts_until=variant.lasts_until,
            parts=variant.cost,
        )
        for variant, note, buys in variants
    )


def _note(variant: PlanVariant, other: str) -> str:
    return f"if {variant.condition}" if variant.condition else other


def _judged(finding: Finding | None, crossing: Crossing | None) -> dict[str, Any]:
    """Return figure and limit as words and numbers, series and dates; empty without a finding."""
    if finding is None:
        return {}
    now, limit = now_and_limit(finding)
    factor, unit = display_units.scale(finding.unit)
    early, expected, late = crossing.dates if crossing else (None, None, None)
    return {
        "now": now,
        "limit": limit,
        "now_value": None if finding.observed is None else finding.observed * factor,
        "limit_value": None if finding.limit_value is None else finding.limit_value * factor,
        "unit": unit,
        "used_ratio": _used(finding),
        "series": _series(finding),
        "is_over": is_over(finding, crossing),
        "early_date": early,
        "expected_date": expected,
        "late_date": late,
    }


def _used(finding: Finding) -> float | None:
    """Return the share of the limit that is used; of a time that has to last, limit by time."""
    headroom = finding.headroom_ratio
    if headroom is None or finding.direction is Direction.upward:
        return None if headroom is None else 1 - headroom
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


def _series(finding: Finding) -> SummarySeries | None:
    limit = finding.crossing_limit
    if finding.series_id is None or finding.statistic is None or limit is None:
        return None
    return SummarySeries(
        series_id=finding.series_id,
        statistic=finding.statistic,
        limit=limit,
        direction=finding.crossing_direction,
    )


def _links(
    path: str, day: date, finding: Finding | None, *, is_tried: bool = False
) -> dict[str, str]:
    """Return the addresses below the pages: the resource, what-if, the arithmetic, the chart."""
    of_resource = urlencode({"path": path, "day": str(day)})
    links = {"plan": f"resource?{of_resource}"}
    if is_tried:
        links["try"] = f"whatif?{urlencode({'resource': path, 'day': str(day)})}"
    if finding is None:
        return links
    query = {"rule": finding.rule_id, "subject": finding.subject, "day": str(finding.site_date)}
    links["computed"] = f"finding?{urlencode(query)}#explained"
    if finding.series_id is not None and finding.statistic is not None:
        chart = {"series": finding.series_id, "day": query["day"], "statistic": finding.statistic}
        links["chart"] = f"series?{urlencode(chart)}"
    return links
