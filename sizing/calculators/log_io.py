"""Capacity of the log's devices, and how busy they and the logger task are."""

import math
from typing import Final, Literal

from mqcap.domain.units import Amount, Count, Percent, Positive, PositiveCount
from sizing.rulebook.assessment import Inputs
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16
from sizing.table import curve, interpolate

DASD = mp16("Upper bound on persistent message capacity - DASD log data rate")
WRITES = mp16("When does a write to the log data set occur?")
MAX_100KB = mp16("What is the maximum message rate for 100 000-byte messages?")
AMPLIFIED = mp16("Improved sustainable log rate")

PLANNING_SHARE: Final = 0.5
BUFFERS_PER_IO: Final = 128
LOGGER_PLANNING_PCT: Final = 50
"""Ours, by analogy with the 50 % of LOG-DASD-50PCT; MP16 gives no level."""
DFW_BYPASS_MAX_PCT: Final = 1


@calculator("LOG-DASD-CEILING", "Highest log rate by DASD type", DASD)
def dasd_ceiling(dasd_type: str, message_bytes: Positive) -> Figures:
    """Measured, for each log copy; interpolated by message size. Half of it is for planning."""
    points = curve("log_dasd_ceiling", "message_bytes", "max_mb_per_s", dasd_type=dasd_type)
    most = interpolate(points, message_bytes)
    return {"max_mb_per_s": most, "planning_limit_mb_per_s": PLANNING_SHARE * most}


@form_of("LOG-DASD-50PCT")
def half_of_ceiling(max_mb_per_s: Positive, observed_mb_per_s: Amount) -> Figures:
    """Above half of what the devices can carry is a breach; exactly half is allowed."""
    return {
        "planning_limit_mb_per_s": PLANNING_SHARE * max_mb_per_s,
        "used_pct": 100 * observed_mb_per_s / max_mb_per_s,
        "breach": observed_mb_per_s > PLANNING_SHARE * max_mb_per_s,
    }


@form_of("LOG-LOGGER-BUSY")
def logger_busy(task_busy_pct: Percent, zhyperlink: bool = False) -> Figures:
    """Compare the busy share of the task that writes the log with 50 %, our planning level.

    With zHyperLink the I/O busy figure means nothing; task busy still does.
    """
    return {
        "warn": task_busy_pct > LOGGER_PLANNING_PCT,
        "headroom_pct": 100 - task_busy_pct,
        "io_busy_meaningful": not zhyperlink,
    }


@calculator("LOG-WRTHRSH-IO", "I/Os for log buffers", WRITES)
def write_ios(filled_buffers: Count, partial_buffer: bool, dual_logging: bool = False) -> Figures:
    """128 buffers in one I/O; a partly filled one apart, twice in series with dual logging."""
    current = (2 if dual_logging else 1) if partial_buffer else 0
    return {"log_ios": math.ceil(filled_buffers / BUFFERS_PER_IO) + current}


class BatchTimes(Inputs):
    """Buffers and commits of 100 messages, and the times of the two kinds of I/O."""

    put_buffers_per_100: PositiveCount
    current_buffers_per_100: PositiveCount
    buffers_per_io: PositiveCount = BUFFERS_PER_IO
    """128 for planning; the printed example still uses 15 (F-24)."""
    bulk_io_ms: Positive
    current_io_ms: Positive
    commits_per_100: PositiveCount
    series_ios: PositiveCount


@calculator("LOG-100KB-RATE", "Message rate from log I/O times", MAX_100KB)
def rate_from_io_times(inputs: BatchTimes) -> Figures:
    """Bulk I/Os and the current buffer's I/Os of each commit, one after the other."""
    bulk = inputs.put_buffers_per_100 - inputs.current_buffers_per_100
    bulk_ios = math.ceil(bulk / inputs.buffers_per_io)
    bulk_ms = bulk_ios * inputs.bulk_io_ms
    current_ms = inputs.commits_per_100 * inputs.series_ios * inputs.current_io_ms
    total_ms = bulk_ms + current_ms
    return {
        "bulk_ios": bulk_ios,
        "bulk_ms": bulk_ms,
        "current_ms": current_ms,
        "total_ms": total_ms,
        "messages_per_s": 100 * 1_000 / total_ms,
    }


@calculator("LOG-FORCES", "Log forces of a unit of work", mp16("Application syncpoint specifics"))
def log_forces(
    one_phase_commits: Count = 0, out_of_syncpoint_calls: Count = 0, two_phase_commits: Count = 0
) -> Figures:
    """Return one force per one-phase commit or call out of syncpoint, two per two-phase commit."""
    return {"log_forces": one_phase_commits + out_of_syncpoint_calls + 2 * two_phase_commits}


@calculator("LOG-IO-AMPLIFY", "Data written for each MB logged", AMPLIFIED)
def amplification(
    put_mb_per_s: Amount,
    active_copies: Literal[1, 2],
    archive_copies: Literal[0, 1, 2],
    mirrored: bool,
) -> Figures:
    """Every copy, active and archive, and the active ones again when mirrored."""
    copies = active_copies + archive_copies + (active_copies if mirrored else 0)
    return {"io_mb_per_s": put_mb_per_s * copies, "factor": copies}


@form_of("LOG-DFWBP")
def fast_write_bypass(dfwbp_rate: Amount, io_rate: Positive) -> Figures:
    """More than 1 % of I/Os bypassing the cache means that it is full."""
    share = 100 * dfwbp_rate / io_rate
    return {"dfwbp_pct": share, "breach": share > DFW_BYPASS_MAX_PCT}


@form_of("LOG-WRTHRSH-IO")
def ios_for_pages(pages: Count) -> Figures:
    """The least number of I/Os for so many full pages."""
    return {"log_ios": math.ceil(pages / BUFFERS_PER_IO)}
