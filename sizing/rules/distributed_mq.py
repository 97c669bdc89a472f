"""Queue managers that are not on z/OS: channels against their limits, and depth of queues."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import NonNegativeFloat, PositiveFloat

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import UsedPercent
from sizing.rulebook.assessment import Assessment, Inputs, Reaching, with_advice
from sizing.rulebook.entry import RuleTraits, ValuesByName, only_with
from sizing.rulebook.input_sources import FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import distributed

FULL_PCT: Final = 100
PROMETHEUS: Final = "Prometheus, DISPLAY QMSTATUS or amqsrua"


class MaxChannelsInputs(Inputs):
    """Most connections and the most channels that may be started."""

    connections: Annotated[NonNegativeFloat, FromMetric("mq_connection_count", record=PROMETHEUS)]
    max_channels: Annotated[
        PositiveFloat, FromMetric("mq_max_channels_count", record="qm.ini, MaxChannels")
    ]


@rule(
    "DST-CHANNELS",
    "Connections and MaxChannels",
    distributed("Channels stanza of the qm.ini file"),
    RuleTraits(
        subject_kind=SubjectKind.distributed_queue_manager,
        resource=ResourceKind.mq_channels,
        watches="connections",
        applies=only_with("connections"),
    ),
)
def dst_channels(inputs: MaxChannelsInputs) -> Assessment:
    """Each client connection can be a channel; more than MaxChannels are refused."""
    return with_advice(
        Assessment(
            observed=inputs.connections,
            limit=inputs.max_channels,
            unit="count",
            arithmetic=(f"limit = MaxChannels = {figure(inputs.max_channels)}",),
            states_limit=True,
            advice="Nothing to change: more clients can connect.",
            caveats=("Local connections are counted with those of clients.",),
        ),
        "Raise MaxChannels, or have fewer connections of clients.",
    )


class ActiveChannelsInputs(Inputs):
    """Most active instances of channels and how many there may be."""

    active: Annotated[
        NonNegativeFloat,
        FromMetric(
            "mq_active_channel_count", record="channel_status of mq_prometheus, DISPLAY CHSTATUS"
        ),
    ]
    max_active_channels: Annotated[
        PositiveFloat,
        FromMetric("mq_max_active_channels_count", record="qm.ini, MaxActiveChannels"),
    ]


def _limited(values: ValuesByName) -> bool:
    """Return whether channels and their limit are known."""
    return all(values.get(name) is not None for name in ("active", "max_active_channels"))


@rule(
    "DST-ACTIVE-CHANNELS",
    "Active channels and MaxActiveChannels",
    distributed("Channels stanza of the qm.ini file"),
    RuleTraits(
        subject_kind=SubjectKind.distributed_queue_manager,
        resource=ResourceKind.mq_channels,
        watches="active",
        applies=_limited,
    ),
)
def dst_active_channels(inputs: ActiveChannelsInputs) -> Assessment:
    """No more instances than MaxActiveChannels are active at once, where qm.ini states it.

    Where it does not, it is MaxChannels, which DST-CHANNELS compares with connections.
    """
    return with_advice(
        Assessment(
            observed=inputs.active,
            limit=inputs.max_active_channels,
            unit="count",
            arithmetic=(f"limit = MaxActiveChannels = {figure(inputs.max_active_channels)}",),
            states_limit=True,
            advice="Nothing to change: more channels can be active.",
        ),
        "Raise MaxActiveChannels, at most to MaxChannels, or have fewer channels active.",
    )


class DepthInputs(Inputs):
    """Highest depth as a share of MAXDEPTH."""

    used_pct: Annotated[UsedPercent, FromMetric("mq_queue_depth_used_pct", record=PROMETHEUS)]


@rule(
    "DST-DEPTH",
    "Queue depth",
    distributed("DEFINE QLOCAL, attribute MAXDEPTH"),
    RuleTraits(
        subject_kind=SubjectKind.distributed_queue,
        resource=ResourceKind.mq_queue,
        watches="used_pct",
        applies=only_with("used_pct"),
    ),
)
def dst_depth(inputs: DepthInputs) -> Reaching:
    """A put to a queue at MAXDEPTH fails with reason 2053."""
    caveat = "What a full queue refuses is in no figure: its forecast is a lower bound."
    return with_advice(
        Reaching(
            observed=inputs.used_pct,
            limit=FULL_PCT,
            unit="%",
            of="MAXDEPTH",
            arithmetic=(f"limit = {FULL_PCT} % of MAXDEPTH",),
            states_limit=True,
            advice="Nothing to change: there is room.",
            caveats=(caveat,) if inputs.used_pct >= FULL_PCT else (),
        ),
        "Look for what should get the messages; raise MAXDEPTH if so many are meant to wait.",
    )
