"""Sizes, counts and places of active and archive logs."""

import math
from typing import Annotated, Final, Literal

from pydantic import Field

from mqcap.domain.units import (
    CYLINDER_3390_BYTES,
    GIB_BYTES,
    SECONDS_PER_HOUR,
    Amount,
    Positive,
    PositiveCount,
)
from sizing.log_space import LOG_CAP_MIB, LOGS_MAX, cylinders_for
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16
from sizing.table import figures

TRACK_BYTES: Final = 56_664
TRACKS_MAX: Final = 65_535
SIZING = mp16("How large should the active logs be?")
TARGETS = mp16("Achieving specific recovery targets")

Logs = Annotated[int, Field(ge=2, le=LOGS_MAX)]
MaxArch = Annotated[int, Field(ge=10, le=1_000)]


@calculator("LOG-FILL-MAXRATE", "Highest log rate that a log size supports", SIZING)
def max_rate(
    log_size_mib: Annotated[float, Field(gt=0, le=LOG_CAP_MIB)], min_fill_s: Positive = 1_800
) -> Figures:
    """Log size divided by the shortest fill time allowed."""
    rate = log_size_mib / min_fill_s
    return {"max_rate_mib_per_s": rate, "max_rate_mib_per_hour": rate * SECONDS_PER_HOUR}


@form_of("LOG-FILL-MAXRATE")
def size_for_rate(log_rate_mib_per_s: Amount, min_fill_s: Positive = 1_800) -> Figures:
    """The size needed, and whether one log can have it: 5,825 full cylinders are the most."""
    needed = log_rate_mib_per_s * min_fill_s
    cylinders = cylinders_for(needed)
    return {
        "log_size_mib": min(needed, LOG_CAP_MIB),
        "feasible": cylinders is not None,
        "cylinders_3390": cylinders,
    }


@calculator("LOG-ACTIVE-CAPACITY", "Capacity of all active logs", TARGETS)
def active_capacity(active_logs: Logs, log_size_gb: Annotated[float, Field(gt=0, le=4)]) -> Figures:
    """Number times size; at most 310 logs of 4 GB."""
    return {"active_capacity_gb": active_logs * log_size_gb}


@calculator("LOG-SIZE-MAX", "Largest active log", mp16("How large can your active logs be?"))
def largest_log(
    mq_level: Literal["before 8.0", "8.0+"], archives: Literal["DASD", "tape"]
) -> Figures:
    """4 GB; before 8.0 an archive on DASD was held to 65,535 tracks, about 3.5 GB."""
    if mq_level == "before 8.0" and archives == "DASD":
        return {"log_size_gib": TRACKS_MAX * TRACK_BYTES / GIB_BYTES, "tracks": TRACKS_MAX}
    return {"log_size_gib": 4, "tracks": None}


@calculator("LOG-SIZE-CYL", "Cylinders to bytes", mp16("Example of calculation of restart time"))
def bytes_of_cylinders(cylinders_3390: PositiveCount) -> Figures:
    """15 tracks of 12 control intervals of 4 KB in each 3390 cylinder."""
    return {"log_bytes": cylinders_3390 * CYLINDER_3390_BYTES}


@calculator("LOG-PLACEMENT-VOLUMES", "Volumes without aliases", mp16("Active log placement"))
def placement(active_logs_per_copy: Logs, copies: Literal[1, 2]) -> Figures:
    """No two successive logs on one volume: two volumes for an even number of logs, else three."""
    return {"min_volumes": copies * (2 if active_logs_per_copy % 2 == 0 else 3)}


@calculator("LOG-STRIPE-ALLOC", "Archive space when striping", mp16("Striped archive logs"))
def striped_space(
    priqty_cyl: PositiveCount, secqty_cyl: PositiveCount, stripes: PositiveCount
) -> Figures:
    """Each stripe gets the full amount, so ask for the amount divided by the stripes."""
    return {
        "priqty_cyl": math.ceil(priqty_cyl / stripes),
        "secqty_cyl": math.ceil(secqty_cyl / stripes),
    }


@form_of("LOG-MAXARCH")
def recoverable(maxarch: MaxArch, log_size_gb: Positive) -> Figures:
    """MAXARCH logs; nearly all active logs are among them and are not added (F-11)."""
    return {"max_recoverable_gb": maxarch * log_size_gb}


@form_of("LOG-MAXARCH")
def split_of_archived_logs(maxarch: MaxArch, active_logs: Logs) -> Figures:
    """Return the split of MAXARCH: all active logs but the current one are archived as well.

    With fewer archives than that, none is of older data only.
    """
    also_active = min(active_logs - 1, maxarch)
    return {
        "current_active": 1,
        "active_also_in_archive": also_active,
        "archive_only": maxarch - also_active,
    }


@form_of("LOG-MAXARCH")
def printed_range(
    maxarch: MaxArch, active_logs: Logs, log_size_gb: Positive, method: Literal["printed_formula"]
) -> Figures:
    """The formula as printed, which counts the archived active logs twice (F-11)."""
    return {"storage_for_backup_gb": (maxarch + active_logs) * log_size_gb, "method": method}


@form_of("LOG-MAXARCH")
def days_covered(
    maxarch: MaxArch, log_size_gb: Positive, daily_log_gb: Positive, backup_interval_days: Positive
) -> Figures:
    """Days of log that recovery can reach; a breach when a backup is older than that."""
    days = maxarch * log_size_gb / daily_log_gb
    return {"days_covered": days, "breach": days < backup_interval_days}


@form_of("LOG-RATE-MBH")
def mb_per_hour(log_size_mb: Positive, hours_to_fill: Positive) -> Figures:
    """Log size divided by the hours that filled it; drives the backup interval."""
    return {"log_mb_per_hour": log_size_mb / hours_to_fill}


@calculator("LOG-READ-RATES", "Rates at which logs are read", TARGETS)
def read_rate(operation: str) -> Figures:
    """Published defaults by operation; local measurements are better (F-08)."""
    return figures("log_read_rates", ["mb_per_s"], operation=operation)
