"""Days by which changes have to be made, and the mandatory rules that are due."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Finding, Severity
from mqcap.judging.evaluate import Verdict
from mqcap.planning.context import PlanContext, RuleOfSubject, is_mandatory
from mqcap.presentation.due_dates import last_responsible_date
from sizing.rulebook.registry import all_rules


def due_date(context: PlanContext, verdicts: Iterable[Verdict]) -> date:
    """Return the last day for a change: before the first limit is passed, and any freeze.

    Rules whose limit is their own past have no part in it: no setting undoes a rise. The horizon
    where no limit is known to be passed.
    """
    passed = [
        _passed_date(context, verdict)
        for verdict in verdicts
        if not all_rules()[verdict.finding.rule_id].traits.limit_is_own_past
    ]
    first = min(passed, default=context.horizon_date)
    last, _ = last_responsible_date(first, 1, context.facts.settings.alerts.change_freezes)
    return max(last, context.earliest_date)


def passed_from(verdicts: Iterable[Verdict]) -> date | None:
    """Return the first day on which a limit may be passed.

    ``None`` where one is passed already or none is forecast to be. Rules whose limit is their own
    past have no part in it.
    """
    own = [each for each in verdicts if not _is_own_past(each)]
    if any(each.finding.breach and _is_bad(each.finding) for each in own):
        return None
    crossings = (each.crossing for each in own if each.crossing is not None and _will_pass(each))
    days = (crossing.earliest_date or crossing.expected_date for crossing in crossings)
    return min((day for day in days if day is not None), default=None)


def asks_for_change(verdict: Verdict, until: date) -> bool:
    """Return whether a result needs a change that is in force before a day.

    It does at Act, over its limit, where the earliest date of its limit is no later than the day,
    and at Watch where its figure is not forecast. At Watch with a limit that is not passed by then
    it does not. Rules whose limit is their own past never do: no setting undoes a rise.
    """
    finding, crossing = verdict.finding, verdict.crossing
    if all_rules()[finding.rule_id].traits.limit_is_own_past:
        return False
    if finding.severity is Severity.act or (finding.breach and _is_bad(finding)):
        return True
    if crossing is not None and crossing.state is CrossingState.will_cross:
        first = crossing.earliest_date or crossing.expected_date
        return first is None or first <= until
    is_dated = crossing is not None and crossing.state is CrossingState.not_within_horizon
    return _is_bad(finding) and not is_dated


def due_rule(context: PlanContext, headline: str) -> str:
    """Return the rule that sets the due day of all; empty where no limit is known to be passed.

    Of rules that give the same day that of the ``headline`` sets it.
    """
    dated = [
        (due_date(context, [verdict]), verdict.finding.rule_id != headline, verdict.finding.rule_id)
        for verdict in context.verdicts
        if _is_dated(verdict) and not all_rules()[verdict.finding.rule_id].traits.limit_is_own_past
    ]
    if not dated:
        return ""
    day, _, rule_id = min(dated)
    return rule_id if day == due_date(context, context.verdicts) else ""


def due_pairs(context: PlanContext) -> tuple[RuleOfSubject, ...]:
    """Return the mandatory rules that are due: Act or Watch, or passed before the horizon."""
    due = {_key(verdict) for verdict in context.verdicts if _is_due(context, verdict)}
    return tuple(
        pair
        for pair in context.pairs
        if is_mandatory(context, pair) and (pair.rule.id, pair.subject) in due
    )


def due_verdicts(context: PlanContext, pairs: Collection[RuleOfSubject]) -> list[Verdict]:
    """Return the results of the day of some rules of a resource."""
    keys = {(pair.rule.id, pair.subject) for pair in pairs}
    return [each for each in context.verdicts if _key(each) in keys]


def _is_own_past(verdict: Verdict) -> bool:
    return all_rules()[verdict.finding.rule_id].traits.limit_is_own_past


def _is_bad(finding: Finding) -> bool:
    return finding.severity.rank >= Severity.watch.rank


def _key(verdict: Verdict) -> tuple[str, str]:
    return verdict.finding.rule_id, verdict.finding.subject


def _is_due(context: PlanContext, verdict: Verdict) -> bool:
    if _is_bad(verdict.finding):
        return True
    return _passed_date(context, verdict) <= context.horizon_date and _will_pass(verdict)


def _will_pass(verdict: Verdict) -> bool:
    crossing = verdict.crossing
    return crossing is not None and crossing.state is CrossingState.will_cross


def _is_dated(verdict: Verdict) -> bool:
    """Return whether it is known when a limit is passed, or that it is."""
    finding, crossing = verdict.finding, verdict.crossing
    if crossing is None or crossing.state is not CrossingState.will_cross:
        return bool(finding.breach) and _is_bad(finding)
    return (crossing.earliest_date or crossing.expected_date) is not None


def _passed_date(context: PlanContext, verdict: Verdict) -> date:
    """Return the first day over the limit; the horizon for a limit that is not known to be passed.

    A limit that will be passed counts at any severity: the plan keeps that rule too.
    """
    crossing = verdict.crossing
    if crossing is None or crossing.state is not CrossingState.will_cross:
        return context.earliest_date if _is_dated(verdict) else context.horizon_date
    return crossing.earliest_date or crossing.expected_date or context.horizon_date
