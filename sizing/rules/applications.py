"""Loads by applications: the rate of one queue, units of work."""

import math
from typing import Annotated, Final

from pydantic import NonNegativeFloat, PositiveFloat

from mqcap.domain.finding import Change, Severity
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.entry import only_with
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import mp16
from sizing.table import curve, interpolate

UOW_MAX: Final = 200
QUEUES: Final = "SMF 115 subtype 216 (STATQ, MQ 9.3 and later)"
CLASS3: Final = "class 3 accounting (SMF 116)"
MEAN_OF_TASK: Final = (
    "The mean of the units of work in the accounting record of a task; a single one can be larger."
)


@rule(
    "THR-NP-PRIVATE",
    "Busiest private queue",
    mp16("What is the maximum message rate through a single private queue?"),
    SubjectKind.queue_manager,
    ResourceKind.applications,
    watches="messages_per_s",
    applies=only_with("messages_per_s"),
    amounts=(TypedKind.queues,),
)
def thr_np_private(
    messages_per_s: Annotated[
        NonNegativeFloat, FromMetric("private_queue_messages_per_s", record=QUEUES)
    ],
    message_bytes: Annotated[
        PositiveFloat, FromMetric("private_queue_message_bytes", Statistic.mean, record=QUEUES)
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
        arithmetic=(f"limit = measured rate for {figure(message_bytes)} bytes = {figure(most)}",),
        advice="Nothing to change: one queue carries it.",
        caveats=("A measurement of IBM's; an own one is better.",),
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
    SubjectKind.queue_manager,
    ResourceKind.applications,
    watches="messages",
    breach_severity=Severity.watch,
    applies=only_with("messages"),
)
def app_uow_max(
    messages: Annotated[
        NonNegativeFloat,
        FromEstate("uow_messages_max", CLASS3),
        FromMetric("uow_messages_count", record=CLASS3),
    ],
    task_messages: Annotated[
        NonNegativeFloat | None, FromMetric("uow_messages_count", record=CLASS3)
    ] = None,
) -> Assessment:
    """At most 200 messages; another place says 100 puts, which is the warning (F-07)."""
    return Assessment(
        observed=messages,
        limit=UOW_MAX,
        unit="messages",
        arithmetic=(f"limit = {UOW_MAX} messages in one unit of work",),
        advice="Nothing to change: units of work are small.",
        caveats=(MEAN_OF_TASK,) if messages == task_messages else (),
    ).past_limit("Commit more often.")
