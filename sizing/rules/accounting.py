"""Accounting data: whether SMF has room for it, and whether any was lost."""

from typing import Annotated, Final

from pydantic import NonNegativeFloat, PositiveFloat, PositiveInt

from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.numbers import counted, figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import MIB_BYTES
from sizing.rulebook.assessment import Assessment, Inputs
from sizing.rulebook.entry import ValuesByName
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import mp16

TASKS: Final = "class 3 accounting (SMF 116 subtype 1)"
RECORDS: Final = "SMF 116 subtypes 1, 2 and 10"
MEASURED: Final = "Records of class 1 state no interval and are not in the measured volume."
CLASS3: Final = 3
CLASS1_BYTES: Final = 436
CLASS3_BYTES: Final = 8_324
CLASS3_QUEUE_BYTES: Final = 2_792
"""Ours: of each queue beside the first two."""
CLASS3_MEASURED_QUEUES: Final = range(2, 9)
"""Numbers of queues between those that MP16 prints."""


class AccountingInputs(Inputs):
    """Transactions of a day that are accounted, and the room that SMF has for them."""

    transactions_per_day: Annotated[
        NonNegativeFloat,
        FromEstate("accounting_transactions_per_day", "records of SMF 116"),
        FromMetric("accounting_tasks_per_day", Statistic.mean, record=TASKS),
    ]
    accounting_class: Annotated[
        PositiveInt, FromEstate("accounting_class", "DISPLAY TRACE(ACCTG)")
    ] = CLASS3
    smf_capacity_mib_per_day: Annotated[
        PositiveFloat, FromEstate("smf_capacity_mib_per_day", "the SMF log stream or data sets")
    ]
    queues: Annotated[PositiveInt, FromEstate("accounting_queues")] = 2
    volume_mib_per_day: Annotated[
        NonNegativeFloat | None,
        FromMetric("accounting_mib_per_day", Statistic.mean, record=RECORDS),
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
    SubjectKind.queue_manager,
    ResourceKind.accounting,
    watches="volume_mib_per_day",
    breach_severity=Severity.watch,
    applies=_is_accounted,
)
def smf_acct_bytes(inputs: AccountingInputs) -> Assessment:
    """Measured, else 436 bytes of a transaction with class 1; 8,324 and 2,792 a queue with 3."""
    volume, line = _volume(inputs)
    return Assessment(
        observed=volume,
        limit=inputs.smf_capacity_mib_per_day,
        unit="MiB/day",
        series_limit=inputs.smf_capacity_mib_per_day,
        arithmetic=(line,),
        advice="Nothing to change: SMF has room for it.",
        caveats=_caveats(inputs),
    ).past_limit("Use SMF log streams, compress them (zEDC), or account with class 1.")


def _volume(inputs: AccountingInputs) -> tuple[float, str]:
    """Return the volume and how it was found: as measured, else by the bytes of MP16."""
    measured = inputs.volume_mib_per_day
    if measured is not None:
        return measured, f"volume = {figure(measured)} MiB a day, the bytes of the records"
    each = CLASS1_BYTES
    if inputs.accounting_class == CLASS3:
        each = CLASS3_BYTES + CLASS3_QUEUE_BYTES * (inputs.queues - 2)
    volume = each * inputs.transactions_per_day / MIB_BYTES
    return volume, (
        f"volume = {figure(inputs.transactions_per_day)} x {each} bytes / "
        f"{MIB_BYTES} = {figure(volume)} MiB a day"
    )


def _caveats(inputs: AccountingInputs) -> tuple[str, ...]:
    if inputs.volume_mib_per_day is not None:
        return (MEASURED,)
    if inputs.accounting_class != CLASS3 or inputs.queues in CLASS3_MEASURED_QUEUES:
        return ()
    return (
        (
            "MP16 measured class 3 with two and with eight queues; for "
            f"{counted(inputs.queues, 'queue')} the volume is extrapolated (ours)."
        ),
    )
