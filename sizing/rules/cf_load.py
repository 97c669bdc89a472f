"""Load of a coupling facility: of another one, of queues that move, of messages and structures."""

from functools import partial
from typing import Annotated, Final, Literal

from mqcap.domain.finding import Change, Severity
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import Amount, Count, Percent, Positive, PositiveCount, UsedPercent
from sizing.cf_limits import BUSY_MAX_PCT, CF_RECORD, Busy, Engines, busy_max_pct, more_engines
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.entry import Figures, only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import calculator, form_of, rule
from sizing.sources import mp16, sysplex
from sizing.table import curve, interpolate

SHARED_QUEUE_CF_US: Final = 48.01
"""CF time of a request and reply of 2 KB over shared queues (SYS-COST)."""
USAGE = mp16("Shared queue persistent message - CF usage")
HOST = mp16("Shared queue persistent message request/reply CPU costs")
FACILITY = mp16("Shared queue persistent message request/reply CF costs")
DUPLEX_APP = mp16("Duplexing an application structure")
DISTANCE = mp16("How does use of duplexed CF structures affect performance")
IDLE = mp16("What is the impact of having Queue Managers active in a QSG but doing no work?")

DUPLEX_CPU: Final = {
    ("1KB", True): 1.15,
    ("1KB", False): 1.30,
    ("32KB", True): 1.12,
    ("32KB", False): 1.25,
}
"""Host CPU by message size and persistence, application structures duplexed."""
DUPLEX_ADMIN_THROUGHPUT_PCT: Final = {
    ("1KB", True): -25,
    ("32KB", True): -12,
    ("1KB", False): -30,
    ("32KB", False): -20,
}


_load_rule: Final = partial(
    rule,
    resource=ResourceKind.coupling_facility,
    watches="busy_pct",
    breach_severity=Severity.watch,
    amounts=("engines",),
)


@_load_rule(
    "CF-SURVIVOR",
    "Coupling facility carries another's load",
    mp16("When do I need to add more engines to my Coupling Facility?"),
    applies=only_with("takes_over"),
    fault="Coupling facility cannot carry another's load",
)
def cf_survivor(
    busy_pct: Busy,
    engines: Engines,
    lost_busy_pct: Annotated[
        UsedPercent, FromMetric("cf_busy_pct", of="takes_over", record=CF_RECORD)
    ],
    lost_engines: Annotated[
        Positive, FromMetric("cf_engine_count", days=7, of="takes_over", record=CF_RECORD)
    ],
    takes_over: Annotated[str | None, FromEstate("takes_over")] = None,
) -> Assessment:
    """Ours, N - 1: busy with the other's structures against the same limit as CF-BUSY-1 and -N."""
    used = busy_pct * engines + lost_busy_pct * lost_engines
    busy = used / engines
    limit = busy_max_pct(engines)
    own = limit - lost_busy_pct * lost_engines / engines
    other = f"{figure(lost_busy_pct)} % x {figure(lost_engines)}"
    return Assessment(
        observed=busy,
        limit=limit,
        unit="%",
        series_limit=own,
        summary=f"with the structures of {takes_over or 'the other CF'} it would be "
        f"{figure(busy)} % busy; the limit is {limit} %.",
        arithmetic=(
            f"engine time = {figure(busy_pct)} % x {engines} + {other} = {figure(used)} %",
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


@_load_rule(
    "SYS-CF-CHECK",
    "Coupling facility busy after a move",
    sysplex("What happens when the workload is scaled"),
    applies=only_with("transactions_per_s"),
)
def sys_cf_check(
    busy_pct: Busy,
    engines: Engines,
    transactions_per_s: Annotated[
        Amount, FromEstate("moved_transactions_per_s", "the plan of the move")
    ],
    us_per_transaction: Annotated[
        Positive, FromEstate("moved_us_per_transaction", "CF-COST-FROM-BUSY")
    ] = SHARED_QUEUE_CF_US,
) -> Assessment:
    """Busy of now and the CF time of the transactions to come, against the CF's own limit."""
    added = 100 * transactions_per_s * us_per_transaction / (engines * 1e6)
    busy = busy_pct + added
    limit = busy_max_pct(engines)
    moved = f"{figure(transactions_per_s)} /s x {figure(us_per_transaction)} us"
    return Assessment(
        observed=busy,
        limit=limit,
        unit="%",
        series_limit=limit - added,
        arithmetic=(
            f"added = 100 x {moved} / ({engines} x 1,000,000 us) = {figure(added)} %",
            f"busy = {figure(busy_pct)} % + {figure(added)} % = {figure(busy)} %",
        ),
        advice="Nothing to change: the CF has room for the move.",
    ).past_limit(
        "Add engines before the move, or move the messages over channels with SMC instead.",
        lambda: _engines(busy * engines),
    )


def _engines(used_pct: float) -> Change | None:
    """Engines that bring so much engine time to the limit of several engines; two at least."""
    return more_engines(used_pct, 2, f" ({figure(used_pct)} % / {BUSY_MAX_PCT} %)")


@form_of("CF-RESPONSE")
def service_time(cf_busy_pct: Percent) -> Figures:
    """Measured at 20 % and 70 % busy; between and above, the nearest lower point is given.

    The response is not linear, so nothing is drawn between the points; ``async_us`` is
    ``None`` below 70 %.
    """
    busy = cf_busy_pct >= 70
    return {"sync_us": 9.9 if busy else 4.4, "async_us": 600 if busy else None}


@calculator("CF-COST-MSG", "CF time of a shared queue message", USAGE)
def message_cost(message_bytes: Count, link: Literal["ICP"] = "ICP") -> Figures:
    """28 us at 1000 bytes, 30 at 5000, with internal links; a transaction is two messages."""
    del link  # the only one that was measured
    each = interpolate(((1_000, 28), (5_000, 30)), message_bytes)
    return {"cf_us_per_message": each, "cf_us_per_transaction": 2 * each}


@calculator("CF-UTIL", "CF busy from a message rate", USAGE)
def busy_of_rate(
    messages_per_s: Amount,
    cf_us_per_message: Positive,
    engines: PositiveCount,
    other_busy_pct: Percent = 0,
) -> Figures:
    """The messages' time over all engines, and what others already use."""
    busy = 100 * messages_per_s * cf_us_per_message / (engines * 1e6) + other_busy_pct
    return {"busy_pct": busy, "breach": busy > busy_max_pct(engines)}


@form_of("CF-UTIL")
def rate_of_busy(
    max_busy_pct: Percent, cf_us_per_message: Positive, engines: PositiveCount
) -> Figures:
    """The rate at which the engines reach so much."""
    return {"messages_per_s": max_busy_pct / 100 * engines * 1e6 / cf_us_per_message}


@calculator("CF-COST-FROM-BUSY", "CF time from busy", sysplex("Transaction Cost"))
def cost_of_busy(
    busy_pct: Percent, engines: PositiveCount, transactions_per_s: Positive
) -> Figures:
    """Local cost of a transaction, better than the published one."""
    return {"cf_us_per_transaction": busy_pct / 100 * engines * 1e6 / transactions_per_s}


@form_of("CF-COST-FROM-BUSY")
def rate_from_cost(
    busy_pct: Percent, engines: PositiveCount, cf_us_per_transaction: Positive
) -> Figures:
    """The same the other way round."""
    return {"transactions_per_s": busy_pct / 100 * engines * 1e6 / cf_us_per_transaction}


@calculator("CF-HOST-COST", "Host CPU of a shared queue message", HOST)
def host_cost(
    message_bytes: Count, cflevel: Literal[4, 5], offload: Literal["SMDS"] | None = None
) -> Figures:
    """Put and got, persistent, z16; level 5 with SMDS. Interpolated between sizes."""
    return _measured("cf_host_cost", message_bytes, cflevel, offload)


@calculator("CF-CF-COST", "CF CPU of a shared queue message", FACILITY)
def facility_cost(
    message_bytes: Count, cflevel: Literal[4, 5], offload: Literal["SMDS"] | None = None
) -> Figures:
    """Low from 32 KB at level 5 partly because the offload thresholds were reached."""
    return _measured("cf_cf_cost", message_bytes, cflevel, offload)


@calculator("CF-DUPLEX-ADMIN", "Duplexing CSQ_ADMIN", mp16("Duplexing the CSQ_ADMIN structure"))
def duplexed_admin(message_size: Literal["1KB", "32KB"], persistent: bool) -> Figures:
    """Throughput with a fast link to the primary; CPU up to 30 % more."""
    return {"throughput_change_pct": DUPLEX_ADMIN_THROUGHPUT_PCT[message_size, persistent]}


@calculator("CF-DUPLEX-APP", "Duplexing application structures", DUPLEX_APP)
def duplexed_application(message_size: Literal["1KB", "32KB"], persistent: bool) -> Figures:
    """Host CPU factor; the primary CF carries twice the load, the secondary nearly as much."""
    return {
        "cpu_factor": DUPLEX_CPU[message_size, persistent],
        "primary_cf_factor": 2,
        "secondary_cf_factor": 2,
    }


@calculator("CF-DUPLEX-DISTANCE", "Distance between duplexed CFs", DISTANCE)
def duplexed_distance(distance_km: Amount) -> Figures:
    """10 km add 200 to 250 us to each update; in proportion is ours."""
    return {"added_from_us": 20 * distance_km, "added_to_us": 25 * distance_km}


@calculator("CF-IDLEQM", "Idle queue managers in the group", IDLE)
def idle_drop(before_per_s: Positive, after_per_s: Amount) -> Figures:
    """Ten idle members cost less than 1 %."""
    return {"drop_pct": 100 * (before_per_s - after_per_s) / before_per_s}


def _measured(table: str, message_bytes: int, cflevel: int, offload: str | None) -> Figures:
    del offload  # the table of level 5 is the one with SMDS
    points = curve(table, "message_bytes", "us_per_message", cflevel=cflevel)
    return {"us_per_message": interpolate(points, message_bytes)}
