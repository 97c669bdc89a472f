"""Recovery: how far backups may be apart, how old a unit of work, how often checkpoints come."""

import math
from functools import partial
from typing import Annotated, Final

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.finding import Severity
from mqcap.domain.numbers import duration, figure
from mqcap.domain.resource import HeatColumn, ResourceKind
from mqcap.domain.typed_amount import TypedKind
from mqcap.domain.units import HOURS_PER_DAY, SECONDS_PER_HOUR, Amount, Positive
from sizing.backup_schedule import as_often
from sizing.log_space import GROWTH, GROWTH_RECORD, DayMean, LogSizeMib
from sizing.rulebook.assessment import Assessment, Inputs, Lasting
from sizing.rulebook.entry import only_with
from sizing.rulebook.input_sources import FromEstate, FromHours, FromMetric, FromRulebook
from sizing.rulebook.registry import rule
from sizing.sources import mp16

TARGETS: Final = mp16("Achieving specific recovery targets")

ARCHIVE_READ_MIB_PER_S: Final = 60
"""Default of the examples of MP16, a rate of REPRO from archives (F-08, F-27)."""
BACKWARD_READ_MIB_PER_S: Final = 450
READ_MIN: Final = 29
"""Minutes that restoring leaves of half an hour; both from the structure backup example."""
LOGS_NEEDED_MAX: Final = 2
AGE_MIN_S: Final = 1
"""Ours: a younger unit of work is as good as none."""

BusiestLog = Annotated[BusiestHours | None, FromHours(GROWTH, GROWTH_RECORD)]
BY_HOUR: Final = (
    "The hours are the busiest consecutive ones of the window, up to a week; every record since "
    "the backup is read, whatever page set it is for."
)
BY_DAY: Final = (
    "The lake has no hourly values of this window: every day is taken to be as full as the "
    "fullest, which understates the interval; every record since the backup is read."
)
AT_LEAST_DAILY: Final = (
    "Back up page sets at least daily (MP16), and measure the rate at which the log is read "
    "(log_read_mib_per_s)."
)
DAYS_FROM_H: Final = 72
"""Ours: shorter intervals are read in hours."""
LONGEST_INTERVAL_H: Final = 8_760
"""Ours: intervals of a year or more count as a year."""


class PageSetBackupInputs(Inputs):
    """Log of a day, the time that reading it may take, and how often page sets are backed up."""

    day_mean_mib_per_s: DayMean
    restart_min: Annotated[
        Positive, FromEstate("restart_target_minutes", "the service level for recovery")
    ]
    schedule_hours: Annotated[
        Positive, FromEstate("page_set_backup_hours", "the schedule of the backup jobs")
    ]
    log_read_mib_per_s: Annotated[
        Positive,
        FromEstate("log_read_mib_per_s", "LOG-READ-RATES, or a test"),
        FromRulebook(
            ARCHIVE_READ_MIB_PER_S, f"{TARGETS}, a rate of REPRO", "log_read_mib_per_s", "MiB/s"
        ),
    ] = ARCHIVE_READ_MIB_PER_S
    busiest_hours: BusiestLog = None


class BackupInterval(Lasting):
    """Hours between backups that recovery allows; ``None`` when nothing is logged."""

    backup_interval_h: float | None


_backup_rule: Final = partial(
    rule,
    resource=ResourceKind.recovery,
    watches="day_mean_mib_per_s",
    amounts=(TypedKind.backup_hours, TypedKind.backup_minutes, TypedKind.queue_managers),
    observed_name="allowed",
    limit_name="scheduled",
    longest=LONGEST_INTERVAL_H,
)
"""Recovery allows an interval, and the schedule must not exceed it."""


@_backup_rule(
    "REC-FORMULA-A", "Page set backups often enough", TARGETS, fault="Page set backups too rare"
)
def rec_formula_a(inputs: PageSetBackupInputs) -> BackupInterval:
    """Compare the data logged between two backups with the readable amount; equal is enough."""
    readable = inputs.restart_min * 60 * inputs.log_read_mib_per_s
    line = (
        f"readable = {figure(inputs.restart_min)} min x 60 x "
        f"{figure(inputs.log_read_mib_per_s)} MiB/s = {figure(readable)} MiB"
    )
    if inputs.log_read_mib_per_s != ARCHIVE_READ_MIB_PER_S:
        return _interval(inputs, readable, line, "page sets")
    load = inputs.busiest_hours or BusiestHours.at_rate(inputs.day_mean_mib_per_s)
    needed = math.ceil(load.volume_mib(inputs.schedule_hours) / (inputs.restart_min * 60))
    assumed = (
        f"Assumes {ARCHIVE_READ_MIB_PER_S} MiB/s, a rate of MP16's examples: measure "
        f"log_read_mib_per_s; from {figure(needed)} MiB/s on the schedule suffices."
    )
    found = _interval(inputs, readable, line, "page sets", (assumed,))
    if not found.passes_limit:
        return found
    return found.model_copy(update={"advice": AT_LEAST_DAILY, "changes": ()})


class StructureInputs(Inputs):
    """Log of a day of one member, and how often its structures are backed up."""

    day_mean_mib_per_s: DayMean
    schedule_hours: Annotated[
        Positive, FromEstate("structure_backup_hours", "the schedule of BACKUP CFSTRUCT")
    ]
    qsg: Annotated[str | None, FromEstate("qsg")] = None
    busiest_hours: BusiestLog = None


@_backup_rule(
    "CFB-INTERVAL",
    "Structure backups often enough",
    mp16("Backup frequency example calculation"),
    applies=only_with("qsg", "schedule_hours"),
    fault="Structure backups too rare",
)
def cfb_interval(inputs: StructureInputs) -> BackupInterval:
    """A member may log between two backups what is read backwards in 29 minutes (F-52)."""
    readable = BACKWARD_READ_MIB_PER_S * READ_MIN * 60
    line = (
        f"readable = {BACKWARD_READ_MIB_PER_S} MiB/s x {READ_MIN} min x 60 = {figure(readable)} MiB"
    )
    return _interval(inputs, readable, line, "structures")


def _interval(
    inputs: PageSetBackupInputs | StructureInputs,
    readable_mib: float,
    line: str,
    what: str,
    caveats: tuple[str, ...] = (),
) -> BackupInterval:
    rate, schedule_h = inputs.day_mean_mib_per_s, inputs.schedule_hours
    load = inputs.busiest_hours or BusiestHours.at_rate(rate)
    allowed = load.hours_to_fill(readable_mib)
    logged = load.volume_mib(schedule_h)
    ratio = readable_mib / logged if logged else 0.0
    steady = readable_mib / (schedule_h * SECONDS_PER_HOUR)
    allows = f"at most {figure(allowed)} h" if allowed else "any interval"
    longest = f"at most {_days(allowed)}" if allowed else "any interval"
    return BackupInterval(
        observed=min(allowed or LONGEST_INTERVAL_H, LONGEST_INTERVAL_H),
        limit=schedule_h,
        unit="h",
        series_limit=rate * ratio if rate and ratio else steady,
        backup_interval_h=allowed,
        summary=f"{what} are backed up every {_days(schedule_h)}; recovery in time allows "
        f"{longest} between backups in the busiest stretch.",
        arithmetic=(
            line,
            f"logged in the busiest {figure(schedule_h)} h = {figure(logged)} MiB",
            f"interval = {figure(readable_mib)} MiB from the worst start = {allows}",
        ),
        advice="Nothing to change: what is logged between backups is read in time.",
        caveats=(BY_HOUR if inputs.busiest_hours is not None else BY_DAY, *caveats),
    ).past_limit(
        "Back up more often, keep more in active logs (they are read faster), or log less.",
        lambda: as_often(allowed or LONGEST_INTERVAL_H, what),
    )


def _days(hours: float) -> str:
    if hours < DAYS_FROM_H:
        return f"{figure(hours)} h"
    return f"{figure(round(hours / HOURS_PER_DAY, 1))} days ({figure(hours)} h)"


@rule(
    "REC-PROGRESS",
    "Recovery under way",
    mp16("Messages to show progress during forward and backward recovery"),
    ResourceKind.recovery,
    column=HeatColumn.other,
    undated="an estimate of one recovery under way, gone when it ends",
    breach_severity=Severity.watch,
    graded=False,
    applies=only_with("remaining_s"),
)
def rec_progress(
    remaining_s: Annotated[
        Amount,
        FromMetric("recovery_remaining_s", days=1, record="CSQR031I and CSQR033I of the job log"),
    ],
    restart_min: Annotated[Positive, FromEstate("restart_target_minutes")] = 60.0,
) -> Assessment:
    """An estimate, compared with the time that recovery may take (an hour when not configured)."""
    limit = restart_min * 60
    return Assessment(
        observed=remaining_s,
        limit=limit,
        unit="s",
        summary=f"the recovery of the day needed {duration(remaining_s)} more at the "
        "slowest message.",
        arithmetic=f"limit = {figure(restart_min)} min x 60 s",
        advice="Nothing to change: recovery stays within its time.",
        caveats=("Mounts of archives come on top.", "Only while CSQR006I has not been seen."),
    ).past_limit("Mount archives ahead; next time keep more in active logs and back up more often.")


@rule(
    "REC-UOW-LONG",
    "Oldest unit of work",
    mp16("Impact of LOGLOAD on log shunting"),
    ResourceKind.applications,
    column=HeatColumn.active_log,
    watches="log_rate_mib_per_s",
    applies=only_with("oldest_uow_s"),
)
def rec_uow_long(
    oldest_uow_s: Annotated[Amount, FromEstate("oldest_uow_s", "DISPLAY CONN, or CSQJ160I")],
    log_size_mib: Annotated[LogSizeMib, FromEstate("active_log_size_mib", "DISPLAY LOG")],
    log_rate_mib_per_s: Annotated[Positive, FromMetric(GROWTH, record=GROWTH_RECORD)],
) -> Assessment:
    """Restart should need two active logs at most; exactly two fills old is allowed."""
    fill, per_s = log_size_mib / log_rate_mib_per_s, figure(log_rate_mib_per_s)
    return Assessment(
        observed=oldest_uow_s,
        limit=LOGS_NEEDED_MAX * fill,
        unit="s",
        series_limit=LOGS_NEEDED_MAX * log_size_mib / max(oldest_uow_s, AGE_MIN_S),
        arithmetic=(
            f"fill time = {figure(log_size_mib)} MiB / {per_s} MiB/s = {duration(fill)}",
            f"limit = {LOGS_NEEDED_MAX} fills = {duration(LOGS_NEEDED_MAX * fill)}",
        ),
        advice="Nothing to change: restart reads two active logs at most.",
    ).past_limit(
        "Commit more often; look for BATCHINT over 5 minutes and gets that wait inside a unit of "
        "work."
    )
