"""Time that the phases of a restart take. Megabytes of RBA ranges are 10^6 bytes here."""

import math
import re
from datetime import datetime, timedelta
from typing import Annotated, Final, Literal

from pydantic import Field

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.units import (
    GIB_BYTES,
    MIB_BYTES,
    PAGE_BYTES,
    Amount,
    Count,
    Positive,
    PositiveCount,
    Rba,
    Share,
)
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16
from sizing.table import interpolate

PHASES = mp16("How long will each phase of the recovery take?")
EXAMPLE = mp16("Example of calculation of restart time")
WORKED = mp16("Worked example of restart times")
OBJECTS = mp16("Effect of the number of objects defined on start up time")
INDEX = mp16("Private indexed queue rebuild at restart")

STARTUP_S: Final = 7
FINISH_S: Final = 0.2
INDEX_MESSAGES: Final = 8_000_000
INDEX_ELAPSED_S: Final = {"DS8900F": 147, "DS8950": 250}
"""For 8 million messages; the second is the pessimistic figure (F-09)."""
RANGE: Final = re.compile(r"from RBA=(?P<start>[0-9A-F]+) to RBA=(?P<end>[0-9A-F]+)")


@calculator("REC-RBA-TIME", "Time to read a log range", PHASES)
def range_time(start_rba_hex: Rba, end_rba_hex: Rba, read_mb_per_s: Positive) -> Figures:
    """Difference of the RBAs by the read rate."""
    length = abs(int(end_rba_hex, 16) - int(start_rba_hex, 16))
    seconds = length / (read_mb_per_s * 1e6)
    return {"bytes": length, "seconds": seconds, "minutes": seconds / 60, "hours": seconds / 3_600}


@calculator("REC-PHASE2", "Restart phase 2", PHASES)
def current_status(
    log_mb: Positive, read_mb_per_s: Positive, checkpoints_per_log: PositiveCount = 1
) -> Figures:
    """From the last checkpoint to the failure: at worst a log, or its share by checkpoint."""
    return {"seconds": log_mb / checkpoints_per_log / read_mb_per_s}


@calculator("REC-PAGE-READS", "Page reads of forward recovery", PHASES)
def page_rate(us_per_4kb_page: Positive) -> Figures:
    """Pages and MiB a second from the time of a page."""
    pages = 1e6 / us_per_4kb_page
    return {"pages_per_s": pages, "mib_per_s": pages * PAGE_BYTES / MIB_BYTES}


@form_of("REC-PAGE-READS")
def page_reads(
    recovery_range_gib: Positive, pages_read_fraction: Share, us_per_4kb_page: Positive
) -> Figures:
    """Only 10 % to 100 % of the pages in the range are read."""
    pages = recovery_range_gib * GIB_BYTES / PAGE_BYTES * pages_read_fraction
    return {"pages": math.floor(pages), "seconds": pages * us_per_4kb_page / 1e6}


@calculator("REC-BUFFERPOOL", "Rebuilding page sets", EXAMPLE)
def buffer_pool_rebuild(
    checkpoints: Annotated[int, Field(ge=1, le=3)], log_mb: Positive, read_mb_per_s: Positive
) -> Figures:
    """Up to three checkpoints of log, usually two."""
    return {"seconds": checkpoints * log_mb / read_mb_per_s}


@calculator("REC-FORWARD", "Forward recovery", EXAMPLE)
def forward(indoubt_s: Amount, incommit_s: Amount, bufferpool_s: Amount) -> Figures:
    """In-doubt and in-commit units one after the other, beside the rebuild of page sets."""
    return {"forward_s": max(indoubt_s + incommit_s, bufferpool_s)}


@calculator("REC-PHASE4", "Backward recovery", PHASES)
def backward(log_mb: Positive, forward_read_mb_per_s: Positive, slower_by: Positive = 2) -> Figures:
    """Back to the oldest unit of work; reading backwards is half as fast or slower (F-08)."""
    return {"seconds": log_mb / (forward_read_mb_per_s / slower_by)}


@calculator("REC-TOTAL", "Complete restart", EXAMPLE)
def total(
    phase2_s: Amount,
    forward_s: Amount,
    backward_s: Amount,
    tapes: Count = 0,
    mount_min_per_tape: Amount = 0,
) -> Figures:
    """The phases one after the other, and the mounts (F-26)."""
    minutes = (phase2_s + forward_s + backward_s) / 60 + tapes * mount_min_per_tape
    return {"total_min": minutes}


@form_of("REC-PROGRESS")
def progress(
    prev_rba_hex: Rba,
    curr_rba_hex: Rba,
    seconds_between: Positive,
    target_rba_hex: Rba,
    curr_time: Annotated[str, Field(pattern=r"^\d\d:\d\d:\d\d$")],
) -> Figures:
    """From the RBAs of two CSQR031I or CSQR033I; mounts of archives come on top."""
    current = int(curr_rba_hex, 16)
    rate = abs(current - int(prev_rba_hex, 16)) / seconds_between
    remaining = abs(current - int(target_rba_hex, 16)) / rate
    now = datetime.strptime(curr_time, "%H:%M:%S")  # noqa: DTZ007 - a clock time, no instant
    end = now + timedelta(seconds=round(remaining))
    return {
        "bytes_per_s": rate,
        "remaining_s": remaining,
        "predicted_end": end.strftime("%H:%M:%S"),
    }


@form_of("REC-PROGRESS")
def recovery_range(message: str) -> Figures:
    """The range that CSQR030I or CSQR032I announces, and the most pages in it."""
    match = RANGE.search(message)
    if match is None:
        raise ConfigurationError(
            "no recovery range in the message", found=message, expected="CSQR030I or CSQR032I"
        )
    length = abs(int(match["end"], 16) - int(match["start"], 16))
    return {
        "from_rba_hex": match["start"],
        "to_rba_hex": match["end"],
        "bytes": length,
        "max_pages": math.ceil(length / PAGE_BYTES),
    }


@calculator("REC-LOGLOAD-TXN", "Transactions between checkpoints", WORKED)
def transactions_per_checkpoint(
    logload: Annotated[int, Field(ge=200, le=16_000_000)], log_buffer_writes_per_txn: Positive
) -> Figures:
    """LOGLOAD counts writes to log buffers (F-50)."""
    return {"transactions_per_checkpoint": math.floor(logload / log_buffer_writes_per_txn)}


@form_of("REC-LOGLOAD-TXN")
def restart_after(transactions: Count, seconds_per_10000: Positive) -> Figures:
    """Linear in the transactions since the last checkpoint."""
    return _startup(transactions * seconds_per_10000 / 10_000)


@form_of("REC-LOGLOAD-TXN")
def restart_after_cics(cics_transactions: Count) -> Figures:
    """As measured: 1 s without transactions, 59 s after 10,000."""
    return _startup(1 + 58 * cics_transactions / 10_000)


@form_of("REC-CKPT-RATE")
def checkpoints(log_switches: Count, log_buffer_writes: Count, logload: PositiveCount) -> Figures:
    """An upper bound, because the count of writes starts again at every checkpoint."""
    return {"checkpoints_upper_bound": log_switches + log_buffer_writes / logload}


@calculator("REC-OBJECTS", "Objects and start-up", OBJECTS)
def startup_of_objects(objects_defined: Count) -> Figures:
    """Measured at 140, 4,140 and 14,484 objects."""
    return _startup(interpolate(((140, 1), (4_140, 3.6), (14_484, 7.6)), objects_defined))


@form_of("REC-UOW-LONG")
def oldest_unit(oldest_uow_s: Amount, log_fill_s: Positive) -> Figures:
    """Restart should need two active logs at most: a breach when older than two fills."""
    return {
        "logs_needed": math.ceil(oldest_uow_s / log_fill_s),
        "warn": oldest_uow_s > log_fill_s,
        "breach": oldest_uow_s > 2 * log_fill_s,
    }


@calculator("REC-INDEX", "Rebuilding indexes of private queues", INDEX)
def index_rebuild(
    messages: Count,
    elapsed_s_per_8m: Positive | None = None,
    cpu_s_per_8m: Positive = 14.5,
    dasd: Literal["DS8900F", "DS8950"] = "DS8900F",
) -> Figures:
    """Persistent messages of indexed queues; QINDXBLD(NOWAIT) takes it out of the restart."""
    per_8m = INDEX_ELAPSED_S[dasd] if elapsed_s_per_8m is None else elapsed_s_per_8m
    elapsed = messages * per_8m / INDEX_MESSAGES
    return {
        "cpu_s": messages * cpu_s_per_8m / INDEX_MESSAGES,
        "elapsed_s": elapsed,
        "elapsed_min": elapsed / 60,
    }


def _startup(recovery_s: float) -> Figures:
    return {
        "csqr001_to_csqr002_s": recovery_s,
        "total_restart_s": STARTUP_S + recovery_s + FINISH_S,
    }
