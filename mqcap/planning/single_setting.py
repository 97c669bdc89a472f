"""Kinds of resources of which a plan changes one number, or several that are measured."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any, Final

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanChange, PlanCost, PlanVariant
from mqcap.domain.resource import ResourceKind
from mqcap.domain.subject import Subject
from mqcap.domain.typed_amount import TypedAmount
from mqcap.operands.declared import SETTINGS, Setting
from mqcap.planning.context import PlanContext, State, Value
from mqcap.planning.search import Grids
from mqcap.planning.settable import Settable
from mqcap.whatif.sizes import task_storage_mib

Number = float | int
TODAY_PCT: Final = 100
SIZES_PCT: Final = (*range(110, 200, 10), *range(200, 1_001, 50))
"""Sizes that are looked at where that of today is not known, in per cent of it (ours)."""


_Cost = Callable[[PlanContext, Number, Number], PlanCost]


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

        return Settable(
            kind=self.kind,
            today=today,
            needs=self.needs,
            grids=grids,
            cost=cost,
            each_change=self._changes,
            ways_out=self.ways_out,
            alternatives=self.alternatives,
            counts_on=self.counts_on,
        )

    def _changes(self, context: PlanContext, before: State, after: State) -> Iterator[PlanChange]:
        """Yield one change for each subject, such as both copies."""
        if before == after:
            return
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


def declared(key: str, **code: Any) -> SingleSetting:
    """Return what a plan can change of a declared setting; ``code`` has the parts that are code."""
    setting = SETTINGS[key]
    lever, typed = setting.plan, setting.typed
    if lever is None or typed is None:
        raise ConfigurationError(f"{key} of mqcap/operands has no plan", expected="plan, typed")

    def values(_: PlanContext, today: Number) -> Sequence[Number]:
        if lever.values == "round":
            return round_values(today, setting.highest)
        offered = [setting.highest] if lever.values == "highest" else lever.values
        return [value for value in offered if isinstance(value, int) and value > today]

    def cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
        takes_storage = "storage_of_tasks" in setting.effects
        mib = round(task_storage_mib(key, after - before), 2) if takes_storage else 0
        hours = context.facts.settings.plan.change_hours
        return PlanCost.model_validate({"work_hours": hours, "chinit_31bit_mib": mib, **lever.cost})

    parts: dict[str, Any] = {
        "today": lambda context: context.whole_input_of(key),
        "values": values,
        "cost": cost,
        "text": lambda _, before, after: lever.text.format(
            before=figure(before), after=figure(after)
        ),
        "typed": amount(typed.kind),
        "needs": (lever.needs,),
        "ways_out": lever.ways_out,
        "side_effects": lever.side_effects,
    }
    return SingleSetting(kind=lever.kind, key=key, **parts | code)


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


def several_today(context: PlanContext, keys: Iterable[str]) -> State | None:
    """Return the values of settings that are measured; ``None`` where none is."""
    measured = {key: measured_count(context, SETTINGS[key].measured) for key in keys}
    return {key: value for key, value in measured.items() if value is not None} or None


def several_grids(_: PlanContext, today: State) -> Grids:
    """Return round values of each setting from today's up to the highest that is proposed."""
    grids = {}
    for key, value in today.items():
        setting = SETTINGS[key]
        most = setting.plan and setting.plan.most
        grids[key] = [value, *round_values(int(value), most or setting.highest)]
    return grids


def several_changes(
    context: PlanContext, today: State, after: State, subject: str = ""
) -> tuple[PlanChange, ...]:
    """Return a change for each setting with another value, of the resource or of ``subject``."""
    return tuple(
        change_of(SETTINGS[key], subject or context.resource.path, before, after[key])
        for key, before in today.items()
        if int(after[key]) != before
    )


def change_of(setting: Setting, subject: str, before: Value, after: Value) -> PlanChange:
    """Return the change of one declared setting, in its words.

    Raises:
        ConfigurationError: no plan, or no text that is typed, is declared for it.
    """
    lever, typed = setting.plan, setting.typed
    if lever is None or typed is None:
        raise ConfigurationError(f"{setting.key} has no plan", expected="plan and typed")
    return PlanChange(
        subject=subject,
        text=lever.text.format(before=figure(int(before)), after=figure(int(after))),
        typed=TypedAmount.of(typed.kind, int(after)).text,
        settings={setting.key: int(after)},
        before={setting.key: before},
        side_effects=lever.side_effects,
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
    return Subject(subject).name, most


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
