"""Backup interval of page sets, from the time that recovery may take."""

import math
from typing import Annotated, Final, Literal

from pydantic import Field

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.units import SECONDS_PER_HOUR, Amount, Positive
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16

TARGETS = mp16("Achieving specific recovery targets")
RESTORE = mp16("How often should a page set be backed up?")

RESTORE_GB_PER_MIN: Final = {
    "DFDSS": 8.0,
    "REPRO": 3.5,
    "REPRO zHPF": 5.2,
    "DFDSS older": 4.39,
    "REPRO older": 2.54,
}
"""The older two are our arithmetic on 1600 cylinders in 15 s and 26 s."""


@form_of("REC-FORMULA-A")
def backup_interval(
    restart_s: Positive, log_read_mb_per_s: Positive, log_write_mb_per_hour: Positive
) -> Figures:
    """Hours of logging, not of the clock, between backups; the read rate is an input (F-27)."""
    return {
        "backup_interval_hours": restart_s * log_read_mb_per_s / log_write_mb_per_hour,
        **_data_to_read(restart_s, log_read_mb_per_s),
    }


@form_of("REC-FORMULA-A")
def backup_against_schedule(
    restart_s: Positive,
    log_read_mb_per_s: Positive,
    log_write_mb_per_hour: Positive,
    schedule_hours: Positive,
) -> Figures:
    """A breach when backups are further apart than recovery can read back."""
    interval = restart_s * log_read_mb_per_s / log_write_mb_per_hour
    return {"backup_interval_hours": interval, "breach": interval < schedule_hours}


@form_of("REC-FORMULA-A")
def data_to_read(restart_s: Positive, log_read_mb_per_s: Positive) -> Figures:
    """Return the log data that can be read in the time allowed."""
    return _data_to_read(restart_s, log_read_mb_per_s)


@form_of("REC-FORMULA-A")
def hours_in_active_logs(active_log_gb: Positive, log_write_mb_per_hour: Positive) -> Figures:
    """Take the smaller of this and the interval when recovery must not read archives."""
    return {"hours_in_active_logs": active_log_gb * 1_024 / log_write_mb_per_hour}


@calculator("REC-LOG-VOLUME", "Log volume of an hour", TARGETS)
def volume_of_messages(
    messages_per_s: Amount, message_kb: Amount, overhead_kb: Amount = 1.3
) -> Figures:
    """Message and overhead, each second of an hour."""
    return _volume(messages_per_s * (message_kb + overhead_kb) * SECONDS_PER_HOUR)


@form_of("REC-LOG-VOLUME")
def volume_of_pairs(
    pairs_per_s: Amount,
    message_kb: Amount,
    overhead_kb: Amount = 1.3,
    receive_batch_kb: Amount = 1.4,
    send_batch_kb: Amount = 2.5,
) -> Figures:
    """Request and reply over channels, each a batch of its own (F-03)."""
    kb = 2 * (message_kb + overhead_kb) + receive_batch_kb + send_batch_kb
    return _volume(pairs_per_s * kb * SECONDS_PER_HOUR)


@calculator("REC-BUDGET", "Time left for restart", TARGETS)
def restart_budget(target_total_min: Positive, react_and_restore_min: Amount) -> Figures:
    """The outage allowed without reaction and restore.

    Raises:
        ConfigurationError: these two alone take longer than the outage allowed.
    """
    if react_and_restore_min > target_total_min:
        raise ConfigurationError(
            "no time is left for restart",
            found=f"{react_and_restore_min:g} min for reaction and restore",
            expected=f"at most the {target_total_min:g} min of outage allowed",
            remedy="Allow a longer outage, or restore faster.",
        )
    return {"restart_s": (target_total_min - react_and_restore_min) * 60}


@calculator("REC-APPDAY", "From hours of logging to a schedule", TARGETS)
def schedule(
    interval_hours: Positive, application_hours_per_day: Annotated[float, Field(gt=0, le=24)]
) -> Figures:
    """Full days between backups; several backups a day when it is less than one."""
    days = interval_hours / application_hours_per_day
    return {
        "days_between_backups": math.floor(days) if days >= 1 else days,
        "backups_per_day": 1 if days >= 1 else math.ceil(1 / days),
    }


@calculator("REC-RESTORE-RATES", "Time to restore a page set", RESTORE)
def restore_time(
    page_set_gb: Positive,
    method: Literal["DFDSS", "REPRO", "REPRO zHPF", "DFDSS older", "REPRO older"],
) -> Figures:
    """Size divided by the measured rate."""
    rate = RESTORE_GB_PER_MIN[method]
    return {"gb_per_min": rate, "minutes": page_set_gb / rate}


def _data_to_read(restart_s: float, read_mb_per_s: float) -> dict[str, float]:
    return {"data_to_read_gib": restart_s * read_mb_per_s / 1_024}


def _volume(kb_per_hour: float) -> Figures:
    return {"kb_per_hour": kb_per_hour, "mib_per_hour": kb_per_hour / 1_024}
