"""Active logs of a queue manager: size of a data set and number of data sets in each copy.

Sizes are today's and those that are usual: 1 and 2 GiB in cylinders of 3390, and the most cylinders
below the cap of 4 GiB. Larger logs are new data sets; with today's size only further ones are
defined. Numbers end at 310 in a copy (LOG-COUNT-MIN).
"""

import math
from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from mqcap.change_pack.logs import LogChange, cylinders_of, logs_changed
from mqcap.domain.console.states import ARCHIVING_STOPPED, is_full_without_stop, log_outage
from mqcap.domain.numbers import counted, duration, figure
from mqcap.domain.plan import PlanChange, PlanCost, PlanVariant
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.operands.declared import SETTINGS
from mqcap.planning.context import Grids, PlanContext, State
from mqcap.planning.settable import register
from mqcap.presentation.quantities import rounded
from sizing.log_space import LOG_CAP_CYLINDERS, MIB_PER_CYLINDER, RESTART_NOTE, allocated_mib

SIZE: Final = "active_log_size_mib"
LOGS: Final = "active_logs"
COMPRESSION: Final = "log_compression_pct"
_HOUR: Final = timedelta(hours=1)
LOGS_MAX: Final = SETTINGS[LOGS].highest
_OFFLOAD: Final = (
    "look now at the offload task (DISPLAY LOG) and at the space for archives, which free the "
    "active logs: the console says that these were full, and not that archiving had stopped"
)
_SHORTER_PCT: Final = (20, 30, 40, 50)
"""By how much COMPLOG may shorten a log, for which no source has a figure (ours)."""
_USUAL_MIB: Final = (1_024, 2_048)
"""Sizes of a data set that are common beside the two below (ours)."""
_ARCHIVED_AS_ONE: Final = 4_369
"""Most cylinders whose archive data set stays within the 65,535 tracks of a basic one: a larger one
needs a data class with LARGE or EXT, which is counted as two more change requests (ours)."""


def _today(context: PlanContext) -> State | None:
    """Return size and number as configured; 4,095 MiB are the largest log, rounded down.

    ``None`` also where too few hours were measured for LOG-RUNWAY-12H: nothing is sized by them.
    """
    if "busiest_hours" in context.unusable:
        return None
    size, logs = context.input_of("log_size_mib"), context.input_of(LOGS)
    if size is None or logs is None:
        return None
    return {COMPRESSION: 0, SIZE: allocated_mib(size), LOGS: int(logs)}


def _grids(_: PlanContext, today: State) -> Grids:
    size = float(today[SIZE])
    usual = [*map(cylinders_of, _USUAL_MIB), _ARCHIVED_AS_ONE, LOG_CAP_CYLINDERS]
    larger = [  # capacity rounded down to a tenth
        math.floor(count * MIB_PER_CYLINDER * 10) / 10
        for count in usual
        if count > cylinders_of(size)
    ]
    return {
        COMPRESSION: (0, *_SHORTER_PCT),
        SIZE: [size, *larger],
        LOGS: range(int(today[LOGS]), LOGS_MAX + 1),
    }


def _cost(context: PlanContext, today: State, after: State) -> PlanCost:
    plan = context.facts.settings.plan
    hours = plan.change_hours if after.get(COMPRESSION) else 0.0
    if all(after[key] == today[key] for key in (SIZE, LOGS)):
        return PlanCost(work_hours=hours)
    new = _logs(context, today, after)
    cylinders = new.new_cylinders - new.freed_cylinders
    sets = len(new.copies) * new.new
    requests = 3 if new.cylinders > _ARCHIVED_AS_ONE >= new.old_cylinders else 1
    return PlanCost(
        cylinders=cylinders,
        dasd_mib=round(cylinders * MIB_PER_CYLINDER),
        replaced_cylinders=new.freed_cylinders,
        replaced_dasd_mib=round(new.freed_cylinders * MIB_PER_CYLINDER),
        work_hours=hours + requests * plan.change_hours + sets * plan.data_set_hours,
    )


def _changes(context: PlanContext, today: State, after: State) -> Iterator[PlanChange]:
    if pct := after.get(COMPRESSION):
        yield PlanChange(
            subject=context.owner_subject,
            text="Compress the active log: SET LOG COMPLOG(RLE).",
            typed=TypedAmount.of("log_compression").text,
            settings={COMPRESSION: pct},
            before={COMPRESSION: 0},
            side_effects="takes CPU of the queue manager; COMPLOG in CSQ6LOGP keeps it",
        )
    if any(after[key] != today[key] for key in (SIZE, LOGS)):
        yield _other_logs(context, today, after)


def _other_logs(context: PlanContext, today: State, after: State) -> PlanChange:
    new = _logs(context, today, after)
    cylinders, added = new.cylinders, new.new
    amount = TypedAmount.of(TypedKind.more_data_sets, cylinders, added)
    each = "in each of the two copies" if len(new.copies) == 2 else "in the one copy"
    ends = " to ".join(dict.fromkeys((*new.names[:1], *new.names[-1:])))
    names = f" ({ends})" if ends else ""
    had = f"{today[LOGS]} of {figure(float(today[SIZE]))} MiB{names}"
    if new.replaces:
        action = (
            f"Define {counted(added, 'active log')} of CYL({cylinders}) {each} instead of {had}"
        )
        effects = (
            f"{RESTART_NOTE}; the old logs leave the BSDS at the next stop; archives on disk need "
            f"PRIQTY({cylinders}) ALCUNIT(CYL), or a data class, before the first one is archived"
        )
        typed = amount.text
        if cylinders > _ARCHIVED_AS_ONE:
            effects += "; archives are above 65,535 tracks: they need a data class LARGE or EXT"
    else:
        action = (
            f"Define {counted(added, 'more active log')} of CYL({cylinders}) {each}, {after[LOGS]} "
            f"instead of {had}"
        )
        effects = _counted_text(float(after[SIZE]), cylinders)
        typed = f"{amount.text} more"
    notes = ["pre-format the data sets before first use", effects]
    if new.dual_logging is None:
        notes.append("counted with two copies, since dual_logging is not configured")
    changed = [key for key in (SIZE, LOGS) if after[key] != today[key]]
    return PlanChange(
        subject=context.owner_subject,
        text=f"{action}.",
        typed=typed,
        settings={key: after[key] for key in changed},
        before={key: today[key] for key in changed},
        side_effects="; ".join(filter(None, notes)),
    )


def _counted_text(size_mib: float, cylinders: int) -> str:
    """Return that new logs are counted with the size of today's, where they have another."""
    held_mib = cylinders * MIB_PER_CYLINDER
    if figure(held_mib) == figure(size_mib):
        return ""
    return (
        f"each is counted with the {figure(size_mib)} MiB of those of today; CYL({cylinders}) "
        f"holds {figure(held_mib)} MiB"
    )


def _cause(context: PlanContext) -> str:
    """Return what to look at first where logs were full without a stated cause; else empty."""
    observed, owner = context.facts.observed, context.owner_subject
    if is_full_without_stop(owner, observed.states, observed.last):
        return _OFFLOAD
    outage = log_outage(owner, observed.states, observed.last)
    if outage is None:
        return ""
    return (
        f"find out why {ARCHIVING_STOPPED[outage.cause.message_id]} (space, devices, PRIQTY of the "
        "archives), and that archives of this size can be allocated"
    )


def _archive_space(context: PlanContext, state: State) -> tuple[PlanVariant, ...]:
    observed, owner = context.facts.observed, context.owner_subject
    if log_outage(owner, observed.states, observed.last) is None:
        return ()
    cylinders = cylinders_of(float(state[SIZE]))
    change = PlanChange(
        subject=owner,
        text=f"Give archive data sets the space of one log of CYL({cylinders}): SET ARCHIVE.",
        typed=f"PRIQTY({cylinders}) ALCUNIT(CYL)",
        settings={},
        side_effects="counts until the next start; CSQ6ARVP keeps it",
    )
    condition = "archives are on disk and DISPLAY ARCHIVE shows less space"
    effect = "a log is archived in one extent"
    return (PlanVariant(changes=(change,), condition=condition, effect=effect),)


def _notes(context: PlanContext, state: State) -> tuple[str, ...]:
    """Return what logs of a state would have used of the outage of the day; empty without one."""
    observed, owner = context.facts.observed, context.owner_subject
    outage = log_outage(owner, observed.states, observed.last)
    measured = observed.hours.get(("log_growth_mib_per_s", owner))
    if outage is None or measured is None:
        return ()
    begin, end = outage.cause.first_utc, outage.effect.first_utc
    mib = sum(
        rate.mean * max((min(hour + _HOUR, end) - max(hour, begin)).total_seconds(), 0.0)
        for hour, rate in measured.by_hour.items()
    )
    logs = mib / float(state[SIZE])
    used = f"{rounded(logs)} of the {state[LOGS]} logs"
    return (f"The outage logged {rounded(mib)} MiB in {duration(outage.lasted_s)}: {used}",)


def _logs(context: PlanContext, today: State, after: State) -> LogChange:
    owner = context.owner_subject
    manager = context.facts.estate.queue_manager(*owner.names)
    return logs_changed(owner, today, after, manager)


ACTIVE_LOG: Final = register(
    kind=ResourceKind.active_log,
    today=_today,
    needs=("log_size_mib", "active_logs", "dual_logging"),
    grids=_grids,
    cost=_cost,
    each_change=_changes,
    cause=_cause,
    notes=_notes,
    alternatives=_archive_space,
    choices=(SIZE,),
    supposed=frozenset({COMPRESSION}),
    condition=lambda _, state: (
        f"COMPLOG is NONE and a test shows that RLE shortens the log by {pct} %"
        if (pct := state.get(COMPRESSION))
        else ""
    ),
    ways_out="compress the log (COMPLOG), or spread the persistent load over more queue managers",
)
