"""The survivor that carries a loss best under a scenario, where any one of several is enough."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from mqcap.domain.finding import Severity
from mqcap.domain.numbers import counted
from mqcap.judging.inputs import is_part_of
from mqcap.whatif.comparison import RuleDifference, WhatIfResult

MARK: Final = "*"
"""Beside results of a survivor that need not carry the loss."""


class Carrying(NamedTuple):
    """A loss whose load any one of several survivors may take."""

    lost: str
    worse_counts: dict[str, int]
    """Rules that become worse and are Watch or Act, by survivor, the best survivor first."""

    @property
    def survivor(self) -> str:
        """The survivor that carries it best."""
        return next(iter(self.worse_counts))

    @property
    def others(self) -> tuple[str, ...]:
        """The other survivors."""
        return tuple(self.worse_counts)[1:]


def carried(result: WhatIfResult) -> list[Carrying]:
    """Return each loss that any one of several survivors can carry, the best one first.

    That is the one with the fewest rules that become Act, then Watch, then with the fewest that
    are Act and Watch anyhow. Of several corners the worst counts. A survivor that the scenario
    loses too is none.
    """
    losses = result.losses[0] if result.losses else ()
    gone = {loss.lost for loss in losses}
    found: list[Carrying] = []
    for loss in losses:
        left = [each for each in loss.survivors if each not in gone]
        if loss.is_any_enough and len(left) > 1:
            ranked = sorted((_badness(result, each), each) for each in left)
            counts = {each: len(_worse(result.differences, each)) for _, each in ranked}
            found.append(Carrying(loss.lost, counts))
    return found


def carried_text(carrying: Carrying) -> str:
    """Return who carries a loss best, and how the other survivors would be."""
    counts = (
        f"{survivor} {counted(count, 'rule')}" for survivor, count in carrying.worse_counts.items()
    )
    return (
        f"{carrying.survivor} carries the loss of {carrying.lost} best (any one survivor is "
        f"enough); rules that become worse: {', '.join(counts)}. Results of the others are marked "
        f"{MARK}."
    )


def marked(subject: str, every: Iterable[Carrying]) -> str:
    """Return a subject with ``MARK`` where it is of a survivor that need not carry a loss."""
    is_other = any(is_part_of(subject, each) for carrying in every for each in carrying.others)
    return f"{subject} {MARK}" if is_other else subject


def _badness(result: WhatIfResult, survivor: str) -> tuple[int, ...]:
    worse = _worse(result.differences, survivor)
    still = [_after(each) for each in result.still if is_part_of(each.subject, survivor)]
    return tuple(
        severities.count(severity)
        for severities in (worse, still)
        for severity in (Severity.act, Severity.watch)
    )


def _worse(differences: Iterable[RuleDifference], survivor: str) -> list[Severity]:
    return [
        _after(each)
        for each in differences
        if is_part_of(each.subject, survivor)
        and _after(each).rank >= Severity.watch.rank
        and (each.before is None or _after(each).rank > each.before.severity.rank)
    ]


def _after(difference: RuleDifference) -> Severity:
    severities = (outcome.severity for outcome in difference.after if outcome is not None)
    return max(severities, key=lambda severity: severity.rank, default=Severity.ok)
