"""Loads by applications, and what they cost: one queue, units of work, opens, selectors, expiry."""

import math
from typing import Annotated, Final

from mqcap.domain.finding import Change, Severity
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.units import Amount, Count, Positive, PositiveCount
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.entry import Figures, only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import calculator, form_of, rule
from sizing.sources import mp16
from sizing.table import curve, interpolate

UOW_MAX: Final = 200
QUEUES: Final = "SMF 115 subtype 216 (STATQ, MQ 9.3 and later)"
CLASS3: Final = "class 3 accounting (SMF 116)"
MEAN_OF_TASK: Final = (
    "The mean of the units of work in the accounting record of a task; a single one can be larger."
)

LARGE_UOW = mp16("Large Units of Work")
SELECTOR = mp16("How do I know if I am using a good message selector?")
UNDEFINED = mp16("Frequent opening of un-defined queues")
SHARED_OPEN = mp16("Frequent opening of shared queues")
EXPIRY = mp16("Queue manager initiated expiry processing")

UOW_WARN: Final = 100
SKIP_US: Final = 0.2
"""2500 skips were measured at 500 us."""
OPEN_UNDEFINED_US: Final = (59.4, 54.4)
OPEN_IN_US: Final = {1: (27, 21), 2: (122, 31), 3: (520, 51)}
OPEN_OUT_US: Final = {1: (6, 6), 2: (17, 16), 3: (29, 29)}
"""Elapsed and CPU of an MQOPEN by number of queue managers."""
ASYNCHRONOUS_RATIO: Final = 1.5
"""Ours: between the 1 of synchronous and the 2 of asynchronous deletes."""


@rule(
    "THR-NP-PRIVATE",
    "Busiest private queue",
    mp16("What is the maximum message rate through a single private queue?"),
    ResourceKind.applications,
    watches="messages_per_s",
    applies=only_with("messages_per_s"),
    amounts=(TypedKind.queues,),
)
def thr_np_private(
    messages_per_s: Annotated[Amount, FromMetric("private_queue_messages_per_s", record=QUEUES)],
    message_bytes: Annotated[
        Positive, FromMetric("private_queue_message_bytes", Statistic.mean, record=QUEUES)
    ],
) -> Assessment:
    """Compare with the non-persistent messages of that size that a queue carries (z16, F-20)."""
    most = interpolate(
        curve("private_queue_rate", "message_bytes", "messages_per_s"), message_bytes
    )
    return Assessment(
        observed=messages_per_s,
        limit=most,
        unit="count/s",
        arithmetic=f"limit = measured rate for {figure(message_bytes)} bytes = {figure(most)}",
        advice="Nothing to change: one queue carries it.",
        caveats="A measurement of IBM's; an own one is better.",
    ).past_limit(
        "Spread the messages over more queues.",
        lambda: Change(
            action="Spread the messages over that many queues.",
            amount=TypedAmount.of(TypedKind.queues, math.ceil(messages_per_s / most)),
            side_effects="applications must put and get over all of them; order is per queue.",
        ),
    )


@rule(
    "APP-UOW-MAX",
    "Messages of a unit of work",
    mp16("Application level performance considerations"),
    ResourceKind.applications,
    watches="messages",
    breach_severity=Severity.watch,
    applies=only_with("messages"),
)
def app_uow_max(
    messages: Annotated[
        Amount,
        FromEstate("uow_messages_max", CLASS3),
        FromMetric("uow_messages_count", record=CLASS3),
    ],
    task_messages: Annotated[Amount | None, FromMetric("uow_messages_count", record=CLASS3)] = None,
) -> Assessment:
    """At most 200 messages; another place says 100 puts, which is the warning (F-07)."""
    return Assessment(
        observed=messages,
        limit=UOW_MAX,
        unit="messages",
        arithmetic=f"limit = {UOW_MAX} messages in one unit of work",
        advice="Nothing to change: units of work are small.",
        caveats=(MEAN_OF_TASK,) if messages == task_messages else (),
    ).past_limit("Commit more often.")


@form_of("APP-UOW-MAX")
def unit_of_work(messages_per_commit: Count) -> Figures:
    """Warn above 100, breach above 200: two places give the two numbers (F-07)."""
    return {"warn": messages_per_commit > UOW_WARN, "breach": messages_per_commit > UOW_MAX}


@calculator("APP-UOW-COST", "Cost of commits", LARGE_UOW)
def commit_cost(messages: Count, messages_per_commit: PositiveCount) -> Figures:
    """Measured with 1 and 1000 messages a commit; linear between (ours)."""
    commits = math.ceil(messages / messages_per_commit)
    return {
        "commit_cpu_us": commits * interpolate(((1, 2), (1_000, 4)), messages_per_commit),
        "commit_elapsed_us": commits * interpolate(((1, 7), (1_000, 51)), messages_per_commit),
    }


@calculator("APP-UOW-FAILEDGETS", "Gets against uncommitted puts", LARGE_UOW)
def failed_gets(uncommitted: Count, us_each: Amount = 1) -> Figures:
    """Each failed get passes over every message not yet committed."""
    return {"cpu_ms": uncommitted * us_each / 1_000}


@form_of("APP-SKIPS")
def skips_per_get(skips: Count, gets: PositiveCount) -> Figures:
    """Computed from the counters; the printed value is another column (F-18)."""
    return {"skips_per_get": skips / gets, "us_per_get": skips / gets * SKIP_US}


@form_of("APP-SKIPS")
def time_of_gets(gets: Count, avg_elapsed_us: Amount, avg_cpu_us: Amount) -> Figures:
    """All gets together."""
    return {"elapsed_s": gets * avg_elapsed_us / 1e6, "cpu_s": gets * avg_cpu_us / 1e6}


@calculator("APP-GETRATE", "Gets of one task", SELECTOR)
def get_rate(us_per_get: Positive) -> Figures:
    """Return the gets per second in sequence; 500 us give 2000, not the printed 200 (F-18)."""
    return {"max_gets_per_s": 1e6 / us_per_get}


@form_of("APP-SELECTOR-SHARED")
def list_calls_per_get(ixllstm_calls: Count, gets: PositiveCount) -> Figures:
    """No limit is given; a rise without more messages is the sign."""
    return {"calls_per_get": ixllstm_calls / gets}


@calculator("APP-OPEN-UNDEF", "Opening undefined queues", UNDEFINED)
def undefined_opens(opens: Count) -> Figures:
    """Queue manager and Db2 both look for it: 8 to 10 times a good open."""
    queue_manager, db2 = (opened_us * opens for opened_us in OPEN_UNDEFINED_US)
    return {"queue_manager_us": queue_manager, "db2_us": db2, "total_us": queue_manager + db2}


@calculator("APP-OPEN-SHARED-IN", "First open of a shared queue, input", SHARED_OPEN)
def open_wait_input(
    elapsed_us: Amount, cpu_us: Amount, queue_managers: PositiveCount = 1
) -> Figures:
    """The time not spent on CPU; a holder of the queue with the same open type removes it."""
    return {"queue_managers": queue_managers, "wait_us": elapsed_us - cpu_us}


@form_of("APP-OPEN-SHARED-IN")
def open_input(queue_managers: PositiveCount) -> Figures:
    """Measured with one to three; the last for more."""
    return _open(OPEN_IN_US, queue_managers)


@form_of("APP-OPEN-SHARED-IN")
def open_increase(from_us: Positive, to_us: Amount) -> Figures:
    """Per cent; computed, because one printed value does not follow (F-34)."""
    return {"increase_pct": 100 * (to_us - from_us) / from_us}


@calculator("APP-OPEN-SHARED-OUT", "First open of a shared queue, output", SHARED_OPEN)
def open_wait_output(
    elapsed_us: Amount, cpu_us: Amount, queue_managers: PositiveCount = 1
) -> Figures:
    """The time not spent on CPU."""
    return {"queue_managers": queue_managers, "wait_us": elapsed_us - cpu_us}


@form_of("APP-OPEN-SHARED-OUT")
def open_output(queue_managers: PositiveCount) -> Figures:
    """Measured with one to three; the last for more."""
    return _open(OPEN_OUT_US, queue_managers)


@form_of("APP-OPEN-CF")
def opens_at_cf(with_cf_access: Count, without_cf_access: Count) -> Figures:
    """Share of all opens; hold the queue open to bring it down."""
    opens = with_cf_access + without_cf_access
    return {"cf_access_pct": 100 * with_cf_access / opens if opens else 0}


@form_of("APP-TEMPDYN")
def dynamic_queues(creates: PositiveCount, deletes: Count) -> Figures:
    """Twice as many deletes as creates: closed before the commit, deleted later."""
    late = deletes / creates >= ASYNCHRONOUS_RATIO
    return {
        "deletes_per_create": deletes / creates,
        "mode": "asynchronous" if late else "synchronous",
    }


@calculator("APP-EXPIRY", "CPU of expiry scans", EXPIRY)
def expiry_scan(messages_scanned: Count, us_per_message: Amount = 5) -> Figures:
    """5 us for each message scanned, 10 when it has expired; double on SMDS."""
    return {"cpu_s": messages_scanned * us_per_message / 1e6}


@form_of("APP-EXPIRY")
def expiry_load(
    messages_scanned: Count, us_per_message: Amount, expryint_s: PositiveCount
) -> Figures:
    """A scan every EXPRYINT (5 s or more) as a share of one processor."""
    return {"cpu_pct": 100 * messages_scanned * us_per_message / 1e6 / expryint_s}


def _open(measured: dict[int, tuple[int, int]], queue_managers: int) -> Figures:
    elapsed, cpu = measured[min(queue_managers, max(measured))]
    return {"elapsed_us": elapsed, "cpu_us": cpu, "wait_us": elapsed - cpu}
