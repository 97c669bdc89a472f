"""Time in which the busiest persistent load fills one active log.

Logs that fill faster are switched, archived and checkpointed faster; when archiving cannot
keep up, the queue manager stops persistent work. Log copies do not matter: dual logging
writes the same range twice.
"""

import math
from dataclasses import replace
from typing import Annotated, Final

from mqcap.domain.finding import Change, Effect
from mqcap.domain.numbers import duration, figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE, Positive, PositiveCount
from sizing.log_space import (
    LOG_CAP_ALLOCATED_MIB,
    LOG_CAP_MIB,
    LOGS_MAX,
    LOGS_RECOMMENDED,
    RUNWAY_MIN_H,
    ActiveLogs,
    Dual,
    LogSize,
    PeakRate,
    add_logs,
    cylinders_for,
    is_largest,
    resize,
)
from sizing.rulebook.assessment import LONGEST_H, Inputs, Lasting, first_step, spread
from sizing.rulebook.input_sources import FromEstate
from sizing.rulebook.registry import form_of, rule
from sizing.sources import mp16

LEAST_FILL_S: Final = 1_800
LEAST_FILL_MIN: Final = LEAST_FILL_S // SECONDS_PER_MINUTE
LONGEST_MIN: Final = LONGEST_H * 60

CAVEATS: Final = (
    "Logs switched early by ARCHIVE LOG or a stop do not count as filled.",
    "Every log switch takes a checkpoint, so faster switches mean more checkpoints.",
    "Very large logs lengthen restart and need archive DASD for recalled data.",
    (
        "When archiving one log takes longer than filling it, all logs are full however long a log "
        "lasts: see LOG-COUNT-OVERLAP."
    ),
    "This is the time to fill one log; for all of them with archiving stopped see LOG-RUNWAY-12H.",
)


class LogFillInputs(Inputs):
    """The log as configured, and its write rate at the expected peak persistent load."""

    log_size_mib: LogSize
    log_rate_mib_per_s: PeakRate
    active_logs: Annotated[PositiveCount | None, FromEstate("active_logs", "DISPLAY LOG")] = None
    dual_logging: Dual = None


class LogFill(Lasting):
    """Fill time of one log; ``None`` when nothing is logged."""

    fill_time_s: float | None
    log_switches_per_hour: float


@rule(
    "LOG-FILL-30MIN",
    "Time to fill one active log",
    mp16("How large should the active logs be?"),
    ResourceKind.active_log,
    watches="log_rate_mib_per_s",
    superseded_by="LOG-RUNWAY-12H",
    longest=LONGEST_MIN,
    amounts=(
        TypedKind.cylinders,
        "log_compression",
        TypedKind.more_data_sets,
        TypedKind.queue_managers,
    ),
)
def log_fill_30min(inputs: LogFillInputs) -> LogFill:
    """A log must last 30 minutes at peak; exactly 30 is enough."""
    size, rate = inputs.log_size_mib, inputs.log_rate_mib_per_s
    rate_limit = size / LEAST_FILL_S
    seconds = size / rate if rate else None
    minutes = LONGEST_MIN if seconds is None else seconds / SECONDS_PER_MINUTE
    time = duration(seconds) if seconds else "never"
    lasts = f"lasts {time}" if seconds else "never fills"
    of_limit = f"{time} of {LEAST_FILL_MIN} min: " if seconds else ""
    mib, mib_per_s, least_s = figure(size), figure(rate), figure(LEAST_FILL_S)
    return LogFill(
        observed=min(minutes, LONGEST_MIN),
        limit=LEAST_FILL_MIN,
        unit="min",
        series_limit=rate_limit,
        summary=f"{of_limit}at the peak of {mib_per_s} MiB/s a log of {mib} MiB {lasts}; it should "
        f"last {LEAST_FILL_MIN} min, that is up to {figure(rate_limit)} MiB/s.",
        fill_time_s=seconds,
        log_switches_per_hour=rate * SECONDS_PER_HOUR / size,
        arithmetic=(
            f"rate at {LEAST_FILL_MIN} min = {mib} MiB / {least_s} s = {figure(rate_limit)} MiB/s",
            f"fill time = {mib} MiB / {mib_per_s} MiB/s = {time}",
            f"needed size = {mib_per_s} MiB/s x {least_s} s = {figure(rate * LEAST_FILL_S)} MiB",
        ),
        advice="Nothing to change: a log lasts 30 minutes or more at the observed peak.",
        caveats=CAVEATS,
    ).past_limit(_advice(rate), lambda: _changes(inputs), also_near=False)


@form_of("LOG-FILL-30MIN")
def fill_time_from_switches(
    interval_s: Positive, new_logs_copy1: PositiveCount
) -> dict[str, float | bool]:
    """Interval divided by the new logs used in it; below 30 minutes is a breach."""
    seconds = interval_s / new_logs_copy1
    return {"fill_time_s": seconds, "breach": seconds < LEAST_FILL_S}


def _advice(rate: float) -> str:
    needed = rate * LEAST_FILL_S
    if cylinders_for(needed) is not None:
        return "Define larger active logs; then check that there are enough of them."
    return (
        f"Larger logs alone cannot meet the rule: {figure(needed)} MiB would be needed and a log "
        f"ends at 4 GiB, which lasts {duration(LOG_CAP_MIB / rate)} at this peak. Have more logs "
        "so that all of them together last, archive faster than a log fills, compress the log, "
        f"and spread the persistent load over {_managers(rate)} queue managers; fewer or smaller "
        "persistent messages and larger units of work also log less."
    )


def _changes(inputs: LogFillInputs) -> tuple[Change, ...]:
    """Larger log first; when the cap binds, what else gives time, in the order of MP16."""
    rate = inputs.log_rate_mib_per_s
    configured = ActiveLogs(inputs.log_size_mib, inputs.active_logs, inputs.dual_logging)
    needed = rate * LEAST_FILL_S
    if cylinders_for(needed) is not None:
        return (resize(configured, needed, "a log then lasts 30 minutes at this peak"),)
    gain = f"a log then lasts {duration(LOG_CAP_ALLOCATED_MIB / rate)}, not 30 min"
    is_full = is_largest(configured.size_mib)
    larger = () if is_full else (resize(configured, LOG_CAP_ALLOCATED_MIB, gain),)
    return (*larger, _logs_of_full_size(configured, rate), *_alternatives(rate))


def _logs_of_full_size(configured: ActiveLogs, rate_mib_per_s: float) -> Change:
    # where one log cannot last, all of them should, as LOG-RUNWAY-12H asks
    wanted = math.ceil(rate_mib_per_s * RUNWAY_MIN_H * SECONDS_PER_HOUR / LOG_CAP_ALLOCATED_MIB)
    logs = min(max(wanted, LOGS_RECOMMENDED), LOGS_MAX)
    if configured.logs is not None and logs <= configured.logs:
        return Change(action=f"Keep the {configured.logs} active logs.")
    lasts = duration(logs * LOG_CAP_ALLOCATED_MIB / rate_mib_per_s)
    full = replace(configured, size_mib=LOG_CAP_ALLOCATED_MIB)
    return add_logs(full, logs, f"all logs together then last {lasts} at this peak", Effect.relief)


def _managers(rate_mib_per_s: float) -> int:
    return math.ceil(rate_mib_per_s / (LOG_CAP_ALLOCATED_MIB / LEAST_FILL_S))


def _alternatives(rate_mib_per_s: float) -> tuple[Change, ...]:
    seconds = LOG_CAP_ALLOCATED_MIB / rate_mib_per_s
    each = figure(LOG_CAP_ALLOCATED_MIB / LEAST_FILL_S)
    return (
        Change(
            action=f"Archive one log of 4 GiB in less than {duration(seconds)} (striped or faster "
            "archive volumes, tape mounts included)."
        ),
        first_step(
            "Compress message data in the log where it compresses well.",
            TypedAmount.of("log_compression"),
            "CPU for every persistent put; measure on one queue manager first.",
            "no record tells how well the data compresses",
        ),
        spread(_managers(rate_mib_per_s), f", so that each logs at most {each} MiB/s"),
    )
