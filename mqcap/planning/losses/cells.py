"""The figures of each survivor without and with the load of a lost part, today and ahead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from mqcap.domain.finding import Finding, Severity
from mqcap.domain.losses.cell import LossCell, LossQuantity
from mqcap.domain.metric import Direction
from mqcap.domain.units import MINUTES_PER_HOUR
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.context import PlanContext, RuleOfSubject
from mqcap.planning.evaluation import breaks_on_bound, judged_today, kept, on_bound
from mqcap.planning.losses.quantities import SurvivorRule, pairs_of
from mqcap.whatif.losses.lose import LossOverlay
from mqcap.whatif.losses.rebuilding import Arrival, storage_line
from sizing.rulebook.assessment import LONGEST_H

STORAGE_RULE: Final = "LOSS-CF-STORAGE"


def cells_of(
    before: DayFacts, loss: LossOverlay, survivors: Sequence[str] | None = None
) -> Iterator[LossCell]:
    """Yield the quantities of each survivor that the loss changes, in the order of survivors.

    ``survivors`` are those wanted; ``None``: all of them.
    """
    arrivals = loss.rebuilding.arrivals if loss.rebuilding is not None else ()
    for survivor in loss.survivors if survivors is None else survivors:
        for entry, pair in pairs_of(loss.facts, survivor, loss.kind):
            cell = _cell(before, loss.facts, survivor, entry, pair)
            if cell is not None:
                yield cell
        yield from (_storage(each) for each in arrivals if each.survivor == survivor)


def horizon_of(facts: DayFacts) -> date:
    """Return the last day up to which losses are evaluated: the horizon of plans."""
    return facts.observed.last + timedelta(days=facts.settings.plan.horizon_days)


def context_of(facts: DayFacts, pair: RuleOfSubject) -> PlanContext:
    """Return the context in which one rule is held against its forecast from today on."""
    return PlanContext(
        resource=pair.rule.resource_of(pair.subject),
        facts=facts,
        verdicts=(),
        pairs=(pair,),
        earliest_date=facts.observed.last,
        horizon_date=horizon_of(facts),
    )


def _cell(
    before: DayFacts, after: DayFacts, survivor: str, entry: SurvivorRule, pair: RuleOfSubject
) -> LossCell | None:
    """Return the cell of one rule; ``None`` where it does not apply or nothing changes."""
    finding, was = judged_today(pair, after), judged_today(pair, before)
    if finding is None:
        return None
    if was is not None and was.observed == finding.observed:
        return None
    context = context_of(after, pair)
    ahead = on_bound(context, pair, after)
    fails_from = None
    if breaks_on_bound(context, pair, after):
        fails_from = kept(context, pair, after).fails_from
    fails_today = passes(finding)
    return LossCell(
        survivor=survivor,
        quantity=entry.quantity,
        subject=pair.subject,
        rule_id=entry.rule_id,
        unit=finding.unit,
        limit=finding.limit_value,
        before=was.observed if was is not None else None,
        today=finding.observed,
        at_horizon=ahead[0].observed if ahead is not None and ahead[1] is not None else None,
        fails_before=was is not None and passes(was),
        fails_today=fails_today,
        fails_from=after.observed.last if fails_today else fails_from,
        minutes_to_failure=_minutes(entry, finding, fails_today=fails_today),
        arithmetic=finding.arithmetic or finding.missing,
    )


def passes(finding: Finding) -> bool:
    """Return whether a figure passes its limit, also where it cannot be confirmed.

    A facility with shared engines that looks full is not evaluated as measured; with the load of
    another one it is computed to be full.
    """
    if finding.breach is not None:
        return finding.breach
    if finding.severity is not Severity.unknown:
        return False
    if finding.observed is None or finding.limit_value is None:
        return False
    if finding.direction is Direction.upward:
        return finding.observed > finding.limit_value
    return finding.observed < finding.limit_value


def _minutes(entry: SurvivorRule, finding: Finding, *, fails_today: bool) -> float | None:
    if not fails_today or finding.observed is None:
        return None
    if entry.quantity is LossQuantity.log_runway and finding.observed < LONGEST_H:
        return finding.observed * MINUTES_PER_HOUR
    stops = entry.stops_from is not None and finding.observed >= entry.stops_from
    return 0.0 if stops else None


def _storage(arrival: Arrival) -> LossCell:
    fails = arrival.fits is False
    return LossCell(
        survivor=arrival.survivor,
        quantity=LossQuantity.cf_storage,
        subject=arrival.survivor,
        rule_id=STORAGE_RULE,
        unit="MiB",
        limit=arrival.free_mib,
        before=0.0,
        today=arrival.needed_mib,
        at_horizon=arrival.needed_mib,
        fails_before=False,
        fails_today=fails,
        fails_from=None,
        minutes_to_failure=0.0 if fails else None,
        arithmetic=(storage_line(arrival),),
    )
