"""The result of a rule: observed against limit, why, and what to change. It is not graded."""

import math
import re
from collections.abc import Callable
from typing import Annotated, ClassVar, Final, Self

from pydantic import BaseModel, BeforeValidator, Field, computed_field

from mqcap.domain.finding import Change, Effect
from mqcap.domain.metric import Direction
from mqcap.domain.typed_amount import TypedAmount, TypedKind

_LIMIT: Final = re.compile(r"\blimit(?: =|:| \d)")
"""A limit in a line of arithmetic."""
ROUNDING: Final = 1e-12
"""Values that differ by a smaller share are equal: quotients of binary floats are so inexact."""


Lines = Annotated[
    tuple[str, ...] | str,
    BeforeValidator(lambda lines: (lines,) if isinstance(lines, str) else lines),
]
"""Lines of text; one alone needs no tuple, and becomes one."""


class Inputs(BaseModel, frozen=True, extra="forbid"):
    """Base of all inputs: immutable, and an unknown name is an error."""


class Assessment(BaseModel, frozen=True, extra="forbid"):
    """Observed against limit, both in ``unit``; the unit of the metric that is forecast.

    A subclass states the side and the strictness of its limit once, as class variables,
    and adds the figures that the document prints for the rule.
    """

    direction: ClassVar[Direction] = Direction.upward
    strict: ClassVar[bool] = True
    """A value exactly at the limit is still allowed."""
    series_direction: ClassVar[Direction | None] = None
    """Side of ``series_limit`` on which the series is in breach; ``None``: as ``direction``."""
    suggests: ClassVar[bool] = False
    """Past the limit nothing breaks: something can be saved."""

    observed: float
    limit: float
    unit: str
    series_limit: float | None = None
    """The limit in terms of the watched series, all else as it is; ``None``: the limit itself."""
    advice: str
    summary: str = ""
    """Sentence for the finding; a plain comparison is written when empty."""
    of: str = Field(default="", exclude=True)
    """What that comparison's percentage is a share of: ``the primary log files``."""
    arithmetic: Lines = ()
    changes: tuple[Change, ...] = ()
    caveats: Lines = ()
    advice_past: str = Field(default="", exclude=True)
    """Advice for a value past the limit, where it differs from that of a value in order."""

    @computed_field  # type: ignore[prop-decorator]  # pydantic's own documented use
    @property
    def breach(self) -> bool:
        """True past the limit; never for a suggestion."""
        return self.passes_limit and not self.suggests

    @property
    def passes_limit(self) -> bool:
        """True where the value is past the limit by more than it was rounded."""
        if math.isclose(self.observed, self.limit, rel_tol=ROUNDING):
            return not self.strict
        return (self.observed > self.limit) is (self.direction is Direction.upward)

    def past_limit(
        self,
        advice: str,
        changes: Callable[[], Change | tuple[Change, ...] | None] = tuple,
        *,
        also_near: bool = True,
    ) -> Self:
        """Return it with the advice and changes for a value past the limit, if it is.

        The advice that it was made with is for a value in order; beside it this one is kept for a
        value near the limit, unless ``also_near`` is false.
        """
        if not self.passes_limit:
            return self.model_copy(update={"advice_past": advice if also_near else ""})
        made = changes() or ()
        as_tuple = made if isinstance(made, tuple) else (made,)
        return self.model_copy(update={"advice": advice, "changes": as_tuple})

    @property
    def states_limit(self) -> bool:
        """True where a line of the arithmetic states the limit; else one for it is added."""
        return any(_LIMIT.search(line) for line in self.arithmetic)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def headroom_ratio(self) -> float | None:
        """Distance to the limit as a share of it; negative in breach.

        ``None`` for limit 0, and for a suggestion: there is nothing to run out of.
        """
        if self.limit == 0 or self.suggests:
            return None
        distance = (self.limit - self.observed) / self.limit
        return distance if self.direction is Direction.upward else -distance


class Reaching(Assessment):
    """A limit that must not be reached: exactly at it is a breach."""

    strict: ClassVar[bool] = False


class Falling(Assessment):
    """A limit below which a value must not fall; exactly at it is allowed."""

    direction: ClassVar[Direction] = Direction.downward


class Lasting(Falling):
    """A time that must not be shorter than the limit; the series is a rate that shortens it.

    The time is compared and shown, ``series_limit`` is the rate at which it is the limit.
    """

    series_direction: ClassVar[Direction | None] = Direction.upward


LONGEST_H: Final = 168
"""Ours: such times of a week or more count as a week."""


def at_most(span: float | None, longest: float, limit: float) -> float:
    """Return a time, cut where it is far above its limit; ``None`` is a time without end.

    It is cut at ``longest`` or, where the limit itself is that long, at twice the limit.
    """
    bound = max(longest, 2 * limit)
    return bound if span is None else min(span, bound)


OWN_OF_CHANNELS: Final = "channel initiator, logs and page sets"


def spread(
    managers: int,
    why: str = "",
    load: str = "persistent load",
    each_has: str = "logs, page sets and buffer pools",
) -> Change:
    """Return a change to more queue managers, where one does not carry the load."""
    return Change(
        action=f"Spread the {load} over {managers} queue managers{why}.",
        amount=TypedAmount.of(TypedKind.queue_managers, managers),
        side_effects=f"each has its own {each_has}.",
    )


def first_step(action: str, amount: TypedAmount, side_effects: str, why: str) -> Change:
    """Return a change to be tried and measured; ``why`` says what no record shows.

    The action itself says so, so that no page, email or change pack shows it as a promise.
    """
    return Change(
        action=f"{action} A first step, to be measured: {why}.",
        amount=amount,
        side_effects=side_effects,
        effect=Effect.measure,
    )
