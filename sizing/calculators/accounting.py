"""Volume and cost of accounting data."""

import math
from typing import Annotated, Final, Literal

from pydantic import Field

from mqcap.domain.units import MIB_BYTES, Amount, Count, Positive, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16

CLASS1_BYTES: Final = 436
CLASS3_BYTES: Final = 8_324
"""With two queues; 25,076 with eight."""
CLASS3_QUEUE_BYTES: Final = 2_792
"""Ours: the difference of the two, for each queue."""
CLASS3_MEASURED_QUEUES: Final = range(2, 9)
"""Numbers of queues between those that MP16 prints; others are extrapolated."""
FIRST_RECORD_QUEUES: Final = 8
FURTHER_RECORD_QUEUES: Final = 9

AccountingClass = Annotated[Literal[1, 3], Field(alias="class")]


@form_of("SMF-ACCT-BYTES")
def accounting_volume(
    accounting_class: AccountingClass, transactions: Count, queues: PositiveCount = 2
) -> Figures:
    """Of that many transactions; MB is 2^20. Queues count for class 3 only.

    ``extrapolated`` is true with fewer than two or more than eight queues: MP16 prints none of
    these.
    """
    each = CLASS1_BYTES
    is_class_3 = accounting_class == 3
    if is_class_3:
        each = CLASS3_BYTES + CLASS3_QUEUE_BYTES * (queues - 2)
    return {
        "bytes_per_transaction": each,
        "mib": each * transactions / MIB_BYTES,
        "extrapolated": is_class_3 and queues not in CLASS3_MEASURED_QUEUES,
    }


@calculator("SMF-ACCT-RECORDS", "Records of a task", mp16("Accounting Trace Costs"))
def accounting_records(queues: PositiveCount) -> Figures:
    """Eight queues in the first record, nine in each further one."""
    further = math.ceil(max(0, queues - FIRST_RECORD_QUEUES) / FURTHER_RECORD_QUEUES)
    return {"smf116_records": 1 + further}


@calculator("SMF-ACCT-CPU", "CPU of accounting", mp16("How much data is written?"))
def accounting_cpu(
    accounting_class: AccountingClass,
    base_us: Positive,
    api_calls: Count,
    us_per_api: Amount,
    smf_us: Amount,
) -> Figures:
    """Class 1: 2 us a call and 1 to 5; class 3: 1 to 3 us a call and 6 to 50."""
    del accounting_class  # says which range the costs are of
    added = api_calls * us_per_api + smf_us
    return {
        "total_us": base_us + added,
        "increase_pct": 100 * added / base_us,
    }


@form_of("SMF-LOST")
def lost_data(csqw133e_count: Count) -> Figures:
    """The first CSQW133E is a loss."""
    return {"breach": csqw133e_count > 0}


@form_of("SMF-LOST")
def log_stream_capacity(rate_mb_per_s: Positive, compressed: bool = False) -> Figures:
    """Log streams carry twice the rate without loss, and zEDC 3.8 times that."""
    return {"rate_mb_per_s": rate_mb_per_s * 2 * (3.8 if compressed else 1)}
