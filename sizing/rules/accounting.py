"""Accounting data: volume and cost, whether SMF has room for it, and whether any was lost."""

import math
from typing import Annotated, Final, Literal

from pydantic import Field

from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import counted, figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import MIB_BYTES, Amount, Count, Positive, PositiveCount
from sizing.rulebook.assessment import Assessment, Inputs
from sizing.rulebook.entry import Figures, ValuesByName
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import calculator, form_of, rule
from sizing.sources import mp16

TASKS: Final = "class 3 accounting (SMF 116 subtype 1)"
RECORDS: Final = "SMF 116 subtypes 1, 2 and 10"
MEASURED: Final = "Records of class 1 state no interval and are not in the measured volume."
CLASS3: Final = 3
CLASS1_BYTES: Final = 436
CLASS3_BYTES: Final = 8_324
"""With two queues; 25,076 with eight."""
CLASS3_QUEUE_BYTES: Final = 2_792
"""Ours: the difference of the two, for each queue."""
MEASURED_QUEUES: Final = range(2, 9)
"""Numbers of queues between those that MP16 prints; others are extrapolated."""
FIRST_RECORD_QUEUES: Final = 8
FURTHER_RECORD_QUEUES: Final = 9

AccountingClass = Annotated[Literal[1, 3], Field(alias="class")]


class AccountingInputs(Inputs):
    """Transactions of a day that are accounted, and the room that SMF has for them."""

    transactions_per_day: Annotated[
        Amount,
        FromEstate("accounting_transactions_per_day", "records of SMF 116"),
        FromMetric("accounting_tasks_per_day", Statistic.mean, record=TASKS),
    ]
    accounting_class: Annotated[
        PositiveCount, FromEstate("accounting_class", "DISPLAY TRACE(ACCTG)")
    ] = CLASS3
    smf_capacity_mib_per_day: Annotated[
        Positive, FromEstate("smf_capacity_mib_per_day", "the SMF log stream or data sets")
    ]
    queues: Annotated[PositiveCount, FromEstate("accounting_queues")] = 2
    volume_mib_per_day: Annotated[
        Amount | None, FromMetric("accounting_mib_per_day", Statistic.mean, record=RECORDS)
    ] = None


def _is_accounted(values: ValuesByName) -> bool:
    """Return whether a class or a number is configured, or records and room for them are known."""
    if values.get("accounting_class") is not None:
        return True
    number, measured = values.get("transactions_per_day"), values.get("volume_mib_per_day")
    room = values.get("smf_capacity_mib_per_day")
    return (number if measured is None else room) is not None


@rule(
    "SMF-ACCT-BYTES",
    "Accounting volume",
    mp16("How much data is written?"),
    ResourceKind.accounting,
    watches="volume_mib_per_day",
    breach_severity=Severity.watch,
    applies=_is_accounted,
)
def smf_acct_bytes(inputs: AccountingInputs) -> Assessment:
    """Measured, else 436 bytes of a transaction with class 1; 8,324 and 2,792 a queue with 3."""
    volume, line = _volume(inputs)
    caveats: str | tuple[str, ...] = MEASURED if inputs.volume_mib_per_day is not None else ()
    if not caveats and inputs.accounting_class == CLASS3 and inputs.queues not in MEASURED_QUEUES:
        caveats = (
            "MP16 measured class 3 with two and with eight queues; for "
            f"{counted(inputs.queues, 'queue')} the volume is extrapolated (ours)."
        )
    return Assessment(
        observed=volume,
        limit=inputs.smf_capacity_mib_per_day,
        unit="MiB/day",
        series_limit=inputs.smf_capacity_mib_per_day,
        arithmetic=line,
        advice="Nothing to change: SMF has room for it.",
        caveats=caveats,
    ).past_limit("Use SMF log streams, compress them (zEDC), or account with class 1.")


def _volume(inputs: AccountingInputs) -> tuple[float, str]:
    """Return the volume and how it was found: as measured, else by the bytes of MP16."""
    measured = inputs.volume_mib_per_day
    if measured is not None:
        return measured, f"volume = {figure(measured)} MiB a day, the bytes of the records"
    each = _bytes_of(inputs.accounting_class, inputs.queues)
    volume = each * inputs.transactions_per_day / MIB_BYTES
    return volume, (
        f"volume = {figure(inputs.transactions_per_day)} x {each} bytes / "
        f"{MIB_BYTES} = {figure(volume)} MiB a day"
    )


def _bytes_of(accounting_class: int, queues: int) -> int:
    if accounting_class != CLASS3:
        return CLASS1_BYTES
    return CLASS3_BYTES + CLASS3_QUEUE_BYTES * (queues - 2)


@form_of("SMF-ACCT-BYTES")
def accounting_volume(
    accounting_class: AccountingClass, transactions: Count, queues: PositiveCount = 2
) -> Figures:
    """Of that many transactions; MB is 2^20. Queues count for class 3 only.

    ``extrapolated`` is true with fewer than two or more than eight queues: MP16 prints none of
    these.
    """
    each = _bytes_of(accounting_class, queues)
    return {
        "bytes_per_transaction": each,
        "mib": each * transactions / MIB_BYTES,
        "extrapolated": accounting_class == CLASS3 and queues not in MEASURED_QUEUES,
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
    return {"total_us": base_us + added, "increase_pct": 100 * added / base_us}


@form_of("SMF-LOST")
def lost_data(csqw133e_count: Count) -> Figures:
    """The first CSQW133E is a loss."""
    return {"breach": csqw133e_count > 0}


@form_of("SMF-LOST")
def log_stream_capacity(rate_mb_per_s: Positive, compressed: bool = False) -> Figures:
    """Log streams carry twice the rate without loss, and zEDC 3.8 times that."""
    return {"rate_mb_per_s": rate_mb_per_s * 2 * (3.8 if compressed else 1)}
