"""Log files of a distributed queue manager, and the file systems of its log and of its data.

Of log files a plan changes LogPrimaryFiles, so that both limits rise: secondary files help only
against the end of the log, at the same cost. The size of a file is fixed when the queue manager is
created. Where the file system of the log has no room for the files, it grows first: by this plan,
or by its own where it needs one anyhow, which counts the files. Sizes of file systems are not in
every input, so a plan states the new one in per cent of that of today.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import ceil
from typing import Any, Final, NamedTuple

from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.finding import Finding
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanChange
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from mqcap.operands.declared import SETTINGS
from mqcap.planning.context import PlanContext, RuleOfSubject, State
from mqcap.planning.evaluation import breaks, facts_with
from mqcap.planning.settable import (
    SIZES_PCT,
    TODAY_PCT,
    Number,
    Settable,
    counted_text,
    measured_count,
    operand,
    register,
)
from mqcap.whatif.sizes import (
    FILE_PAGES,
    LOG_FILE_SYSTEM,
    LOG_FILES_MAX,
    PRIMARY,
    SECONDARY,
    log_room,
)
from sizing.rulebook.entry import Rule
from sizing.rulebook.registry import all_rules


class NeededSize(NamedTuple):
    """What the file system of the log needs for other log files."""

    size_pct: int | None
    """The smallest size that keeps its rules, in per cent of that of today; ``None``: none does."""
    rule_ids: tuple[str, ...]
    """Rules that fail with the size of today; empty where it is enough."""


def has_plan_of_its_own(context: PlanContext) -> bool:
    """Return whether a rule of the file system of the log is Watch or Act without other files."""
    return any(finding.severity.is_urgent for _, finding in _of_file_system(context))


def _of_file_system(context: PlanContext) -> Iterator[tuple[Rule, Finding]]:
    for finding in (verdict.finding for verdict in context.others):
        traits = (rule := all_rules()[finding.rule_id]).traits
        if traits.resource is ResourceKind.mq_log_file_system and not traits.limit_is_own_past:
            yield rule, finding


def needed_size(context: PlanContext, settings: Mapping[str, Any]) -> NeededSize:
    """Return the size with which the file system keeps its rules under settings of the log."""
    pairs = [
        RuleOfSubject(rule, finding.subject)
        for rule, finding in _of_file_system(context)
        if not rule.traits.is_event
    ]

    def failing(**size: int) -> tuple[str, ...]:
        facts = facts_with(context, [{"subject": context.owner_subject, **settings, **size}])
        return tuple(pair.rule.id for pair in pairs if breaks(context, pair, facts))

    of_today = failing()
    if not of_today:
        return NeededSize(TODAY_PCT, ())
    index = bisect_left(SIZES_PCT, True, key=lambda pct: not failing(**{LOG_FILE_SYSTEM: pct}))
    return NeededSize(SIZES_PCT[index] if index < len(SIZES_PCT) else None, of_today)


def _file_system(
    kind: ResourceKind, key: str, name: str, holds: str, *, ways_out: str, **more: Any
) -> Settable:
    def cost(context: PlanContext, before: Number, after: Number) -> dict[str, Any]:
        size_mib = _size_mib(context, key)
        if size_mib is not None:
            return {"file_system_mib": ceil(size_mib * (after - before) / TODAY_PCT)}
        manager = unescaped(context.owner_subject.name)
        return {"unsized": (f"+{figure(after - before)} % of the {name} file system of {manager}",)}

    [used] = SETTINGS[key].in_use

    def text(context: PlanContext, _: Number, after: Number) -> str:
        size_mib, times = _size_mib(context, key), after / TODAY_PCT
        sizes = ""
        if size_mib is not None:
            sizes = f" ({figure(size_mib * times)} MiB instead of {figure(size_mib)})"
        return (
            f"Make the file system that holds {holds} {figure(times)} times as large as it "
            f"is{sizes}{counted_text(context)}."
        )

    return register(
        operand(
            key,
            today=lambda context: TODAY_PCT if context.is_measured(used) else None,
            values=lambda *_: SIZES_PCT,
            cost=cost,
            text=text,
            typed=lambda pct: TypedAmount.of("file_system_pct", ceil(pct)).text,
            side_effects="what else the file system holds is not in the inputs",
        ),
        kind=kind,
        needs=(f"the use of the file system that holds {holds}",),
        ways_out=ways_out,
        **more,
    )


def _size_mib(context: PlanContext, key: str) -> float | None:
    """Return the size of today; ``None`` where it is in no input, as that of data always is."""
    if key != LOG_FILE_SYSTEM:
        return None
    return log_room(context.facts, context.owner_subject).size_mib


LOG_FILE_SYSTEM_SIZE: Final = _file_system(
    ResourceKind.mq_log_file_system,
    LOG_FILE_SYSTEM,
    "log",
    "the log",
    ways_out="delete or archive extents that are not needed any more, and record media images "
    "more often",
    counts_on=frozenset({ResourceKind.mq_log}),
)
DATA_FILE_SYSTEM: Final = _file_system(
    ResourceKind.mq_data_file_system,
    "data_file_system_size_pct",
    "data",
    "queues and other data",
    ways_out="empty the queues that fill it, or move queues to another queue manager",
)


_UNKNOWN: Final = "whether the file system of the log has the room is not known without"


def _files(context: PlanContext, today: Number) -> range:
    most = min(SETTINGS[PRIMARY].highest, LOG_FILES_MAX - (measured_count(context, SECONDARY) or 0))
    return range(round(today) + 1, most + 1)


def _more_mib(context: PlanContext, before: Number, after: Number) -> float:
    """Return the size of further files; 0 where that of one file is not known."""
    days = context.facts.observed.days(FILE_PAGES, context.owner_subject)
    return (after - before) * days[-1].peak * PAGE_BYTES / MIB_BYTES if days else 0.0


def _files_text(context: PlanContext, before: Number, after: Number) -> str:
    mib = _more_mib(context, before, after)
    more = f", {figure(mib)} MiB more" if mib else ""
    return f"Have {figure(after)} primary log files instead of {figure(before)}{more}."


_OPERAND: Final = operand(
    PRIMARY,
    # not known where the secondary files are not known either
    today=lambda context: (
        None if measured_count(context, SECONDARY) is None else measured_count(context, PRIMARY)
    ),
    values=_files,
    cost=lambda *files: {"queue_manager_restarts": 1, "file_system_mib": ceil(_more_mib(*files))},
    text=_files_text,
)


def _changes(context: PlanContext, before: State, after: State) -> Iterator[PlanChange]:
    old, new = int(before[PRIMARY]), int(after[PRIMARY])
    if old != new:
        grown, effects = _room(context, after)
        yield from grown
        yield replace(_OPERAND, side_effects=effects).change(context, context.subject, old, new)


def _room(context: PlanContext, after: State) -> tuple[tuple[PlanChange, ...], str]:
    """Return the growth of the file system that comes first, and what is known of its room."""
    room = log_room(context.facts, context.owner_subject)
    size = "its size (published metrics, LOGFSSZ of QMSTATUS, or log_file_system_mib of the estate)"
    known = {
        size: room.size_mib,
        "LogFilePages (qm.ini)": room.file_mib,
        "its use": room.used_metric,
    }
    missing = [name for name, value in known.items() if value is None]
    if missing:
        return (), f"{_UNKNOWN} {' and '.join(missing)}"
    if has_plan_of_its_own(context):
        return (), "the file system of the log grows first: its own plan counts these files"
    size_pct, failing = needed_size(context, after)
    if size_pct is None:
        return (), (
            "no file system of up to ten times its size has the room for these files: "
            f"{' and '.join(failing)} would fail"
        )
    if size_pct == TODAY_PCT:
        return (), "the file system of the log has the room until the horizon"
    grown = LOG_FILE_SYSTEM_SIZE.changes(
        context, {LOG_FILE_SYSTEM: TODAY_PCT}, {LOG_FILE_SYSTEM: size_pct}
    )
    return (
        tuple(option.model_copy(update={"decided_by": failing}) for option in grown),
        "the file system of the log grows first: it has no room for these files",
    )


MQ_LOG: Final = register(
    _OPERAND,
    kind=ResourceKind.mq_log,
    needs=("LogPrimaryFiles and LogSecondaryFiles (qm.ini, or DISPLAY QMSTATUS)",),
    each_change=_changes,
    follows=frozenset({LOG_FILE_SYSTEM}),
    fixed={
        "LNX-LOGEXTENT-10S": "more files do not make one larger: LogFilePages is fixed when "
        "the queue manager is created (crtmqm), so create it again with larger ones, or spread "
        "persistent messages over more queue managers",
    },
    ways_out="shorten units of work, or create the queue manager again with larger log files "
    "(LogFilePages)",
)
