"""Backing up structures, and large shared messages in Db2."""

import math
import re
from typing import Annotated, Final

from pydantic import Field

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.units import MIB_BYTES, SECONDS_PER_HOUR, Amount, Count, Positive, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16
from sizing.table import interpolate

SPACE = mp16("How much log space do I need when backing up a CF structure?")
FREQUENCY = mp16("Backup frequency example calculation")
COST = mp16("How often should CF structures be backed up?")

OVERHEAD: Final = ((0, 505), (1, 505), (1_024, 514), (4_096, 546))
"""Bytes added to the message; 4642 for 4096 is right, 219 MB is not (F-04)."""
LOB_ROW_BYTES: Final = 523_264
LOB_UNIT_KB: Final = 32
COMPLETED: Final = re.compile(
    r"Backup of structure (?P<structure>\S+) completed at RBA=(?P<rba>[0-9A-F]+), "
    r"size (?P<size>\d+) MB"
)


@calculator("CFB-LOGSPACE", "Log space of a structure backup", SPACE)
def backup_bytes(message_bytes: Count, messages: Count | None = None) -> Figures:
    """Message and overhead, for each message; 855 MB in print is 885 (F-02)."""
    overhead = interpolate(OVERHEAD, message_bytes)
    each = message_bytes + overhead
    return {
        "backup_bytes_per_message": each,
        "overhead_bytes_per_message": overhead,
        "backup_mib": None if messages is None else messages * each / MIB_BYTES,
    }


@form_of("CFB-LOGSPACE")
def completed_backup(message: str) -> Figures:
    """Return the structure, RBA and size of a backup from its message CSQE121I."""
    match = COMPLETED.search(message)
    if match is None:
        raise ConfigurationError("no backup in the message", found=message, expected="CSQE121I")
    return {"structure": match["structure"], "rba_hex": match["rba"], "size_mb": int(match["size"])}


@calculator("CFB-LOGRATE", "Log rate in a queue sharing group", FREQUENCY)
def log_rate(messages_per_s: Amount, message_kb: Amount, overhead_kb: Amount = 1.33) -> Figures:
    """Put and got; the printed rates of the larger rows do not follow from it (F-10)."""
    return {"mb_per_s": messages_per_s * (message_kb + overhead_kb) / 1_024}


@form_of("CFB-INTERVAL")
def backup_interval(readable_gib: Positive, longest_log_mb_per_s: Positive) -> Figures:
    """Hours in which the busiest log writes what recovery can read (F-52)."""
    return {"backup_interval_hours": _hours(readable_gib * 1_024, longest_log_mb_per_s)}


@form_of("CFB-INTERVAL")
def readable(read_backwards_mb_per_s: Positive, available_min: Positive) -> Figures:
    """Return the data that recovery can read in the time left; 60 MB/s from archives."""
    mb = read_backwards_mb_per_s * available_min * 60
    return {"readable_mb": mb, "readable_gib": mb / 1_024}


@form_of("CFB-INTERVAL")
def backup_against_schedule(
    longest_log_mb_per_s: Positive,
    schedule_hours: Positive,
    read_backwards_mb_per_s: Positive = 450,
    available_min: Positive = 29,
) -> Figures:
    """A breach when backups are further apart than that."""
    hours = _hours(read_backwards_mb_per_s * available_min * 60, longest_log_mb_per_s)
    return {"backup_interval_hours": hours, "breach": hours < schedule_hours}


@calculator("CFB-COST", "Time of a structure backup", COST)
def backup_time(structure_mb: Positive, on_smds: bool = False) -> Figures:
    """290 MB/s for messages in the CF, 13 MB/s from SMDS."""
    return {"seconds": structure_mb / (13 if on_smds else 290)}


@calculator("DB2-LOB", "LOB table space", mp16("Db2"))
def lob_space(message_kb_with_headers: Positive, messages: Count) -> Figures:
    """Units of 32 KB for each message."""
    units = math.ceil(message_kb_with_headers / LOB_UNIT_KB)
    return {"lob_units_per_message": units, "kb": units * LOB_UNIT_KB * messages}


@form_of("DB2-LOB")
def lob_partition(
    lob_mb: Positive, partitions: PositiveCount = 4, margin_pct: Annotated[float, Field(ge=0)] = 10
) -> Figures:
    """Spread evenly and a margin for what is not even; a full partition ends puts with 2192."""
    return {"mb_per_partition": lob_mb / partitions * (100 + margin_pct) / 100}


@calculator("DB2-SEGMENT", "LOB rows of a message", mp16("Shared queue messages > 63KB"))
def lob_rows(message_bytes: PositiveCount) -> Figures:
    """511 KB each; CPU steps up at each boundary."""
    return {"lob_rows": math.ceil(message_bytes / LOB_ROW_BYTES)}


def _hours(readable_mb: float, mb_per_s: float) -> float:
    return readable_mb / mb_per_s / SECONDS_PER_HOUR
