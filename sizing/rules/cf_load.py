"""Load that a coupling facility may have to carry: of another one, or of queues that move."""

import math
from typing import Annotated, Final

from pydantic import NonNegativeFloat, PositiveFloat, PositiveInt

from mqcap.domain.finding import Change, Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount
from mqcap.domain.units import UsedPercent
from sizing.cf_limits import BUSY_MAX_PCT, ENGINES_MAX, busy_max_pct
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.entry import only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import mp16, sysplex

SHARED_QUEUE_CF_US: Final = 48.01
"""CF time of a request and reply of 2 KB over shared queues (SYS-COST)."""
RECORD: Final = "SMF 74 subtype 4"

Busy = Annotated[UsedPercent, FromMetric("cf_busy_pct", record=RECORD)]
Engines = Annotated[
    PositiveInt,
    FromEstate("engines", "D CF"),
    FromMetric("cf_engine_count", days=7, record=RECORD),
]


@rule(
    "CF-SURVIVOR",
    "Coupling facility carries another's load",
    mp16("When do I need to add more engines to my Coupling Facility?"),
    SubjectKind.coupling_facility,
    ResourceKind.coupling_facility,
    watches="busy_pct",
    breach_severity=Severity.watch,
    applies=only_with("takes_over"),
    amounts=("engines",),
    fault="Coupling facility cannot carry another's load",
)
def cf_survivor(
    busy_pct: Busy,
    engines: Engines,
    lost_busy_pct: Annotated[
        UsedPercent, FromMetric("cf_busy_pct", of="takes_over", record=RECORD)
    ],
    lost_engines: Annotated[
        PositiveFloat,
        FromMetric("cf_engine_count", days=7, of="takes_over", record=RECORD),
    ],
    takes_over: Annotated[str | None, FromEstate("takes_over")] = None,
) -> Assessment:
    """Ours, N - 1: busy with the other's structures against the same limit as CF-BUSY-1 and -N."""
    used = busy_pct * engines + lost_busy_pct * lost_engines
    busy = used / engines
    limit = busy_max_pct(engines)
    own = limit - lost_busy_pct * lost_engines / engines
    return Assessment(
        observed=busy,
        limit=limit,
        unit="%",
        series_limit=own,
        summary=f"with the structures of {takes_over or 'the other CF'} it would be "
        f"{figure(busy)} % busy; the limit is {limit} %.",
        arithmetic=(
            (
                f"engine time = {figure(busy_pct)} % x {engines} + "
                f"{figure(lost_busy_pct)} % x {figure(lost_engines)} = "
                f"{figure(used)} %"
            ),
            f"busy = {figure(used)} % / {engines} engines = {figure(busy)} %",
            f"its own load may be {figure(own)} % with the other's peak as it is",
        ),
        advice="Nothing to change: it carries both.",
        caveats=(
            "A planner's option, not a rule of MP16: both peaks are taken at once.",
            "Duplexed structures are counted on both sides already.",
        ),
    ).past_limit(
        "Give it more engines, of which a CF has 16 at most, or spread structures over a third CF.",
        lambda: _engines(used),
    )


@rule(
    "SYS-CF-CHECK",
    "Coupling facility busy after a move",
    sysplex("What happens when the workload is scaled"),
    SubjectKind.coupling_facility,
    ResourceKind.coupling_facility,
    watches="busy_pct",
    breach_severity=Severity.watch,
    applies=only_with("transactions_per_s"),
    amounts=("engines",),
)
def sys_cf_check(
    busy_pct: Busy,
    engines: Engines,
    transactions_per_s: Annotated[
        NonNegativeFloat, FromEstate("moved_transactions_per_s", "the plan of the move")
    ],
    us_per_transaction: Annotated[
        PositiveFloat, FromEstate("moved_us_per_transaction", "CF-COST-FROM-BUSY")
    ] = SHARED_QUEUE_CF_US,
) -> Assessment:
    """Busy of now and the CF time of the transactions to come, against the CF's own limit."""
    added = 100 * transactions_per_s * us_per_transaction / (engines * 1e6)
    busy = busy_pct + added
    limit = busy_max_pct(engines)
    return Assessment(
        observed=busy,
        limit=limit,
        unit="%",
        series_limit=limit - added,
        arithmetic=(
            (
                f"added = 100 x {figure(transactions_per_s)} /s x "
                f"{figure(us_per_transaction)} us / ({engines} x 1,000,000 us) = "
                f"{figure(added)} %"
            ),
            f"busy = {figure(busy_pct)} % + {figure(added)} % = {figure(busy)} %",
        ),
        advice="Nothing to change: the CF has room for the move.",
    ).past_limit(
        "Add engines before the move, or move the messages over channels with SMC instead.",
        lambda: _engines(busy * engines),
    )


def _engines(used_pct: float) -> tuple[Change, ...]:
    """Engines that bring so much engine time to the limit of several engines; two at least."""
    wanted = max(math.ceil(used_pct / BUSY_MAX_PCT), 2)
    if wanted > ENGINES_MAX:
        return ()
    return (
        Change(
            action=f"Give the CF {wanted} engines ({figure(used_pct)} % / {BUSY_MAX_PCT} %): "
            f"about {figure(used_pct / wanted)} % busy (first estimate, ours).",
            amount=TypedAmount.of("engines", wanted),
            side_effects="an engine of the machine, and its licence, for the CF image.",
        ),
    )
