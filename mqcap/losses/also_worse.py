"""Rules of survivors beside the quantities of a loss that its load makes worse."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from mqcap.domain.finding import Severity
from mqcap.domain.metric import SERIES_SEPARATOR, SubjectKind
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.judging.observed import is_part_of
from mqcap.losses.cells import SURVIVOR_RULES
from mqcap.planning.resource_facts import FactsByOwner
from mqcap.presentation.labels import SEVERITY_LABELS

_SHOWN: Final = frozenset(entry.rule_id for entry in SURVIVOR_RULES)


def also_worse(
    before: DayFacts, after: DayFacts, survivors: Iterable[str], kind: SubjectKind
) -> tuple[str, ...]:
    """Return the rules of survivors that become Watch or Act.

    Such as ``LOG-COUNT-OVERLAP of CSQ2 (Watch)``; rules of the quantities of losses are left out.

    Args:
        before: The day with nothing lost.
        after: The same day with the load on the survivors.
        survivors: Those that are to carry it.
        kind: Kind of the survivors.
    """
    found: list[str] = []
    for survivor in survivors:
        bad = {
            key: severity
            for key, severity in _severities(after, survivor, kind, _is_looked_at).items()
            if severity.rank >= Severity.watch.rank
        }
        rules = {rule_id for rule_id, _ in bad}
        was = _severities(before, survivor, kind, rules.__contains__) if bad else {}
        for (rule_id, subject), severity in sorted(bad.items()):
            if severity.rank > was.get((rule_id, subject), Severity.ok).rank:
                name = subject.partition(SERIES_SEPARATOR)[2]
                found.append(f"{rule_id} of {name} ({SEVERITY_LABELS[severity]})")
    return tuple(found)


def _is_looked_at(rule_id: str) -> bool:
    return rule_id not in _SHOWN


def _severities(
    facts: DayFacts, survivor: str, kind: SubjectKind, is_wanted: Callable[[str], bool]
) -> dict[tuple[str, str], Severity]:
    """Return the severities of the wanted rules of a survivor that are not superseded."""
    owner = survivor if kind is SubjectKind.queue_manager else None
    verdicts = judge_facts(FactsByOwner(facts).of(survivor, kind), owner, is_wanted)
    return {
        (verdict.finding.rule_id, verdict.finding.subject): verdict.finding.severity
        for verdict in verdicts
        if is_part_of(verdict.finding.subject, survivor)
        and is_wanted(verdict.finding.rule_id)
        and not verdict.finding.superseded_by
    }
