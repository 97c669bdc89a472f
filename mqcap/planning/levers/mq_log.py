"""Log files of a distributed queue manager: LogPrimaryFiles, so that both limits rise.

Secondary files help only against the end of the log, at the same cost, so a plan leaves their
number as it is. The size of a file is fixed when the queue manager is created. Where the file
system of the log has no room for the files, it grows first: by this plan, or by its own where it
needs one anyhow, which counts the files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Final

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.plan import PlanChange, PlanCost
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES
from mqcap.planning.context import PlanContext, State
from mqcap.planning.levers.mq_file_systems import LOG_FILE_SYSTEM_SIZE
from mqcap.planning.log_room import TODAY_PCT, has_plan_of_its_own, needed_size
from mqcap.planning.settable import register
from mqcap.planning.single_setting import Number, SingleSetting, amount, measured_count
from mqcap.whatif.distributed import (
    FILE_PAGES,
    LOG_COUNTS,
    LOG_FILE_SYSTEM,
    LOG_FILES_MAX,
    PRIMARY,
    SECONDARY,
    log_room,
)
from sizing.operands import highest

_UNKNOWN: Final = "whether the file system of the log has the room is not known without"
PRIMARY_FILES_MAX: Final = highest(SubjectKind.distributed_queue_manager, PRIMARY)


def _today(context: PlanContext) -> int | None:
    """Return the primary files; ``None`` where the secondary files are not known either."""
    secondary = measured_count(context, LOG_COUNTS[SECONDARY])
    return None if secondary is None else measured_count(context, LOG_COUNTS[PRIMARY])


def _values(context: PlanContext, today: Number) -> Sequence[Number]:
    secondary = measured_count(context, LOG_COUNTS[SECONDARY]) or 0
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
    typed=amount(TypedKind.log_primary_files),
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
    replace(_FILES, changes=_changes, follows=frozenset({LOG_FILE_SYSTEM}), fixed=_FIXED)
)
