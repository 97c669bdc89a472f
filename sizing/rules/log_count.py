"""Number of active logs needed to keep recent data in them and to outlast archiving.

They must hold three checkpoints' worth of data, ideally a day's, and a log must be archived
before the queue manager reuses it.
"""

import math
from typing import Annotated, ClassVar, Final

from pydantic import Field

from mqcap.domain.finding import Change, Effect, Severity
from mqcap.domain.numbers import duration, figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.domain.unit_cost import UnitCostKind
from mqcap.domain.units import (
    HOURS_PER_DAY,
    MINUTES_PER_HOUR,
    SECONDS_PER_DAY,
    SECONDS_PER_MINUTE,
    Amount,
    Positive,
)
from sizing.log_space import (
    LOG_CAP_ALLOCATED_MIB,
    LOGS_MAX,
    LOGS_RECOMMENDED,
    ActiveLogs,
    DayMean,
    Dual,
    LogCount,
    LogSize,
    PeakRate,
    add_logs,
    logs_holding,
)
from sizing.rulebook.assessment import LONGEST_H, Falling, Inputs, Lasting, at_most
from sizing.rulebook.input_sources import FromEstate, FromLearnt, FromMetric, Over
from sizing.rulebook.registry import form_of, rule
from sizing.sources import mp16

COUNT: Final = mp16("How many active log data sets do you need?")
CHECKPOINT_LOGS: Final = 3
"""Logs that keep three checkpoints of data when each log switch takes one; same section."""
APPROACHING_RATIO: Final = 0.8
"""Ours: archive time as a share of fill time that counts as approaching it."""
OUTAGE_MIN: Final = 720
LONGEST_MIN: Final = LONGEST_H * MINUTES_PER_HOUR
"""Ours: the archive outage that advice sizes for, the lower figure of LOG-RUNWAY-12H."""


class LogCountMin(Falling):
    """Fewer logs than recommended; fewer than three lose the third checkpoint."""

    keeps_three_checkpoints: bool


@rule(
    "LOG-COUNT-MIN",
    "Number of active logs",
    COUNT,
    ResourceKind.active_log,
    breach_severity=Severity.watch,
    graded=False,
    superseded_by="LOG-RUNWAY-12H",
    amounts=(TypedKind.more_data_sets,),
)
def log_count_min(
    active_logs: LogCount,
    log_size_mib: Annotated[Positive | None, FromEstate("active_log_size_mib")] = None,
    dual_logging: Dual = None,
) -> LogCountMin:
    """At least four are recommended; exactly four is enough."""
    configured = ActiveLogs(log_size_mib or LOG_CAP_ALLOCATED_MIB, active_logs)
    priced = ActiveLogs(configured.size_mib, active_logs, dual_logging)
    gain = "three checkpoints of data then stay in active logs"
    return LogCountMin(
        observed=active_logs,
        limit=LOGS_RECOMMENDED,
        unit="logs",
        advice="Nothing to change: there are enough logs.",
        keeps_three_checkpoints=active_logs >= CHECKPOINT_LOGS,
        arithmetic=f"{active_logs} logs; {LOGS_RECOMMENDED} recommended, {CHECKPOINT_LOGS} "
        f"keep three checkpoints, 2 is the least and {LOGS_MAX} the most possible",
        caveats="310 needs 8-byte RBA, the default for new queue managers from 9.3.",
    ).past_limit("Define more active logs.", lambda: add_logs(priced, LOGS_RECOMMENDED, gain))


class OverlapInputs(Inputs):
    """Size of a log, the time to archive it (mount included), and the peak rate."""

    log_size_mib: LogSize
    archive_time_min: Annotated[
        Positive,
        FromEstate("archive_minutes", "the times of CSQJ002I and CSQJ139I"),
        FromMetric(
            "log_archive_min", record="CSQJ002I and CSQJ139I of the console log", over=Over.usual
        ),
    ]
    log_rate_mib_per_s: PeakRate
    active_logs: Annotated[int | None, Field(ge=2, le=LOGS_MAX), FromEstate("active_logs")] = None
    dual_logging: Dual = None
    archive_mib_per_s: Annotated[Positive | None, FromLearnt(UnitCostKind.archive_mib_per_s)] = None

    @property
    def archiving(self) -> tuple[float, str]:
        """MiB/s at which full logs are archived, and what says so."""
        if self.archive_mib_per_s is not None:
            return self.archive_mib_per_s, "learnt from the console"
        rate = self.log_size_mib / (self.archive_time_min * SECONDS_PER_MINUTE)
        return rate, "size / archive time"


class Overlap(Lasting):
    """Minutes to fill a log against those to archive one; equal is a breach."""

    strict: ClassVar[bool] = False

    fill_time_min: float | None
    survivable_outage_min: float | None
    """Archive outage that all logs bridge at peak; ``None`` when logs or load are unknown."""


@rule(
    "LOG-COUNT-OVERLAP",
    "Archiving keeps up with the peak",
    COUNT,
    ResourceKind.active_log,
    watches="log_rate_mib_per_s",
    amounts=(TypedKind.more_data_sets,),
    fault="Archiving does not keep up with the peak",
    longest=LONGEST_MIN,
)
def log_count_overlap(inputs: OverlapInputs) -> Overlap:
    """A log must be archived in less time than it takes to fill one; equal is a breach."""
    size, rate = inputs.log_size_mib, inputs.log_rate_mib_per_s
    archive_min = inputs.archive_time_min
    rate_limit = size / (archive_min * SECONDS_PER_MINUTE)
    fill_min = size / rate / SECONDS_PER_MINUTE if rate else None
    spare = (inputs.active_logs - 1) * fill_min if inputs.active_logs and fill_min else None
    lasts = duration(fill_min * 60) if fill_min else "for ever"
    count, mib, minutes = inputs.active_logs, figure(size), figure(archive_min)
    bridged = f"archive outage bridged = ({count} - 1) x fill time = {duration((spare or 0) * 60)}"
    return Overlap(
        observed=at_most(fill_min, LONGEST_MIN, archive_min),
        limit=archive_min,
        unit="min",
        series_limit=rate_limit,
        summary=f"at peak a log lasts {lasts} and takes {minutes} min to archive.",
        advice=_overlap_advice(rate, rate_limit),
        fill_time_min=fill_min,
        survivable_outage_min=spare,
        arithmetic=(
            f"rate at {minutes} min = {mib} MiB / {minutes} min = {figure(rate_limit)} MiB/s",
            f"fill time = {mib} MiB / {figure(rate)} MiB/s = {lasts}",
            *((bridged,) if spare else ()),
            *_drained(inputs),
        ),
        changes=_overlap_changes(inputs, fill_min) if rate >= rate_limit and fill_min else (),
        caveats="Larger logs take longer to archive in proportion, so they do not help here.",
    )


def _drained(inputs: OverlapInputs) -> tuple[str, ...]:
    """Return the time to archive what full active logs hold, at peak; none without their number."""
    if not inputs.active_logs:
        return ()
    archived, source = inputs.archiving
    full = (inputs.active_logs - 1) * inputs.log_size_mib
    left = archived - inputs.log_rate_mib_per_s
    result = duration(full / left) if left > 0 else "never, at peak"
    line = (
        f"full logs are archived in ({inputs.active_logs} - 1) x {figure(inputs.log_size_mib)} "
        f"MiB / ({figure(archived)} MiB/s, {source}, - {figure(inputs.log_rate_mib_per_s)} "
        f"MiB/s) = {result}"
    )
    return (line,)


@form_of("LOG-COUNT-OVERLAP")
def overlap_of_times(fill_time_min: Positive, archive_time_min: Positive) -> dict[str, bool]:
    """Add logs once the archive time approaches the fill time (0.8, ours)."""
    ratio = archive_time_min / fill_time_min
    return {"add_logs": ratio >= APPROACHING_RATIO, "breach": ratio >= 1}


@form_of("LOG-COUNT-OVERLAP")
def logs_for_outage(fill_time_min: Positive, outage_min: Amount) -> dict[str, int]:
    """Logs that bridge an archive outage: its fills, and the one in use."""
    return {"active_logs": math.ceil(outage_min / fill_time_min) + 1}


def _overlap_advice(rate: float, limit: float) -> str:
    if rate < APPROACHING_RATIO * limit:
        return "Nothing to change: a log is archived well before the next one is full."
    if rate < limit:
        return "Archive time approaches fill time: add logs, or archive faster."
    return (
        "Archive faster (striped or faster volumes, no tape mounts, zHPF); more logs only bridge "
        "the peak while archiving falls behind."
    )


def _overlap_changes(inputs: OverlapInputs, fill_min: float) -> tuple[Change, ...]:
    target = math.floor(APPROACHING_RATIO * fill_min * 60)
    faster = Change(
        action=f"Bring the time to archive one log below {duration(max(target, 1))} "
        f"(now {figure(inputs.archive_time_min)} min)."
    )
    logs = min(math.ceil(OUTAGE_MIN / fill_min) + 1, LOGS_MAX)
    if inputs.active_logs is not None and logs <= inputs.active_logs:
        return (faster,)
    configured = ActiveLogs(inputs.log_size_mib, inputs.active_logs, inputs.dual_logging)
    gain = f"they bridge {duration((logs - 1) * fill_min * 60)} without archiving at peak"
    return faster, add_logs(configured, logs, gain, Effect.relief)


class DayInputs(Inputs):
    """The active logs as configured and the mean rate of the fullest day."""

    log_size_mib: LogSize
    active_logs: LogCount
    day_mean_mib_per_s: DayMean
    dual_logging: Dual = None


class DayActive(Lasting):
    """Hours of the fullest day's log that all active logs but the one in use keep."""

    logged_mib_per_day: float
    logs_needed: int


@rule(
    "LOG-DAY-ACTIVE",
    "A day of log in active logs",
    mp16("How to minimize recovery time"),
    ResourceKind.active_log,
    watches="day_mean_mib_per_s",
    breach_severity=Severity.watch,
    superseded_by="LOG-RUNWAY-12H",
    longest=LONGEST_H,
    amounts=(TypedKind.cylinders, TypedKind.more_data_sets, TypedKind.queue_managers),
    fault="Less than a day of log in active logs",
)
def log_day_active(inputs: DayInputs) -> DayActive:
    """A day's log should fit in the logs that are not in use; exactly a day is enough."""
    size = inputs.log_size_mib
    daily = inputs.day_mean_mib_per_s * SECONDS_PER_DAY
    capacity = (inputs.active_logs - 1) * size
    limit = capacity / SECONDS_PER_DAY
    hours = min(HOURS_PER_DAY * capacity / daily, LONGEST_H) if daily else LONGEST_H
    seconds, logged, kept = figure(SECONDS_PER_DAY), figure(daily), figure(capacity)
    covered = f"{figure(round(hours, 1))} h" if hours < LONGEST_H else f"{LONGEST_H} h or more"
    return DayActive(
        observed=hours,
        limit=HOURS_PER_DAY,
        unit="h",
        series_limit=limit,
        summary=f"{covered} of {HOURS_PER_DAY} h: {logged} MiB are logged on the fullest day; "
        f"active logs keep {kept} MiB besides the one in use.",
        advice="Nothing to change: recovery of a day reads active logs only.",
        logged_mib_per_day=daily,
        logs_needed=math.ceil(daily / size) + 1,
        arithmetic=(
            f"a day = {figure(inputs.day_mean_mib_per_s)} MiB/s x {seconds} s = {logged} MiB",
            f"capacity = ({inputs.active_logs} - 1) x {figure(size)} MiB = {kept} MiB",
            f"rate of a day = {kept} MiB / {seconds} s = {figure(limit)} MiB/s",
            f"kept = {HOURS_PER_DAY} h x {kept} / {logged} MiB = {covered}",
        ),
        caveats="Recommended, not mandatory.",
    ).past_limit(
        "Define more or larger active logs, or accept that recovery reads archives, at "
        "60 MB/s against 370 MB/s.",
        lambda: _day_changes(inputs, daily),
        also_near=False,
    )


def _day_changes(inputs: DayInputs, daily_mib: float) -> tuple[Change, ...]:
    def gain(before: ActiveLogs, after: ActiveLogs) -> str:
        if not after.logs or after.logs == before.logs:
            return "the largest that a log can be"
        kept = (after.logs - 1) * after.size_mib / daily_mib
        return f"{duration(kept * SECONDS_PER_DAY)} of log then stay in active logs"

    return logs_holding(
        ActiveLogs(inputs.log_size_mib, inputs.active_logs, inputs.dual_logging),
        daily_mib,
        "a day of log then stays in active logs",
        gain,
    )
