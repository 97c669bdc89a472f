"""What a plan can change of a kind of resource: its operands, with values, cost and words.

Each module of ``mqcap.planning.levers`` registers kinds with ``register``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import ceil, floor, log10
from typing import Any, Final, NamedTuple, cast

from mqcap.domain import discovery
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import Plan, PlanChange, PlanCost, PlanVariant
from mqcap.domain.resource import ResourceKind
from mqcap.domain.subject import Subject
from mqcap.domain.typed_amount import TypedAmount
from mqcap.operands.declared import SETTINGS, Lever, Setting
from mqcap.planning.context import Grids, PlanContext, State, Value
from mqcap.whatif.sizes import task_storage_mib

Number = float | int
TODAY_PCT: Final = 100
SIZES_PCT: Final = (*range(110, 200, 10), *range(200, 1_001, 50))
"""Sizes that are looked at where that of today is not known, in per cent of it (ours)."""


class Moves(NamedTuple):
    """Load that a setting moves to another part of the same group, such as channels."""

    setting: str
    workload: str
    """What it is where it arrives: a field of the ``workload`` of a scenario."""
    takes: frozenset[ResourceKind]
    """Kinds of resources that it takes, where it leaves and where it arrives."""
    counted: frozenset[ResourceKind]
    """Kinds of resources whose plans count as done where it arrives."""
    at_horizon: Callable[[PlanContext, int], int]
    """How much of an amount of today leaves up to the horizon."""

    def amount(self, changes: Iterable[PlanChange]) -> int:
        """Return how much changes move; 0 for none."""
        return max((int(change.settings.get(self.setting, 0)) for change in changes), default=0)


@dataclass(frozen=True)
class Settable:
    """Settings that can be changed of one kind of resource."""

    kind: ResourceKind
    today: Callable[[PlanContext], State | None]
    """Today's values; ``None`` when one of them is not known."""
    needs: tuple[str, ...]
    """What to type into the settings when today's values are not known."""
    grids: Callable[[PlanContext, State], Grids]
    """Values that a person can type, today's first; the last setting is monotone."""
    cost: Callable[[PlanContext, State, State], PlanCost]
    """Cost of a state against today's, not yet weighted."""
    each_change: Callable[[PlanContext, State, State], Iterable[PlanChange]]
    """The differences of a state from today's, as they are typed; none where these are equal."""
    ways_out: str
    """What changes the structure where no state keeps all rules."""
    rises: bool = False
    """Whether there are two settings at most, each of which only helps, and costs, as it rises."""
    choices: tuple[str, ...] = ()
    """Settings whose other values are shown as options, such as the size of a log."""
    dearer: Callable[[PlanContext], Sequence[Value]] = lambda _: ()
    """Values of the last setting that a larger one costs less than: only in options, for what else
    the larger one does, such as to where it moves."""
    supposed: frozenset[str] = frozenset()
    """Settings whose effect the site has to find out: only in options, the least effect first."""
    condition: Callable[[PlanContext, State], str] = lambda *_: ""
    """What has to be true of the site for a state, as words after "if"; empty for none."""
    alternatives: Callable[[PlanContext, State], tuple[PlanVariant, ...]] = lambda *_: ()
    """Changes that help too beside a state, without settings: no scenario can tell their effect."""
    cause: Callable[[PlanContext], str] = lambda _: ""
    """What to find out before the changes are made, as words after "First"."""
    notes: Callable[[PlanContext, State], tuple[str, ...]] = lambda *_: ()
    """What the values are not sized for, or would have borne, as sentences without a full stop."""
    fixed: Mapping[str, str] = field(default_factory=dict)
    """By rule that no setting of the kind touches: what else does."""
    counts_on: frozenset[ResourceKind] = frozenset()
    """Kinds of resources of the same owner whose plans its states count as done."""
    moves: Moves | None = None
    """What it moves elsewhere; ``None``: nothing."""
    stays_in_losses: frozenset[str] = frozenset()
    """Settings that keep nothing where another part is lost, such as channels that would come
    back."""
    set_once: frozenset[str] = frozenset()
    """Settings that another plan of the same part has used up once it sets them."""
    follows: frozenset[str] = frozenset()
    """Settings of other resources that ``changes`` adds where a state needs them."""

    def changes(self, context: PlanContext, before: State, after: State) -> tuple[PlanChange, ...]:
        """Return the differences of a state from another one, as they are typed."""
        return tuple(self.each_change(context, before, after))


@dataclass(frozen=True)
class PlanOperand:
    """A declared setting as a plan changes it."""

    key: str
    """Key of a scenario's ``configuration``."""
    today: Callable[[PlanContext], Number | None]
    values: Callable[[PlanContext, Number], Iterable[Number]]
    """Values that a person can type beside today's, in the direction that helps the rules."""
    cost: Callable[[PlanContext, Number, Number], Mapping[str, Any]]
    """Parts of a plan's cost beside the work of a change request."""
    text: Callable[[PlanContext, Number, Number], str]
    typed: Callable[[Number], str]
    side_effects: str = ""

    def change(self, context: PlanContext, subject: str, old: Number, new: Number) -> PlanChange:
        """Return the change of a subject, in the words of the setting."""
        return PlanChange(
            subject=subject,
            text=self.text(context, old, new),
            typed=self.typed(new),
            settings={self.key: new},
            before={self.key: old},
            side_effects=self.side_effects,
        )


def operand(key: str, **code: Any) -> PlanOperand:
    """Return a declared setting as a plan changes it; ``code`` has what is not declared of it."""
    setting = SETTINGS[key]

    def storage(more: Number) -> Mapping[str, float]:
        if "storage_of_tasks" not in setting.effects:
            return {}
        return {"chinit_31bit_mib": round(task_storage_mib(key, more), 2)}

    parts: dict[str, Any] = {
        "today": lambda context: measured_count(context, key),
        "cost": lambda _, before, after: storage(after - before),
    }
    if typed := setting.typed:
        parts["typed"] = lambda value: TypedAmount.of(typed.kind, ceil(value)).text
    if lever := setting.plan:
        if lever.today == "input":
            parts["today"] = lambda context: context.whole_input_of(key)
        parts |= {
            "values": lambda _, today: _declared_values(setting, lever, today),
            "cost": lambda _, before, after: {**storage(after - before), **lever.cost},
            "text": lambda _, before, after: lever.text.format(
                before=figure(before), after=figure(after)
            ),
            "side_effects": lever.side_effects,
        }
    return PlanOperand(key=key, **parts | code)


def _declared_values(setting: Setting, lever: Lever, today: Number) -> Iterable[Number]:
    if isinstance(lever.values, tuple):
        return [value for value in lever.values if value > today]
    most = lever.most or setting.highest
    if lever.values == "round":
        return round_values(today, most)
    first = most if lever.values == "highest" else floor(today) + 1
    return range(max(first, floor(today) + 1), most + 1)


_settables: Final[dict[ResourceKind, Settable]] = {}


class _PlanOperands(tuple[PlanOperand, ...]):
    """Operands that a plan can change, each for itself where it is known."""

    def today(self, context: PlanContext) -> State | None:
        known = {operand.key: operand.today(context) for operand in self}
        return {key: value for key, value in known.items() if value is not None} or None

    def grids(self, context: PlanContext, before: State) -> Grids:
        own = {operand: cast("Number", before.get(operand.key)) for operand in self}
        return {
            operand.key: [value, *operand.values(context, value)]
            for operand, value in own.items()
            if operand.key in before
        }

    def changed(self, before: State, after: State) -> Iterator[tuple[PlanOperand, Number, Number]]:
        for operand in self:
            if operand.key in before:
                old, new = (cast("Number", state[operand.key]) for state in (before, after))
                if old != new:
                    yield operand, old, new

    def cost(self, context: PlanContext, before: State, after: State) -> PlanCost:
        parts: dict[str, Any] = {}
        for operand, old, new in self.changed(before, after):
            hours = {"work_hours": context.facts.settings.plan.change_hours}
            for name, part in (*hours.items(), *operand.cost(context, old, new).items()):
                parts[name] = parts.get(name, type(part)()) + part
        return PlanCost.model_validate(parts)

    def each_change(
        self, context: PlanContext, before: State, after: State
    ) -> Iterator[PlanChange]:
        for operand, old, new in self.changed(before, after):
            for subject in sorted({pair.subject for pair in context.pairs}):
                yield operand.change(context, subject, old, new)


def register(*operands: PlanOperand, **more: Any) -> Settable:
    """Register what can be changed of a kind by operands, and by ``more``; each kind only once.

    The first operand declares the kind, needs and ways out that are not in ``more``.
    """
    own = _PlanOperands(operands)
    parts: dict[str, Any] = {
        name: getattr(own, name) for name in ("today", "grids", "cost", "each_change")
    }
    if operands and (lever := SETTINGS[operands[0].key].plan):
        parts |= {"kind": lever.kind, "needs": (lever.needs,), "ways_out": lever.ways_out}
    made = Settable(**parts | more)
    if made.kind in _settables:
        raise ConfigurationError("two modules change one kind of resource", found=made.kind)
    _settables[made.kind] = made
    return made


def measured_count(context: PlanContext, key: str) -> int | None:
    """Return a count or size of the resource's subject on its last measured day, rounded.

    The subject is the resource itself where it has a series of its own, else that of its rules or
    its owner; ``None`` where none has one.
    """
    for subject in (context.resource.path, context.subject, context.owner_subject):
        if days := context.facts.observed.days(SETTINGS[key].measured, subject):
            return round(days[-1].peak)
    return None


def to_least_used(
    kind: SubjectKind, metric: str, text: str, typed: str, side_effects: str = ""
) -> Callable[[PlanContext, State], tuple[PlanVariant, ...]]:
    """Return the alternative of moving load to the least used other subject of a kind.

    ``text`` may name ``{name}`` and ``{used}``, its highest use of the window. None where no other
    one is measured.
    """

    def alternatives(context: PlanContext, _: State) -> tuple[PlanVariant, ...]:
        own, observed = context.resource.path, context.facts.observed
        used = [
            (max(day.peak for day in days), subject)
            for subject in observed.subjects(kind) - {own}
            if (days := observed.days(metric, subject))
        ]
        if not used:
            return ()
        most, subject = min(used)
        words = {"name": Subject(subject).name, "used": figure(most)}
        change = PlanChange(
            subject=own,
            text=text.format_map(words),
            typed=typed.format_map(words),
            settings={},
            side_effects=side_effects,
        )
        return (PlanVariant(changes=(change,)),)

    return alternatives


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


def counted_text(context: PlanContext) -> str:
    """Return the plans of other resources that a plan counts, as the end of a sentence."""
    plans = " and ".join(plan.about.label for plan in context.counted)
    return f"; this counts the plan of {plans}" if plans else ""


def settable_of(kind: ResourceKind) -> Settable | None:
    """Return what can be changed of a kind; ``None`` where a plan can only name its rules."""
    _load()
    return _settables.get(kind)


def moves_of(plan: Plan) -> Moves | None:
    """Return what the kind of a plan's resource moves elsewhere; ``None``: nothing."""
    found = settable_of(ResourceKind(plan.about.kind))
    return found.moves if found is not None else None


@cache
def _load() -> None:
    from mqcap.planning import levers  # noqa: PLC0415 - its modules import this one

    discovery.load_all(levers)
    for key, setting in SETTINGS.items():
        if setting.plan is not None and setting.plan.today and setting.plan.values:
            register(operand(key))
