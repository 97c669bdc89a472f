"""The quantities of a survivor that a loss may exhaust, and the rules that have their limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from mqcap.domain.losses.cell import LossQuantity
from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.observed import is_part_of
from mqcap.planning.context import RuleOfSubject
from mqcap.whatif.channels import chinit_of
from sizing.rulebook.registry import all_rules

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
            for subject in _subjects(facts, survivor, rule.traits.subject_kind):
                yield entry, RuleOfSubject(rule, subject)


def _subjects(facts: DayFacts, survivor: str, kind: SubjectKind) -> list[str]:
    if kind is SubjectKind.channel_initiator:
        return [chinit_of(survivor)]
    if kind is SubjectKind.buffer_pool:
        pools = facts.observed.subjects(kind)
        return sorted(each for each in pools if is_part_of(each, survivor))
    return [survivor]
