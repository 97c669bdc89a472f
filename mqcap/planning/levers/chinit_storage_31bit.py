"""31-bit storage of a channel initiator: SHARECNV(0), MQ 9.4, then channels that move.

The storage itself is what the system's common areas leave; what can change is what runs in it.
Channels move by definition, with one change of the clients' connection (CCDT or VIPA). What MQ 9.4
saves depends on the size of messages, read here from the storage of a channel by MP16's table.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from itertools import combinations
from typing import Final

from mqcap.domain.attribution import PartKind
from mqcap.domain.metric import Statistic, series_id
from mqcap.domain.numbers import counted, figure, percent, quantity
from mqcap.domain.plan import PlanChange, PlanCost, PlanVariant
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import KIB_BYTES
from mqcap.lake.location import open_lake
from mqcap.lake.readers import part_days
from mqcap.planning.context import Grids, PlanContext, State, Value
from mqcap.planning.settable import Moves, counted_text, register, round_values
from mqcap.presentation.dates import short_day
from mqcap.whatif.channels import COUNTS, MOVED
from mqcap.whatif.learnt_costs import todays_channel
from sizing.mq_release import has_buffers_below_the_bar, newer_release
from sizing.rulebook.registry import get

SHARECNV: Final = "sharecnv"
SHARED_FROM: Final = 1
"""SHARECNV that is asked for: with more conversations on a channel SHARECNV(0) costs more."""
LEVEL: Final = "mq_level"
_LEVELS: Final = ("pre-9.4", "9.4")
_SAVES_MIN_KIB: Final = 20
"""Least storage of a channel that SHARECNV(0), or MQ 9.4, saves to be an option (ours)."""
_SIZES_KB: Final = (64, 32, 16, 8, 4, 2, 1)
"""Sizes of messages that are looked at, the largest first (ours)."""
_DAYS: Final = 7
_LARGEST: Final = 8
"""Definitions that are combined, the largest ones (ours)."""
_CLIENTS: Final = (
    "its clients have SHARECNV(1) and share no connection (DISPLAY CHANNEL SHARECNV, CHSTATUS "
    "CURSHCNV)"
)


def _most(context: PlanContext) -> float:
    """Return the most current channels of the window; 0 when they are not measured."""
    return context.facts.observed.highest(COUNTS[0], context.subject, Statistic.peak)


def _today(context: PlanContext) -> State | None:
    if not _most(context):
        return None
    own = todays_channel(context.facts, context.subject, "31bit")
    without, kib = _kib(_LEVELS[0], 0, 1), own.kib if own is not None else 0.0
    size = _message_kb(kib)
    state: dict[str, Value] = {}
    if kib - without >= _SAVES_MIN_KIB:
        state[SHARECNV] = SHARED_FROM
    if (
        has_buffers_below_the_bar(context.text_input_of("mq_version"))
        and size is not None
        and _kib(_LEVELS[0], SHARED_FROM, size) - _kib(_LEVELS[1], SHARED_FROM, size)
        >= _SAVES_MIN_KIB
    ):
        state[LEVEL] = _LEVELS[0]
    return {**state, MOVED: 0}


def _kib(level: str, sharecnv: int, message_kb: int) -> float:
    """Return the 31-bit storage of a client channel (CHI-SVRCONN-31)."""
    figures = get("CHI-SVRCONN-31").answer(
        {"mq_level": level, "sharecnv": sharecnv, "message_kb": message_kb}
    )
    return float(figures["kb_per_channel"])


def _message_kb(kib: float) -> int | None:
    """Return the largest size of messages for which a channel takes no more before 9.4."""
    return next((kb for kb in _SIZES_KB if _kib(_LEVELS[0], SHARED_FROM, kb) <= kib), None)


def _grids(context: PlanContext, today: State) -> Grids:
    dearer = _dearer(context)
    definitions = [number for number in _definitions(context) if number not in dearer]
    moved = [0, *(definitions or round_values(9, _most(context)))]
    grids: Grids = {SHARECNV: [SHARED_FROM, 0], LEVEL: _LEVELS, MOVED: moved}
    return {key: values for key, values in grids.items() if key in today}


def _definitions(context: PlanContext) -> Mapping[int, tuple[str, ...]]:
    """Return the definitions that can move together, by their connections at the busiest time.

    Empty where the records of the last days do not name channels.
    """
    facts, subject = context.facts, context.subject
    last, lake = facts.observed.last, facts.settings.lake
    return facts.once(
        ("channel definitions", subject, last), lambda: _named(lake, subject, last, _most(context))
    )


def _named(lake: str, subject: str, last: date, most: float) -> dict[int, tuple[str, ...]]:
    first = last - timedelta(days=_DAYS - 1)
    totals = defaultdict[str, float](float)
    whole = 0.0
    for day in part_days(open_lake(lake), COUNTS[0], subject, first, last):
        if day.kind == PartKind.whole:
            whole += day.value * day.covered_seconds
        elif day.breakdown == day.kind == PartKind.channel:
            totals[day.part] += day.value * day.covered_seconds
    if not whole or sum(totals.values()) < whole / 2:
        return {}
    connections = {name: total * most / whole for name, total in totals.items()}
    largest = sorted(connections, key=lambda name: -connections[name])[:_LARGEST]
    found: dict[int, tuple[str, ...]] = {}
    for count in range(1, len(largest) + 1):
        for names in combinations(largest, count):
            found.setdefault(int(sum(connections[name] for name in names)), names)
    return {number: found[number] for number in sorted(found) if 0 < number <= most}


def _dearer(context: PlanContext) -> list[int]:
    """Return the connections of definitions that fewer definitions have more of."""
    found = _definitions(context)
    return [
        number
        for number, names in found.items()
        if any(more > number and len(others) < len(names) for more, others in found.items())
    ]


def _cost(context: PlanContext, today: State, after: State) -> PlanCost:
    plan, moved = context.facts.settings.plan, int(after[MOVED])
    changed = [key for key in today if after[key] != today[key]]
    names = _definitions(context).get(moved, ("",)) if moved else ()
    releases = changed.count(LEVEL)
    hours = len(changed) * plan.change_hours + len(names) * plan.definition_hours
    return PlanCost(
        queue_manager_restarts=releases, work_hours=round(hours + releases * plan.release_hours, 2)
    )


def _changes(context: PlanContext, today: State, after: State) -> Iterator[PlanChange]:
    subject, most, moved = context.subject, _most(context), int(after[MOVED])
    shared, level = after.get(SHARECNV, SHARED_FROM), after.get(LEVEL)
    is_newer = level is not None and level != today[LEVEL]
    parts: dict[str, Value] = {
        "sharecnv_from": SHARED_FROM,
        SHARECNV: shared,
        "client_conversations": max(_rounded(most - moved), 1),
        "message_bytes": KIB_BYTES * (_size(context) if is_newer else 1),
    }
    if is_newer:
        kb = _size(context)
        before, then = (_kib(level, int(shared), kb) for level in _LEVELS)
        yield PlanChange(
            subject=subject,
            text=f"Move the queue manager to MQ 9.4: a client channel then takes {figure(then)} KB "
            f"instead of {figure(before)}, with messages of {kb} KB{counted_text(context)}.",
            typed="MQ 9.4",
            settings={**parts, f"{LEVEL}_from": _LEVELS[0], LEVEL: _LEVELS[1]},
            before={LEVEL: _LEVELS[0]},
            side_effects="MEMLIMIT of 2G at least for the channel initiator, which keeps their "
            "buffers above the bar; message channels stay below it",
        )
    if shared != SHARED_FROM:
        yield PlanChange(
            subject=subject,
            text=f"Set SHARECNV(0) for its client channels instead of 1{counted_text(context)}.",
            typed="SHARECNV(0)",
            settings={} if is_newer else parts,
            before={SHARECNV: SHARED_FROM},
            side_effects="no heartbeats and no read-ahead or asynchronous consumption for these "
            "clients; counts as they connect again",
        )
    if moved:
        names = _definitions(context).get(moved, ())
        share = percent(moved / most)
        which = f"{figure(moved)} of the {quantity(most, 'channels')} of today ({share})"
        what = f"{' and '.join(names)}, about {which}," if names else which
        leaving = _leaving(context, moved)
        growth = f": {figure(leaving[0])} by {short_day(leaving[1])}" if leaving is not None else ""
        yield PlanChange(
            subject=subject,
            text=f"Move {what} to another queue manager, by one change of the clients' CCDT or "
            f"VIPA; they take their growth along{growth}{counted_text(context)}.",
            typed=" and ".join(names) or counted(moved, "channel"),
            settings={MOVED: moved},
            before={MOVED: 0},
            side_effects="storage of a channel as learnt here, else as MP16 measured it",
        )


def _rounded(number: float) -> int:
    """Return a number cut to two significant digits, so that it does not change every night."""
    values = round_values(0, number)
    return max((value for value in values[:-1] if value <= number), default=int(number))


def _leaving(context: PlanContext, moved: float) -> tuple[int, date] | None:
    """Return how many channels leave with their growth, in the share that ``moved`` are, and when.

    Counted on the day up to the horizon on which most are expected, as those of today are the most
    of the window: the horizon itself may be a weekend. ``None`` where none is forecast.
    """
    key = (series_id(COUNTS[0], context.subject), Statistic.peak)
    forecast = context.facts.forecasts.get(key)
    days = forecast.every_day if forecast is not None and forecast.refusal is None else ()
    ahead = [day for day in days if day.site_date <= context.horizon_date]
    point = max(ahead, key=lambda point: point.expected, default=None)
    if point is None:
        return None
    ratio = moved / _most(context)
    return round(point.expected * ratio), point.site_date


def _most_leaving(context: PlanContext, moved: int) -> int:
    leaving = _leaving(context, moved)
    return max(moved, leaving[0]) if leaving is not None else max(moved, 0)


def _size(context: PlanContext) -> int:
    """Return the size of messages by the storage of a channel; 1 KB where it is not known."""
    own = todays_channel(context.facts, context.subject, "31bit")
    return (_message_kb(own.kib) if own is not None else None) or 1


def _condition(context: PlanContext, state: State) -> str:
    if state.get(LEVEL, _LEVELS[0]) != _LEVELS[0]:
        return (
            f"its channels are of clients with SHARECNV(1) and messages of about {_size(context)} "
            "KB, as the storage of one says (DISPLAY CHANNEL SHARECNV)"
        )
    return _CLIENTS if state.get(SHARECNV, SHARED_FROM) != SHARED_FROM else ""


def _newer_release(context: PlanContext, _: State) -> tuple[PlanVariant, ...]:
    """Return the move to 9.4 where its effect is not a setting of the search."""
    if LEVEL in (_today(context) or {}):
        return ()
    changes = (
        PlanChange(
            subject=context.subject,
            text=change.action,
            typed="MQ 9.4",
            settings={},
            side_effects=change.side_effects.rstrip("."),
        )
        for change in newer_release(context.text_input_of("mq_version"))
    )
    return tuple(PlanVariant(changes=(change,)) for change in changes)


_OF_TASKS: Final = frozenset({ResourceKind.chinit_adapters, ResourceKind.chinit_tasks})
_OF_CHANNELS: Final = frozenset(
    {
        ResourceKind.chinit_storage_31bit,
        ResourceKind.chinit_storage_64bit,
        ResourceKind.chinit_channels,
    }
)
"""Resources that channels take."""
CHINIT_STORAGE_31BIT: Final = register(
    kind=ResourceKind.chinit_storage_31bit,
    today=_today,
    needs=("the number of current channels (SMF 115 subtype 231)",),
    grids=_grids,
    cost=_cost,
    each_change=_changes,
    choices=(SHARECNV, LEVEL),
    dearer=_dearer,
    condition=_condition,
    follows=frozenset({"sharecnv_from", "client_conversations", "message_bytes", f"{LEVEL}_from"}),
    stays_in_losses=frozenset({MOVED, LEVEL}),
    set_once=frozenset({SHARECNV}),
    counts_on=_OF_TASKS,
    moves=Moves(MOVED, "channels", _OF_CHANNELS, _OF_CHANNELS | _OF_TASKS, _most_leaving),
    alternatives=_newer_release,
    ways_out="another queue manager is needed; fewer tasks and smaller messages take less",
)
