"""Accounting data: whether SMF has room for it, and whether any was lost."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import NonNegativeFloat, PositiveFloat, PositiveInt

from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import counted, figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import MIB_BYTES
from sizing.rulebook.assessment import Assessment, Inputs, with_advice
from sizing.rulebook.entry import RuleTraits, only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import mp16
from sizing.trend import EVENT

VOLUME: Final = mp16("How much data is written?")
LOST: Final = mp16("Accounting Trace Costs")

CLASS1_BYTES: Final = 436
CLASS3_BYTES: Final = 8_324
CLASS3_QUEUE_BYTES: Final = 2_792
"""Ours: of each queue beside the first two."""
CLASS3_MEASURED_QUEUES: Final = range(2, 9)
"""Numbers of queues between those that MP16 prints."""


class AccountingInputs(Inputs):
    """Transactions of a day that are accounted, and the room that SMF has for them."""

    transactions_per_day: Annotated[
        NonNegativeFloat, FromEstate("accounting_transactions_per_day", "records of SMF 116")
    ]
    accounting_class: Annotated[PositiveInt, FromEstate("accounting_class", "DISPLAY TRACE(ACCTG)")]
    smf_capacity_mib_per_day: Annotated[
        PositiveFloat, FromEstate("smf_capacity_mib_per_day", "the SMF log stream or data sets")
    ]
    queues: Annotated[PositiveInt, FromEstate("accounting_queues")] = 2


@rule(
    "SMF-ACCT-BYTES",
    "Accounting volume",
    VOLUME,
    RuleTraits(
        subject_kind=SubjectKind.queue_manager,
        resource=ResourceKind.accounting,
        breach_severity=Severity.watch,
        applies=only_with("transactions_per_day", "accounting_class"),
    ),
)
def smf_acct_bytes(inputs: AccountingInputs) -> Assessment:
    """436 bytes of a transaction with class 1; 8,324 and 2,792 for each further queue with 3."""
    each = CLASS1_BYTES
    if inputs.accounting_class == 3:
        each = CLASS3_BYTES + CLASS3_QUEUE_BYTES * (inputs.queues - 2)
    volume = each * inputs.transactions_per_day / MIB_BYTES
    return with_advice(
        Assessment(
            observed=volume,
            limit=inputs.smf_capacity_mib_per_day,
            unit="MiB/day",
            arithmetic=(
                (
                    f"volume = {figure(inputs.transactions_per_day)} x {each} bytes / "
                    f"{MIB_BYTES} = {figure(volume)} MiB a day"
                ),
            ),
            advice="Nothing to change: SMF has room for it.",
            caveats=_caveats(inputs),
        ),
        "Use SMF log streams, compress them (zEDC), or account with class 1.",
    )


def _caveats(inputs: AccountingInputs) -> tuple[str, ...]:
    if inputs.accounting_class != 3 or inputs.queues in CLASS3_MEASURED_QUEUES:
        return ()
    return (
        (
            "MP16 measured class 3 with two and with eight queues; for "
            f"{counted(inputs.queues, 'queue')} the volume is extrapolated (ours)."
        ),
    )


class LostInputs(Inputs):
    """CSQW133E of an hour, from the console log or as the site counts them."""

    lost_per_h: Annotated[
        NonNegativeFloat,
        FromMetric("trace_lost_count", record="CSQW133E of the console log"),
        FromEstate("accounting_lost_count", "CSQW133E"),
    ]


@rule(
    "SMF-LOST",
    "Accounting data lost",
    LOST,
    RuleTraits(
        subject_kind=SubjectKind.queue_manager,
        resource=ResourceKind.accounting,
        watches="lost_per_h",
        undated=EVENT,
        breach_severity=Severity.watch,
        graded=False,
        applies=only_with("lost_per_h"),
    ),
)
def smf_lost(inputs: LostInputs) -> Assessment:
    """The first CSQW133E is a loss."""
    return with_advice(
        Assessment(
            observed=inputs.lost_per_h,
            limit=0,
            unit="count/h",
            arithmetic=("limit = 0 CSQW133E",),
            states_limit=True,
            advice="Nothing to change: SMF takes all of it.",
        ),
        "Write SMF to log streams (twice the rate), compressed (3.8 times that), or account less.",
    )
