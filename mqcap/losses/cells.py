"""The figures of each survivor without and with the load of a lost part, today and ahead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import Direction, SubjectKind
from mqcap.domain.subject import Subject
from mqcap.domain.units import MINUTES_PER_HOUR
from mqcap.judging.bound_dates import judged_on
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.carried.lose import Carrying, LossOverlay
from mqcap.losses.carried.rebuilding import Arrival, storage_line
from mqcap.losses.cell import LossCell, LossQuantity
from mqcap.losses.model import badness
from mqcap.losses.text.sentences import worst_of_cells
from mqcap.planning.context import PlanContext, RuleOfSubject
from mqcap.planning.evaluation import breaks_on_bound, kept, on_bound
from mqcap.whatif.channels import chinit_of
from mqcap.whatif.comparison import WhatIfResult
from sizing.rulebook.assessment import LONGEST_H
from sizing.rulebook.registry import all_rules


def cells_of(
    before: DayFacts, loss: LossOverlay, survivors: Sequence[str] | None = None
) -> Iterator[LossCell]:
    """Yield the quantities that the loss changes, of each survivor, or of those that are wanted."""
    arrivals = loss.rebuilding.arrivals if loss.rebuilding is not None else ()
    for survivor in loss.survivors if survivors is None else survivors:
        for entry, pair in pairs_of(loss.facts, survivor, loss.kind):
            cell = _cell(before, loss.facts, survivor, entry, pair)
            if cell is not None:
                yield cell
        yield from (_storage(arrival) for arrival in arrivals if arrival.survivor == survivor)


def horizon_of(facts: DayFacts) -> date:
    """Return the last day up to which losses are evaluated: the horizon of plans."""
    return facts.observed.last + timedelta(days=facts.settings.plan.horizon_days)


def _cell(
    before: DayFacts, after: DayFacts, survivor: str, entry: SurvivorRule, pair: RuleOfSubject
) -> LossCell | None:
    """Return the cell of one rule; ``None`` where it does not apply or nothing changes."""
    finding, was = judged_on(pair, after, None), judged_on(pair, before, None)
    if finding is None or (was is not None and was.observed == finding.observed):
        return None
    context = PlanContext(
        resource=pair.rule.resource_of(pair.subject),
        facts=after,
        verdicts=(),
        pairs=(pair,),
        earliest_date=after.observed.last,
        horizon_date=horizon_of(after),
    )
    ahead, fails_today = on_bound(context, pair, after), passes(finding)
    fails_from = after.observed.last if fails_today else None
    if not fails_today and breaks_on_bound(context, pair, after):
        fails_from = kept(context, pair, after).fails_from
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
        fails_from=fails_from,
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
        rule_id=LossQuantity.cf_storage.rule_id,
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


AT_LIMIT: Final = 0.0


class SurvivorRule(NamedTuple):
    """A rule of a survivor, by the kind of what is lost."""

    kind: SubjectKind
    """Kind of the lost part, and of its survivors."""
    quantity: LossQuantity
    rule_id: str
    stops_from: float | None
    """Observed figure from which work stops (ours), the limit itself being ``AT_LIMIT``; ``None``:
    it goes on, slower."""


SURVIVOR_RULES: Final = (
    SurvivorRule(SubjectKind.coupling_facility, LossQuantity.cf_processor, "CF-BUSY-1", 100),
    SurvivorRule(SubjectKind.coupling_facility, LossQuantity.cf_processor, "CF-BUSY-N", 100),
    SurvivorRule(SubjectKind.queue_manager, LossQuantity.log_fill, "LOG-FILL-30MIN", None),
    SurvivorRule(SubjectKind.queue_manager, LossQuantity.log_runway, "LOG-RUNWAY-12H", None),
    SurvivorRule(SubjectKind.queue_manager, LossQuantity.channels, "CHI-MAXCHL", AT_LIMIT),
    SurvivorRule(SubjectKind.queue_manager, LossQuantity.chinit_31bit, "CHI-80-31BIT", 100),
    SurvivorRule(SubjectKind.queue_manager, LossQuantity.chinit_64bit, "CHI-80-64BIT", 100),
    SurvivorRule(SubjectKind.queue_manager, LossQuantity.buffer_pool, "BP-FREE-15", None),
    SurvivorRule(SubjectKind.queue_manager, LossQuantity.recovery, "REC-FORMULA-A", None),
    SurvivorRule(SubjectKind.queue_manager, LossQuantity.structure_recovery, "CFB-INTERVAL", None),
)
"""Limits and citations are those of the rules; none is stated twice."""


def pairs_of(
    facts: DayFacts, survivor: str, kind: SubjectKind
) -> Iterator[tuple[SurvivorRule, RuleOfSubject]]:
    """Yield each rule of a survivor with each subject of the survivor that it is evaluated for."""
    for entry in SURVIVOR_RULES:
        if entry.kind is kind:
            rule = all_rules()[entry.rule_id]
            kind_of_subject = rule.traits.subject_kind
            subjects = [survivor]
            if kind_of_subject is SubjectKind.channel_initiator:
                subjects = [chinit_of(survivor)]
            elif kind_of_subject is SubjectKind.buffer_pool:
                pools = facts.observed.subjects(kind_of_subject)
                subjects = sorted(pool for pool in pools if Subject(pool).is_within(survivor))
            for subject in subjects:
                yield entry, RuleOfSubject(rule, subject)


def carried(result: WhatIfResult) -> list[Carrying]:
    """Return each loss that any one of several survivors can carry, the best one first.

    That is the survivor that goes on working, then with the fewest limits passed, today and up to
    the horizon of plans, then the least full one. Of several corners the worst counts. A survivor
    that the scenario loses too is none.
    """
    losses = result.losses
    gone = {loss.lost for loss in losses}
    found: list[Carrying] = []
    for number, loss in enumerate(losses):
        left = [survivor for survivor in loss.survivors if survivor not in gone]
        if loss.is_any_enough and len(left) > 1:
            worst = {name: _worst_cells(result, number, name) for name in left}
            ranked = sorted(left, key=lambda name: badness(worst[name]))
            states = {name: worst_of_cells(worst[name]) or "takes nothing" for name in ranked}
            found.append(Carrying(loss.lost, states))
    return found


def _worst_cells(result: WhatIfResult, number: int, survivor: str) -> list[LossCell]:
    """Return what a survivor carries of one of the losses at the corner where that is worst."""
    corners = []
    for corner in result.corners:
        before = corner.losses[number - 1].facts if number else corner.unlost
        corners.append(list(cells_of(before, corner.losses[number], [survivor])))
    return max(corners, key=badness)
