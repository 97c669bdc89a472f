"""Sizes of CF structures: entries, elements, offload and the administration structure.

Sizes of messages include all headers but the MQMD. The structure is full when either its
entries or its elements are used up.
"""

import math
from typing import Annotated, Final

from pydantic import Field

from mqcap.domain.units import GIB_BYTES, MIB_BYTES, Count, Percent, Positive, PositiveCount
from sizing.rulebook.assessment import Inputs
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16
from sizing.table import curve, interpolate

SIZE = mp16("Application structures")
LEVELS = mp16("How many messages fit in a particular CF application structure size?")
TABLE = mp16("CF at CFCC levels 17 and later")
RATIO = mp16("Increasing the maximum number of messages within a structure")
DEFINE = mp16("What size CF structures should be defined?")
ALTER = mp16("Use of system initiated alter processing")
OFFLOAD = mp16("Sizing structures at CFLEVEL(5)")
DELETE = mp16("Batch delete of messages with small structures")

HEADER_BYTES: Final = 372
GROUPING_BYTES: Final = 72
ELEMENT_BYTES: Final = 256
MESSAGE_MIN_BYTES: Final = 1_536
CF_MESSAGE_MAX_BYTES: Final = 64_512
RATIO_START: Final = 6
SURCHARGE: Final = {True: 1.32, False: 1.25}
"""By whether the CFCC level is 12 or above."""
CFCC25_BYTES: Final = 8 * MIB_BYTES
OFFLOADED_MIN_BYTES: Final = 122
"""Not "approximately 130" (F-35)."""
TIERS: Final = ((90, OFFLOADED_MIN_BYTES), (80, 4_096), (70, 32_768))
"""Percentage in use from which messages longer than this are offloaded (F-54)."""
ADMIN_ENTRIES: Final = 1_000
ADMIN_QUEUE_MANAGERS: Final = 7
DELETE_TABLE: Final = 340


class SizeInputs(Inputs):
    """Messages of one size that the structure must hold."""

    message_bytes_with_headers_except_mqmd: Count
    messages: Count
    cfcc_level: PositiveCount
    grouping: bool = False
    all_large_with_autoalter: bool = False
    """All messages over 63 KB and ALLOWAUTOALT(YES): 1 KB each instead of 2."""


@calculator("CFS-SIZE-ALG", "Size of an application structure", SIZE)
def structure_size(inputs: SizeInputs) -> Figures:
    """MP16's algorithm; for large messages with ALLOWAUTOALT(NO) it is 12 % low (F-15)."""
    size = inputs.message_bytes_with_headers_except_mqmd
    if size > CF_MESSAGE_MAX_BYTES:
        total = (1_024.0 if inputs.all_large_with_autoalter else 2_048.0) * inputs.messages
    else:
        held = size + HEADER_BYTES + (GROUPING_BYTES if inputs.grouping else 0)
        rounded = max(math.ceil(held / ELEMENT_BYTES) * ELEMENT_BYTES, MESSAGE_MIN_BYTES)
        surcharge = SURCHARGE[inputs.cfcc_level >= 12]
        total = (rounded + ELEMENT_BYTES) * inputs.messages * surcharge
    if inputs.cfcc_level >= 25:
        total += CFCC25_BYTES
    return {"bytes": total, "gib": total / GIB_BYTES, "initsize_kb": math.ceil(total / 1_024)}


@calculator("CFS-CFCC-ADJ", "What a CFCC level adds", LEVELS)
def level_adjustment(from_level: PositiveCount, to_level: PositiveCount) -> Figures:
    """5 MB from 17, 8 MB more from 25, for each structure."""
    return {"mb": _level_mb(to_level) - _level_mb(from_level)}


@calculator("CFS-CAPACITY-05GB", "Messages in half a GB", TABLE)
def half_gb(
    message_bytes_excluding_mqmd: Count, cfcc_level: Annotated[int, Field(ge=17)]
) -> Figures:
    """Measured with ALLOWAUTOALT(NO); the same up to 1164 bytes, interpolated between sizes."""
    level = 25 if cfcc_level >= 25 else 24
    points = curve("cf_capacity_half_gb", "message_bytes", "messages", cfcc_level=level)
    return {"messages": math.floor(interpolate(points, message_bytes_excluding_mqmd))}


@calculator("CFS-CAPACITY-MODEL", "Messages by entries and elements", TABLE)
def capacity(
    message_bytes_excluding_mqmd: Count, entries: PositiveCount, elements: PositiveCount
) -> Figures:
    """The smaller of the entries and what the elements hold; our reconstruction."""
    each = math.ceil((message_bytes_excluding_mqmd + HEADER_BYTES) / ELEMENT_BYTES)
    return {"messages": min(entries, elements // each)}


@calculator("CFS-ELEMENTS", "Entries and elements of messages", RATIO)
def elements_of_message(
    message_bytes: Count,
    implementation_header_bytes: Count = HEADER_BYTES,
    element_bytes: PositiveCount = ELEMENT_BYTES,
) -> Figures:
    """Return one entry, and as many elements as message and header fill."""
    return {
        "elements": math.ceil((message_bytes + implementation_header_bytes) / element_bytes),
        "entries": 1,
    }


@form_of("CFS-ELEMENTS")
def elements_of_mix(messages: list[tuple[PositiveCount, Count]], question: str = "") -> Figures:
    """(count, bytes) of each kind; the unused rest when each takes full groups of 6:1 (F-30)."""
    del question  # a remark of the one who asks
    used = [
        (count, count * math.ceil((size + HEADER_BYTES) / ELEMENT_BYTES))
        for count, size in messages
    ]
    groups = sum(max(count, math.ceil(size / RATIO_START)) for count, size in used)
    entries = sum(count for count, _ in used)
    elements = sum(size for _, size in used)
    return {
        "elements": elements,
        "entries": entries,
        "ratio": elements / entries if entries else None,
        "unused_elements": groups * RATIO_START - elements,
        "unused_entries": groups - entries,
    }


@calculator("CFS-INITSIZE", "SIZE and INITSIZE", DEFINE)
def definition(initsize_kb: Positive) -> Figures:
    """SIZE at most twice INITSIZE (F-53), MINSIZE the same as INITSIZE, warn at 80 %."""
    return {"size_kb": 2 * initsize_kb, "minsize_kb": initsize_kb, "fullthreshold_pct": 80}


@calculator("CFS-ALTER", "Where altering helps", ALTER)
def small_message(
    elements: PositiveCount = 5, implementation_header_bytes: Count = HEADER_BYTES
) -> Figures:
    """Messages that leave an element of the first group unused; and all over 63 KB."""
    return {"small_message_bytes": elements * ELEMENT_BYTES - implementation_header_bytes}


@form_of("CFS-ADMIN")
def admin_entries(
    entsmax: Count, entries_required_per_qmgr: PositiveCount = ADMIN_ENTRIES
) -> Figures:
    """Queue managers by entries, and the number stated for the sample; check both (F-16)."""
    return {
        "queue_managers_by_entry_rule": entsmax // entries_required_per_qmgr,
        "queue_managers_stated": ADMIN_QUEUE_MANAGERS,
    }


@form_of("CFS-ADMIN")
def admin_for_group(entsmax: Count, queue_managers: PositiveCount) -> Figures:
    """A queue manager starts only when 1000 entries are there for each one started."""
    ratio = entsmax / (ADMIN_ENTRIES * queue_managers)
    return {"ratio": ratio, "breach": ratio < 1}


@calculator("CFS-ADMIN-UOW", "Large units of work and CSQ_ADMIN", mp16("CSQ_ADMIN"))
def admin_unit_of_work(messages_per_unit: Count) -> Figures:
    """The structure of minimum size holds about 40,000 messages of one unit."""
    return {"breach": messages_per_unit > 40_000}


@calculator("CFS-QUEUES-512", "Limits of a queue sharing group", DEFINE)
def group_limits(queues: Count) -> Figures:
    """512 queues a structure, 63 application structures, 32 members."""
    structures = math.ceil(queues / 512)
    return {"structures": structures, "feasible": structures <= 63, "queue_managers_max": 32}


@calculator("CFS-OFFLOAD-TIER", "Offload rules of CFLEVEL(5)", OFFLOAD)
def offloaded(used_pct: Percent, message_bytes_incl_headers: Count) -> Figures:
    """Always over 63 KB; in tiers from 70, 80 and 90 % in use, reached or exceeded."""
    return {"offloaded": _offloaded(used_pct, message_bytes_incl_headers)}


@form_of("CFS-OFFLOAD-TIER")
def offloaded_small(used_pct: Percent, message_bytes: Count) -> Figures:
    """The same for a message without headers; up to 122 bytes always stay."""
    return {"offloaded": _offloaded(used_pct, message_bytes)}


@calculator("CFS-OFFLOAD-CAPACITY", "Messages with offload", OFFLOAD)
def offload_capacity(
    elements_total: PositiveCount,
    elements_per_message: PositiveCount,
    offload_threshold_pct: Percent = 80,
    elements_per_offloaded: PositiveCount = 2,
    entries_total: PositiveCount | None = None,
) -> Figures:
    """Return the messages held in full up to the threshold, then an entry and two elements each."""
    whole = math.ceil(offload_threshold_pct * elements_total / 100 / elements_per_message)
    left = elements_total - whole * elements_per_message
    total = whole + left // elements_per_offloaded
    return {
        "full_messages": whole,
        "total_messages": min(total, entries_total) if entries_total else total,
    }


@calculator("CFS-BATCHDEL", "Dead messages waiting for deletion", DELETE)
def dead_messages(
    message_kb: Positive,
    pending: Annotated[int, Field(ge=0, le=DELETE_TABLE)] = DELETE_TABLE,
    queue_managers: PositiveCount = 1,
) -> Figures:
    """Up to 340 for each queue manager and structure, CFLEVEL(4) and lower (F-32)."""
    each = pending * message_kb / 1_024
    return {"mib_per_queue_manager": each, "mib": each * queue_managers}


def _level_mb(level: int) -> int:
    return (5 if level >= 17 else 0) + (8 if level >= 25 else 0)


def _offloaded(used_pct: float, size: int) -> bool:
    if size > CF_MESSAGE_MAX_BYTES:
        return True
    return any(used_pct >= from_pct and size > longer for from_pct, longer in TIERS)
