"""Server-connection channels that are not on z/OS: instances against MAXINST and MAXINSTC.

Both are no limit unless a site sets them, and protect all others from one application or one
client: reaching one refuses that application or client alone. Counts are compared, not shares, so
that a limit that was raised is no fall of the load.
"""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import NonNegativeFloat, PositiveFloat

from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from sizing.rulebook.assessment import Inputs, Reaching, with_advice
from sizing.rulebook.entry import RuleTraits, ValuesByName
from sizing.rulebook.input_sources import FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import distributed

_DISPLAYS: Final = "DISPLAY CHSTATUS and DISPLAY CHANNEL"


class ChannelInstanceInputs(Inputs):
    """Most instances of a server-connection channel, and its MAXINST."""

    instances: Annotated[
        NonNegativeFloat,
        FromMetric("mq_channel_instance_count", record=f"{_DISPLAYS}, or mq_prometheus"),
    ]
    max_instances: Annotated[
        PositiveFloat,
        FromMetric("mq_channel_instance_max_count", record="DISPLAY CHANNEL, or mq_prometheus"),
    ]


class ClientInstanceInputs(Inputs):
    """Most instances of a server-connection channel from one address, and its MAXINSTC."""

    instances: Annotated[
        NonNegativeFloat, FromMetric("mq_channel_client_instance_count", record=_DISPLAYS)
    ]
    max_instances: Annotated[
        PositiveFloat,
        FromMetric("mq_channel_client_instance_max_count", record="DISPLAY CHANNEL"),
    ]


def _limited(values: ValuesByName) -> bool:
    """Return whether instances and a limit are known."""
    return all(values.get(name) is not None for name in ("instances", "max_instances"))


_TRAITS: Final = RuleTraits(
    subject_kind=SubjectKind.distributed_channel,
    resource=ResourceKind.mq_channel,
    watches="instances",
    applies=_limited,
    breach_severity=Severity.watch,
)


@rule(
    "DST-CHANNEL-INSTANCES",
    "Instances of a channel and MAXINST",
    distributed("Server-connection channel limits"),
    _TRAITS,
)
def dst_channel_instances(inputs: ChannelInstanceInputs) -> Reaching:
    """At MAXINST no further instance of the server-connection channel starts."""
    return _reaching(
        inputs.instances,
        inputs.max_instances,
        "MAXINST",
        "Look who connects so often; raise MAXINST if so many instances are meant.",
    )


@rule(
    "DST-CLIENT-INSTANCES",
    "Instances of one client and MAXINSTC",
    distributed("Server-connection channel limits"),
    _TRAITS,
)
def dst_client_instances(inputs: ClientInstanceInputs) -> Reaching:
    """At MAXINSTC no further instance of the channel starts from that network address."""
    return _reaching(
        inputs.instances,
        inputs.max_instances,
        "MAXINSTC",
        "Look whether the client closes its connections; raise MAXINSTC if so many are meant.",
    )


def _reaching(instances: float, most: float, operand: str, wrong: str) -> Reaching:
    return with_advice(
        Reaching(
            observed=instances,
            limit=most,
            unit="count",
            arithmetic=(f"limit = {operand} = {figure(most)}",),
            states_limit=True,
            advice="Nothing to change: further instances can start.",
        ),
        wrong,
    )
