"""Shared message data sets and storage class memory."""

import math
from typing import Final, Literal

from mqcap.domain.units import MIB_BYTES, Amount, Count, Percent, Positive, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16
from sizing.table import curve, interpolate

BLOCKS = mp16("DSBLOCK")
SCM = mp16("How do I know I am using SCM and how much?")
TRANSFER = mp16("Impact of SCM on Application performance")

IO_MAX: Final = 10
IO_TOTAL_KB: Final = 4_096
SMDS_MAX_TB: Final = 16
QUEUE_MANAGERS_MAX: Final = 32
STRUCTURES_MAX: Final = 63
SCM_FIXED_MIB: Final = 3
STAGING_PCT: Final = 90
TIB_BYTES: Final = MIB_BYTES * MIB_BYTES
PERFORMANCE: Final = {
    "DSBLOCK 8K": (1_103, 544, 34.2, 151),
    "DSBLOCK 16K": (2_713, 377, 47.34, 51),
    "DSBLOCK 128K": (3_439, 240, 31.5, 7),
}


@calculator("SMDS-BUFSTOR", "Storage of SMDS buffers", mp16("Tuning SMDS"))
def buffer_storage(
    dsbufs: PositiveCount = 100, dsblock_kb: PositiveCount = 256, structures: PositiveCount = 1
) -> Figures:
    """Above the bar, for each structure at CFLEVEL(5), on each queue manager."""
    return {"mib": dsbufs * dsblock_kb * structures / 1_024}


@form_of("SMDS-BUFS-WAIT")
def buffer_shortage(lowest_free: int, wait_rate_pct: Percent, dsbufs: PositiveCount) -> Figures:
    """None free and waits is a breach; a negative lowest free says how many were missing."""
    return {
        "warn": lowest_free <= 0,
        "breach": lowest_free <= 0 and wait_rate_pct > 0,
        "recommended_dsbufs": dsbufs + max(0, -lowest_free),
    }


@calculator("SMDS-BLOCKS", "Buffers of a message", BLOCKS)
def buffers_of_message(message_kb: Positive, dsblock_kb: PositiveCount) -> Figures:
    """As many blocks as it fills; more than can be in flight cannot overlap."""
    buffers = math.ceil(message_kb / dsblock_kb)
    return {"buffers": buffers, "fits_overlap": buffers <= _overlapped(dsblock_kb)}


@calculator("SMDS-OVERLAP", "I/Os in flight", BLOCKS)
def overlapped(dsblock_kb: PositiveCount) -> Figures:
    """Ten, or as many as make 4 MB."""
    return {"max_overlapped_io": _overlapped(dsblock_kb)}


@calculator("SMDS-PERF", "Effect of DSBLOCK, measured", BLOCKS)
def block_effect(dsblock: Literal["DSBLOCK 8K", "DSBLOCK 16K", "DSBLOCK 128K"]) -> Figures:
    """With messages of 100 KB."""
    rate, cost, path_busy, blocks = PERFORMANCE[dsblock]
    return {
        "transactions_per_s": rate,
        "us_per_transaction": cost,
        "channel_path_busy_pct": path_busy,
        "maximum_used_blocks": blocks,
    }


@form_of("SMDS-LIMITS")
def most_data(
    smds_tb: Positive = SMDS_MAX_TB,
    queue_managers: PositiveCount = QUEUE_MANAGERS_MAX,
    structures: PositiveCount = STRUCTURES_MAX,
) -> Figures:
    """16 TB for each queue manager and structure."""
    each = smds_tb * queue_managers
    return {"per_structure_tb": each, "qsg_pb": each * structures / 1_024}


@form_of("SMDS-LIMITS")
def data_set_fullness(used_blocks: Count, total_blocks: PositiveCount) -> Figures:
    """CSQE280I: warn at 80 %, breach at 90 % (both ours)."""
    share = 100 * used_blocks / total_blocks
    return {"used_pct": share, "warn": share >= 80, "breach": share >= 90}


@calculator("SCM-AUG", "Augmented space of storage class memory", SCM)
def augmented_share(scm_mib: Positive, augmented_mib: Amount) -> Figures:
    """CF storage that the memory needs beside itself, as a share of it."""
    return {"augmented_fraction": augmented_mib / scm_mib}


@form_of("SCM-AUG")
def augmented_space(scm_mib: Positive) -> Figures:
    """In proportion to the published example (ours), and 3 MB fixed."""
    return {"augmented_mib": scm_mib * 77_455 / 1_048_576 + SCM_FIXED_MIB}


@form_of("SCM-90")
def exhausted_first(
    scm_entries_max_k: Positive,
    scm_elements_max_m: Positive,
    entries_now_k: Positive,
    elements_now_k: Positive,
) -> Figures:
    """The ratio is frozen once staging starts: elements end first when now above the maximum."""
    most = scm_elements_max_m * 1_000 / scm_entries_max_k
    now = elements_now_k / entries_now_k
    return {"max_ratio": most, "current_ratio": now, "elements_exhaust_first": now > most}


@form_of("SCM-90")
def staging_starts(structure_used_pct: Percent) -> Figures:
    """Staging starts at 90 % and stops the altering that starts at 80 %."""
    return {"staging": structure_used_pct >= STAGING_PCT}


@calculator("SCM-CAP", "Messages in storage class memory", mp16("Example use cases"))
def scm_messages(scm_tib: Positive, bytes_per_message: Positive) -> Figures:
    """64 KB each in full, 768 bytes with all data on SMDS (printed ten times too high, F-17)."""
    messages = math.floor(scm_tib * TIB_BYTES / bytes_per_message)
    return {"messages": messages, "messages_million": messages / 1e6}


@calculator("SCM-RATES", "Transfer to storage class memory", TRANSFER)
def transfer_rate(message_kb: Positive) -> Figures:
    """Measured at 2, 8, 16 and 62 KB."""
    return {
        name: interpolate(curve("scm_rates", "message_kb", name), message_kb)
        for name in ("write_mb_per_s", "read_mb_per_s")
    }


def _overlapped(dsblock_kb: int) -> int:
    return min(IO_MAX, IO_TOTAL_KB // dsblock_kb)
