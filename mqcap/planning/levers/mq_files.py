"""Log files of a distributed queue manager, and the file systems of its log and of its data.

Of log files a plan changes LogPrimaryFiles, so that both limits rise: secondary files help only
against the end of the log, at the same cost. The size of a file is fixed when the queue manager is
created. Where the file system of the log has no room for the files, it grows first: by this plan,
or by its own where it needs one anyhow, which counts the files. Sizes of file systems are not in
every input, so a plan states the new one in per cent of that of today.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any, Final, NamedTuple

from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.subject import Subject
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from mqcap.operands.declared import SETTINGS
from mqcap.planning.context import PlanContext, RuleOfSubject, State
from mqcap.planning.evaluation import breaks, facts_with
from mqcap.planning.settable import Settable, counted_text, register
from mqcap.planning.single_setting import (
    SIZES_PCT,
    TODAY_PCT,
    Number,
    SingleSetting,
    amount,
    measured_count,
    several_today,
)
from mqcap.whatif.distributed import (
    FILE_PAGES,
    LOG_FILE_SYSTEM,
    LOG_FILES_MAX,
    PRIMARY,
    SECONDARY,
    log_room,
)
from sizing.rulebook.registry import all_rules


class NeededSize(NamedTuple):
    """What the file system of the log needs for other log files."""

    size_pct: int | None
    """The smallest size that keeps its rules, in per cent of that of today; ``None``: none does."""
    rule_ids: tuple[str, ...]
    """Rules that fail with the size of today; empty where it is enough."""


def has_plan_of_its_own(context: PlanContext) -> bool:
    """Return whether a rule of the file system of the log is Watch or Act without other files."""
    return any(
        verdict.finding.severity.is_urgent
        for verdict in context.others
        if (rule := all_rules()[verdict.finding.rule_id]).traits.resource
        is ResourceKind.mq_log_file_system
        and not rule.traits.limit_is_own_past
    )


def needed_size(context: PlanContext, settings: Mapping[str, Any]) -> NeededSize:
    """Return the size with which the file system keeps its rules under settings of the log."""
    subject = context.resource.owner_subject
    pairs = _pairs(context)
    failing = _failing(context, pairs, [{"subject": subject, **settings}])
    if not failing:
        return NeededSize(TODAY_PCT, ())

    def is_enough(size_pct: int) -> bool:
        parts = [{"subject": subject, **settings, LOG_FILE_SYSTEM: size_pct}]
        return not _failing(context, pairs, parts)

    index = bisect_left(SIZES_PCT, True, key=is_enough)
    return NeededSize(SIZES_PCT[index] if index < len(SIZES_PCT) else None, failing)


def _pairs(context: PlanContext) -> tuple[RuleOfSubject, ...]:
    """Return the rules of the file system that a setting can keep."""
    rules = [(all_rules()[each.finding.rule_id], each.finding.subject) for each in context.others]
    return tuple(
        RuleOfSubject(rule, subject)
        for rule, subject in rules
        if rule.traits.resource is ResourceKind.mq_log_file_system
        and not rule.traits.limit_is_own_past
        and not rule.traits.is_event
    )


def _failing(
    context: PlanContext, pairs: Sequence[RuleOfSubject], parts: list[dict[str, Any]]
) -> tuple[str, ...]:
    facts = facts_with(context, parts)
    return tuple(pair.rule.id for pair in pairs if breaks(context, pair, facts))


def _file_system(kind: ResourceKind, key: str, name: str, holds: str, ways_out: str) -> Settable:
    def cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
        subject, hours = context.resource.owner_subject, context.facts.settings.plan.change_hours
        size_mib = _size_mib(context, key)
        if size_mib is None:
            more = f"+{figure(after - before)} % of the {name} file system of "
            manager = unescaped(Subject(subject).name)
            return PlanCost(work_hours=hours, unsized=(f"{more}{manager}",))
        more_mib = ceil(size_mib * (after - before) / TODAY_PCT)
        return PlanCost(work_hours=hours, file_system_mib=more_mib)

    def today(context: PlanContext) -> int | None:
        [used] = SETTINGS[key].in_use
        days = context.facts.observed.days(used, context.resource.owner_subject)
        return TODAY_PCT if days else None

    return register(
        SingleSetting(
            kind=kind,
            key=key,
            today=today,
            needs=(f"the use of the file system that holds {holds}",),
            values=lambda _, before: [size for size in SIZES_PCT if size > before],
            cost=cost,
            counts_on=frozenset(
                {ResourceKind.mq_log} if kind is ResourceKind.mq_log_file_system else ()
            ),
            text=lambda context, _, after: (
                f"Make the file system that holds {holds} {figure(after / TODAY_PCT)} times as "
                f"large as it is{_size_text(context, key, after)}{counted_text(context)}."
            ),
            typed=amount("file_system_pct"),
            ways_out=ways_out,
            side_effects="what else the file system holds is not in the inputs",
        ).settable()
    )


def _size_text(context: PlanContext, key: str, after: Number) -> str:
    """Return both sizes in brackets, where today's is known."""
    size_mib = _size_mib(context, key)
    if size_mib is None:
        return ""
    return f" ({figure(size_mib * after / TODAY_PCT)} MiB instead of {figure(size_mib)})"


def _size_mib(context: PlanContext, key: str) -> float | None:
    """Return the size of today; ``None`` where it is in no input, as that of data always is."""
    if key != LOG_FILE_SYSTEM:
        return None
    return log_room(context.facts, context.resource.owner_subject).size_mib


LOG_FILE_SYSTEM_SIZE: Final = _file_system(
    ResourceKind.mq_log_file_system,
    LOG_FILE_SYSTEM,
    "log",
    "the log",
    "delete or archive extents that are not needed any more, and record media images more often",
)
DATA_FILE_SYSTEM: Final = _file_system(
    ResourceKind.mq_data_file_system,
    "data_file_system_size_pct",
    "data",
    "queues and other data",
    "empty the queues that fill it, or move queues to another queue manager",
)


_UNKNOWN: Final = "whether the file system of the log has the room is not known without"
PRIMARY_FILES_MAX: Final = SETTINGS[PRIMARY].highest


def _today(context: PlanContext) -> int | None:
    """Return the primary files; ``None`` where the secondary files are not known either."""
    state = several_today(context, (PRIMARY, SECONDARY))
    return None if state is None or len(state) < 2 else int(state[PRIMARY])


def _values(context: PlanContext, today: Number) -> Sequence[Number]:
    secondary = measured_count(context, SETTINGS[SECONDARY].measured) or 0
    most = min(PRIMARY_FILES_MAX, LOG_FILES_MAX - secondary)
    return range(round(today) + 1, most + 1)


def _cost(context: PlanContext, before: Number, after: Number) -> PlanCost:
    return PlanCost(
        queue_manager_restarts=1,
        work_hours=context.facts.settings.plan.change_hours,
        file_system_mib=ceil(_more_mib(context, before, after)),
    )


def _more_mib(context: PlanContext, before: Number, after: Number) -> float:
    """Return the size of further files; 0 where that of one file is not known."""
    days = context.facts.observed.days(FILE_PAGES, context.resource.owner_subject)
    return (after - before) * days[-1].peak * PAGE_BYTES / MIB_BYTES if days else 0.0


def _text(context: PlanContext, before: Number, after: Number) -> str:
    mib = _more_mib(context, before, after)
    more = f", {figure(mib)} MiB more" if mib else ""
    return f"Have {figure(after)} primary log files instead of {figure(before)}{more}."


_FILES: Final = SingleSetting(
    kind=ResourceKind.mq_log,
    key=PRIMARY,
    today=_today,
    needs=("LogPrimaryFiles and LogSecondaryFiles (qm.ini, or DISPLAY QMSTATUS)",),
    values=_values,
    cost=_cost,
    text=_text,
    typed=amount("log_primary_files"),
    ways_out="shorten units of work, or create the queue manager again with larger log files "
    "(LogFilePages)",
).settable()


def _changes(context: PlanContext, before: State, after: State) -> tuple[PlanChange, ...]:
    """Return the files, and before them the file system where it has no room for them."""
    grown, effects = _room(context, before, after)
    files = _FILES.changes(context, before, after)
    return (*grown, *(each.model_copy(update={"side_effects": effects}) for each in files))


def _room(context: PlanContext, before: State, after: State) -> tuple[tuple[PlanChange, ...], str]:
    """Return the growth of the file system that comes first, and what is known of its room."""
    if after == before:
        return (), ""
    room = log_room(context.facts, context.resource.owner_subject)
    known = {
        "its size (published metrics, LOGFSSZ of QMSTATUS, or log_file_system_mib of the estate)":
        room.size_mib,
        "LogFilePages (qm.ini)": room.file_mib,
        "its use": room.used_metric,
    }  # fmt: skip
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
        tuple(each.model_copy(update={"decided_by": failing}) for each in grown),
        "the file system of the log grows first: it has no room for these files",
    )


_FIXED: Final = {
    "LNX-LOGEXTENT-10S": "more files do not make one larger: LogFilePages is fixed when the queue "
    "manager is created (crtmqm), so create it again with larger ones, or spread persistent "
    "messages over more queue managers",
}
MQ_LOG: Final = register(
    replace(_FILES, each_change=_changes, follows=frozenset({LOG_FILE_SYSTEM}), fixed=_FIXED)
)
