"""Settings that a plan can change of a kind of resource: values, cost, and how they are typed.

Each module of ``mqcap.planning.levers`` registers one with ``settable``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from mqcap.domain import discovery
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.plan import Plan, PlanChange, PlanCost, PlanVariant
from mqcap.domain.resource import ResourceKind
from mqcap.planning.context import PlanContext, State, Value
from mqcap.planning.search import Grids


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
        return max((int(each.settings.get(self.setting, 0)) for each in changes), default=0)


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


def counted_text(context: PlanContext) -> str:
    """Return the plans of other resources that a plan counts, as the end of a sentence."""
    plans = " and ".join(plan.about.label for plan in context.counted)
    return f"; this counts the plan of {plans}" if plans else ""


_settables: Final[dict[ResourceKind, Settable]] = {}


def register(settable: Settable) -> Settable:
    """Register what can be changed of a kind.

    Raises:
        ConfigurationError: the kind is registered already.
    """
    if settable.kind in _settables:
        raise ConfigurationError("two modules change one kind of resource", found=settable.kind)
    _settables[settable.kind] = settable
    return settable


def settable_of(kind: ResourceKind) -> Settable | None:
    """Return what can be changed of a kind; ``None`` where a plan can only name its rules."""
    _load()
    return _settables.get(kind)


def moves_of(plan: Plan) -> Moves | None:
    """Return what the kind of a plan's resource moves elsewhere; ``None``: nothing."""
    settable = settable_of(ResourceKind(plan.about.kind))
    return settable.moves if settable is not None else None


@cache
def _load() -> None:
    from mqcap.planning import levers  # noqa: PLC0415 - its modules import this one

    discovery.load_all(levers)
