"""The log's rate against what carries and keeps it: devices, the logger task, archives."""

import math
from typing import Annotated, Final

from pydantic import Field

from mqcap.domain.finding import Change, Severity
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import SECONDS_PER_DAY, SECONDS_PER_HOUR, Positive
from mqcap.operands.declared import SETTINGS
from sizing.backup_schedule import as_often
from sizing.log_space import (
    LOG_CAP_ALLOCATED_MIB,
    ActiveLogs,
    DayMean,
    LogSizeMib,
    PeakRate,
    cylinders_for,
    is_largest,
    resize,
)
from sizing.rulebook.assessment import Assessment, Inputs, Lasting, at_most, spread
from sizing.rulebook.input_sources import FromEstate
from sizing.rulebook.registry import rule
from sizing.sources import mp16

PLANNING_SHARE: Final = 0.5
MAXARCH_MIN: Final = SETTINGS["maxarch"].lowest
MAXARCH_MAX: Final = SETTINGS["maxarch"].highest
CAVEATS: Final = (
    (
        "A backup that is further back succeeds all the same; only recovery fails (CSQE132I, "
        "CSQJ113E, CSQE112E)."
    ),
    "Active logs are among the archived ones and are not added (F-11).",
)
LONGEST_REACH_H: Final = 8_760
"""Ours: archives that reach back a year or more count as a year."""


@rule(
    "LOG-DASD-50PCT",
    "Log rate against half of what the devices carry",
    mp16("Upper bound on persistent message capacity - DASD log data rate"),
    ResourceKind.log_writing,
    watches="log_rate_mib_per_s",
    breach_severity=Severity.watch,
    amounts=(TypedKind.queue_managers,),
)
def log_dasd_50pct(
    log_rate_mib_per_s: PeakRate,
    log_ceiling_mib_per_s: Annotated[
        Positive,
        FromEstate(
            "log_ceiling_mib_per_s",
            "a test on the own system; else `mqcap rules show LOG-DASD-CEILING` by DASD type",
        ),
    ],
) -> Assessment:
    """Up to half of the devices' rate is for planning; exactly half is allowed."""
    ceiling = log_ceiling_mib_per_s
    limit = PLANNING_SHARE * ceiling

    def changes() -> Change:
        managers = math.ceil(log_rate_mib_per_s / limit)
        each = figure(log_rate_mib_per_s / managers)
        return spread(managers, f" with logs on other devices, {each} MiB/s each")

    return Assessment(
        observed=log_rate_mib_per_s,
        limit=limit,
        unit="MiB/s",
        arithmetic=f"limit = {PLANNING_SHARE} x {figure(ceiling)} MiB/s of the devices",
        advice="Nothing to change: the devices carry twice the peak or more.",
        caveats="Archives and mirrors double or triple the device load: LOG-IO-AMPLIFY.",
    ).past_limit(
        "Faster DASD, zHPF, striping, zHyperLink, zHyperWrite when mirrored; or more queue "
        "managers.",
        changes,
    )


class ArchiveInputs(Inputs):
    """Log range that the BSDS records, and the greatest age of a backup."""

    maxarch: Annotated[
        int, Field(gt=0, le=MAXARCH_MAX), FromEstate("maxarch", "DISPLAY ARCHIVE or CSQ6LOGP")
    ]
    log_size_mib: Annotated[LogSizeMib, FromEstate("active_log_size_mib", "DISPLAY LOG")]
    backup_hours: Annotated[
        Positive,
        FromEstate("page_set_backup_hours", "the schedule of the backup jobs"),
        FromEstate("structure_backup_hours", "the schedule of BACKUP CFSTRUCT"),
    ]
    day_mean_mib_per_s: DayMean


class Recoverable(Lasting):
    """Hours of log that recovery can reach on the fullest day, against those between backups."""

    days_covered: float | None
    """``None`` when nothing is logged."""


@rule(
    "LOG-MAXARCH",
    "Archives reach back to the last backup",
    mp16("Backup CFSTRUCT limit"),
    ResourceKind.archive,
    watches="day_mean_mib_per_s",
    amounts=(
        TypedKind.backup_hours,
        TypedKind.backup_minutes,
        TypedKind.cylinders,
        "maxarch",
        TypedKind.queue_managers,
    ),
    fault="Archives do not reach back to the last backup",
    longest=LONGEST_REACH_H,
)
def log_maxarch(inputs: ArchiveInputs) -> Recoverable:
    """MAXARCH logs must hold all that is logged between two backups; exactly that is enough."""
    total = inputs.maxarch * inputs.log_size_mib
    rate_limit = total / (inputs.backup_hours * SECONDS_PER_HOUR)
    rate = inputs.day_mean_mib_per_s
    hours = total / (rate * SECONDS_PER_HOUR) if rate else None
    days = total / (rate * SECONDS_PER_DAY) if rate else None
    reach = f"{figure(hours)} h" if hours else "without end"
    mib, most, apart_h = map(figure, (total, rate_limit, inputs.backup_hours))
    hour_s = figure(SECONDS_PER_HOUR)
    return Recoverable(
        observed=at_most(hours, LONGEST_REACH_H, inputs.backup_hours),
        limit=inputs.backup_hours,
        unit="h",
        series_limit=rate_limit,
        days_covered=days,
        summary=f"the archives kept reach back {figure(days) if days else 'without end'} "
        f"days on the fullest day; backups are {apart_h} h apart.",
        arithmetic=(
            f"recoverable = {inputs.maxarch} x {figure(inputs.log_size_mib)} MiB = {mib} MiB",
            f"rate at {apart_h} h = {mib} MiB / ({apart_h} h x {hour_s} s) = {most} MiB/s",
            f"reach = {mib} MiB / {figure(rate)} MiB/s = {reach}",
        ),
        advice="Nothing to change: every backup can be recovered from.",
        caveats=CAVEATS,
    ).past_limit(
        "Keep more archives, make logs larger, or back up more often.",
        lambda: _more_archives(inputs),
    )


def _more_archives(inputs: ArchiveInputs) -> tuple[Change, ...]:
    """More archives as far as 1000 go, then larger logs, then more frequent backups."""
    needed = inputs.day_mean_mib_per_s * inputs.backup_hours * SECONDS_PER_HOUR
    wanted = max(math.ceil(needed / inputs.log_size_mib), MAXARCH_MIN)
    if wanted <= MAXARCH_MAX:
        more = (wanted - inputs.maxarch) * inputs.log_size_mib
        return (
            Change(
                action=f"Keep {wanted} archive logs: {figure(needed)} MiB are logged between "
                "two backups.",
                amount=TypedAmount.of("maxarch", wanted),
                side_effects=f"{figure(more)} MiB more of archives for each copy, and BSDS space.",
            ),
        )
    most_archives = Change(
        action="Keep the most archive logs.",
        amount=TypedAmount.of("maxarch", MAXARCH_MAX),
        side_effects="archives of that many logs for each copy, and BSDS space.",
    )
    configured = ActiveLogs(inputs.log_size_mib)
    each = needed / MAXARCH_MAX
    if cylinders_for(each) is not None:
        return most_archives, resize(configured, each, "1000 archives then suffice")
    largest = resize(configured, LOG_CAP_ALLOCATED_MIB, "the largest that a log can be")
    most_h = MAXARCH_MAX * LOG_CAP_ALLOCATED_MIB / inputs.day_mean_mib_per_s / SECONDS_PER_HOUR
    often = as_often(most_h, "what is recovered from the log")
    is_full = is_largest(inputs.log_size_mib)
    return (most_archives, often) if is_full else (most_archives, largest, often)
