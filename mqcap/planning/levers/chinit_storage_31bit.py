"""31-bit storage of a channel initiator: channels that another queue manager takes.

The storage itself is what the system's common areas leave; what can change is what runs in it.
Before MQ 9.4 a newer release is an alternative, no part of the plan: what it gives depends on
client channels and messages, which no record states.
"""

from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple

from mqcap.domain.metric import Statistic, series_id
from mqcap.domain.numbers import figure, percent
from mqcap.domain.plan import PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.planning.context import PlanContext
from mqcap.planning.settable import counted_text, register
from mqcap.planning.single_setting import Number, SingleSetting, round_values
from mqcap.presentation.dates import short_day
from sizing.mq_release import newer_release

STRUCTURAL_SHARE: Final = 0.5
"""Share of the channels above which they need another queue manager of their own (ours)."""
_CHANNELS: Final = "channels_current_count"


def _most(context: PlanContext) -> float:
    """Return the most current channels of the window; 0 when they are not measured."""
    subject = context.pairs[0].subject
    days = context.facts.observed.days(_CHANNELS, subject)
    return max((day.peak for day in days), default=0.0)


def _is_structural(context: PlanContext, moved: Number) -> bool:
    return moved > STRUCTURAL_SHARE * _most(context)


def _text(context: PlanContext, _: Number, moved: Number) -> str:
    most = _most(context)
    which = f"{figure(moved)} of the {figure(most)} channels of today ({percent(moved / most)})"
    later = f"{_growth_text(context, moved)}{counted_text(context)}"
    if _is_structural(context, moved):
        return f"No setting keeps this: another queue manager is needed, for {which}{later}."
    return f"Move {which} to another queue manager{later}."


class Leaving(NamedTuple):
    """Channels of the horizon that leave with their growth."""

    channels: int
    of: int
    """All channels that are expected then."""
    day: date


def leaving_channels(context: PlanContext, moved: Number) -> Leaving | None:
    """Return how many channels of the horizon leave, in the share that ``moved`` are of today's.

    Counted on the day up to the horizon on which most are expected, as those of today are the most
    of the window: the horizon itself may be a weekend. ``None`` where none is forecast.
    """
    subject = context.pairs[0].subject
    forecast = context.facts.forecasts.get((series_id(_CHANNELS, subject), Statistic.peak))
    days = forecast.every_day if forecast is not None and forecast.refusal is None else ()
    ahead = [each for each in days if each.site_date <= context.horizon_date]
    point = max(ahead, key=lambda each: each.expected, default=None)
    if point is None:
        return None
    ratio = moved / _most(context)
    return Leaving(round(point.expected * ratio), round(point.expected), point.site_date)


def _growth_text(context: PlanContext, moved: Number) -> str:
    """Return how many of the channels of the horizon leave; empty where none is forecast."""
    leaving = leaving_channels(context, moved)
    if leaving is None:
        return ""
    return (
        f"; they take their growth along: of {figure(leaving.of)} expected on "
        f"{short_day(leaving.day)} {figure(leaving.channels)} leave"
    )


def _newer_release(context: PlanContext) -> tuple[str, ...]:
    return tuple(change.action for change in newer_release(context.text_input_of("mq_version")))


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    del before
    plan = context.facts.settings.plan
    return PlanCost(work_hours=plan.change_hours + round(after * plan.channel_hours, 2))


CHINIT_STORAGE_31BIT: Final = register(
    SingleSetting(
        kind=ResourceKind.chinit_storage_31bit,
        key="channels_moved",
        today=lambda context: 0 if _most(context) else None,
        needs=("the number of current channels (SMF 115 subtype 231)",),
        values=lambda context, _: round_values(9, _most(context)),
        cost=_cost,
        alternatives=_newer_release,
        is_structural=_is_structural,
        text=_text,
        typed=lambda channels: TypedAmount.of(TypedKind.channels, int(channels)),
        ways_out="another queue manager is needed; fewer tasks and smaller messages take less",
        side_effects="storage of a channel as learnt here, else as MP16 measured it; which "
        "channels, and of what kind, is to be chosen",
    ).settable()
)
