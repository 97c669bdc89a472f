"""Kinds of resources of which a plan changes one number, or several that are measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final, NamedTuple

from mqcap.domain.metric import SERIES_SEPARATOR, SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanChange, PlanCost, PlanVariant
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from mqcap.operands.declared import SETTINGS
from mqcap.planning.context import PlanContext, State
from mqcap.planning.search import Grids
from mqcap.planning.settable import Settable
from mqcap.whatif.sizes import COUNTS

Number = float | int
TODAY_PCT: Final = 100
SIZES_PCT: Final = (*range(110, 200, 10), *range(200, 1_001, 50))
"""Sizes that are looked at where that of today is not known, in per cent of it (ours)."""


_Cost = Callable[[PlanContext, Number, Number], PlanCost]


def change_cost(**parts: int) -> _Cost:
    """Return the cost of one change request, with restarts, whatever the value."""
    return lambda context, *_: PlanCost(
        work_hours=context.facts.settings.plan.change_hours, **parts
    )


@dataclass(frozen=True)
class SingleSetting:
    """Single number of a kind of resource: source, values, cost and text."""

    kind: ResourceKind
    key: str
    """Key of a scenario's ``configuration``."""
    today: Callable[[PlanContext], Number | None]
    needs: tuple[str, ...]
    values: Callable[[PlanContext, Number], Sequence[Number]]
    """Values that a person can type beside today's, in the direction that helps the rules."""
    cost: _Cost
    text: Callable[[PlanContext, Number, Number], str]
    typed: Callable[[Number], TypedAmount]
    ways_out: str
    """What changes the structure where no state keeps all rules."""
    side_effects: str = ""
    alternatives: Callable[[PlanContext, State], tuple[PlanVariant, ...]] = lambda *_: ()
    """Changes that help too, without settings: no scenario can tell their effect."""
    counts_on: frozenset[ResourceKind] = frozenset()
    """Kinds of resources of the same owner whose plans its states count as done."""

    def settable(self) -> Settable:
        """Return it as what a plan can change of the kind."""

        def today(context: PlanContext) -> State | None:
            value = self.today(context)
            return None if value is None else {self.key: value}

        def grids(context: PlanContext, before: State) -> Grids:
            value = _number(before[self.key])
            return {self.key: [value, *self.values(context, value)]}

        def cost(context: PlanContext, before: State, after: State) -> PlanCost:
            if before == after:
                return PlanCost()
            return self.cost(context, _number(before[self.key]), _number(after[self.key]))

        def changes(context: PlanContext, before: State, after: State) -> tuple[PlanChange, ...]:
            return () if before == after else tuple(self._changes(context, before, after))

        return Settable(
            kind=self.kind,
            today=today,
            needs=self.needs,
            grids=grids,
            cost=cost,
            changes=changes,
            ways_out=self.ways_out,
            alternatives=self.alternatives,
            counts_on=self.counts_on,
        )

    def _changes(self, context: PlanContext, before: State, after: State) -> Iterator[PlanChange]:
        """Yield one change for each subject, such as both copies."""
        old, new = _number(before[self.key]), _number(after[self.key])
        for subject in sorted({pair.subject for pair in context.pairs}):
            yield PlanChange(
                subject=subject,
                text=self.text(context, old, new),
                typed=self.typed(new).text,
                settings={self.key: new},
                before={self.key: old},
                side_effects=self.side_effects,
            )


def amount(kind: str) -> Callable[[Number], TypedAmount]:
    """Return the operand of a kind, with its value rounded up."""
    return lambda value: TypedAmount.of(kind, ceil(value))


def measured_count(context: PlanContext, metric: str) -> int | None:
    """Return a count or size of the resource's subject on its last measured day, rounded.

    The subject is the resource itself where it has a series of its own, else its owner; ``None``
    where neither has one.
    """
    observed = context.facts.observed
    for subject in (context.resource.path, context.resource.owner_subject):
        if days := observed.days(metric, subject):
            return round(days[-1].peak)
    return None


class MeasuredOperand(NamedTuple):
    """One of several numbers of a resource whose value of today is measured."""

    typed: str
    text: str
    """``Allow {after} instead of {before}.``"""
    side_effects: str


@dataclass(frozen=True)
class MeasuredOperands:
    """The numbers of one kind of resource that are measured, each where it is known."""

    subject_kind: SubjectKind
    operands: Mapping[str, MeasuredOperand]
    """By key of a scenario's ``configuration``."""

    def today(self, context: PlanContext) -> State | None:
        """Return the values that are known; ``None`` where none is."""
        measured = {key: measured_count(context, COUNTS[key]) for key in self.operands}
        return {key: value for key, value in measured.items() if value is not None} or None

    def grids(self, _: PlanContext, today: State) -> Grids:
        """Return round values from today's up to the highest that MQ takes."""
        return {
            key: [value, *round_values(int(value), SETTINGS[key].highest)]
            for key, value in today.items()
        }

    def changes(self, context: PlanContext, today: State, after: State) -> tuple[PlanChange, ...]:
        """Return a change for each number that is another one."""
        return tuple(
            PlanChange(
                subject=context.resource.path,
                text=self.operands[key].text.format(
                    after=figure(int(after[key])), before=figure(int(before))
                ),
                typed=TypedAmount.of(self.operands[key].typed, int(after[key])).text,
                settings={key: int(after[key])},
                before={key: before},
                side_effects=self.operands[key].side_effects,
            )
            for key, before in today.items()
            if int(after[key]) != before
        )


def least_used(context: PlanContext, kind: SubjectKind, metric: str) -> tuple[str, float] | None:
    """Return the least used other subject of a kind, by name, and its highest use of the window.

    ``None`` where no other one is measured.
    """
    own, observed = context.resource.path, context.facts.observed
    used = [
        (max(day.peak for day in days), subject)
        for subject in observed.subjects(kind) - {own}
        if (days := observed.days(metric, subject))
    ]
    if not used:
        return None
    most, subject = min(used)
    return subject.rpartition(SERIES_SEPARATOR)[2], most


def round_values(low: Number, high: Number) -> list[int]:
    """Return the whole numbers with at most two significant digits above ``low`` up to ``high``.

    They are what people choose: 24,000 rather than 24,278. ``high`` itself is the last.
    """
    values: list[int] = []
    value = floor(low)
    while value < high:
        step = 10 ** max(floor(log10(max(value, 1))) - 1, 0)
        value = (value // step + 1) * step
        if low < value < high:
            values.append(value)
    return [*values, floor(high)] if floor(high) > low else values


def _number(value: float | bool | str) -> Number:
    assert isinstance(value, int | float)  # noqa: S101 - single settings are numbers
    return value
