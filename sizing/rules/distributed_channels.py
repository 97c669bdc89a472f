"""Server-connection channels that are not on z/OS: instances against MAXINST and MAXINSTC.

Both are no limit unless a site sets them, and protect all others from one application or one
client: reaching one refuses that application or client alone.
"""

from __future__ import annotations

from typing import Annotated, Final

from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import UsedPercent
from sizing.rulebook.assessment import Inputs, Reaching, with_advice
from sizing.rulebook.entry import RuleTraits, only_with
from sizing.rulebook.input_sources import FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import distributed

FULL_PCT: Final = 100
_TRAITS: Final = RuleTraits(
    subject_kind=SubjectKind.distributed_channel,
    resource=ResourceKind.mq_channel,
    watches="used_pct",
    applies=only_with("used_pct"),
    breach_severity=Severity.watch,
)


class ChannelInstanceInputs(Inputs):
    """Most instances of a server-connection channel as a share of its MAXINST."""

    used_pct: Annotated[
        UsedPercent,
        FromMetric(
            "mq_channel_instance_used_pct",
            record="DISPLAY CHSTATUS and DISPLAY CHANNEL, or mq_prometheus",
        ),
    ]


@rule(
    "DST-CHANNEL-INSTANCES",
    "Instances of a channel and MAXINST",
    distributed("Server-connection channel limits"),
    _TRAITS,
)
def dst_channel_instances(inputs: ChannelInstanceInputs) -> Reaching:
    """At MAXINST no further instance of the server-connection channel starts."""
    return _share(
        inputs.used_pct,
        "MAXINST",
        "Look who connects so often; raise MAXINST if so many instances are meant.",
    )


class ClientInstanceInputs(Inputs):
    """Most instances of a server-connection channel from one address as a share of MAXINSTC."""

    used_pct: Annotated[
        UsedPercent,
        FromMetric(
            "mq_channel_client_instance_used_pct", record="DISPLAY CHSTATUS and DISPLAY CHANNEL"
        ),
    ]


@rule(
    "DST-CLIENT-INSTANCES",
    "Instances of one client and MAXINSTC",
    distributed("Server-connection channel limits"),
    _TRAITS,
)
def dst_client_instances(inputs: ClientInstanceInputs) -> Reaching:
    """At MAXINSTC no further instance of the channel starts from that network address."""
    return _share(
        inputs.used_pct,
        "MAXINSTC",
        "Look whether the client closes its connections; raise MAXINSTC if so many are meant.",
    )


def _share(used_pct: float, limit: str, wrong: str) -> Reaching:
    return with_advice(
        Reaching(
            observed=used_pct,
            limit=FULL_PCT,
            unit="%",
            arithmetic=(f"limit = {FULL_PCT} % of {limit}",),
            states_limit=True,
            advice="Nothing to change: further instances can start.",
        ),
        wrong,
    )
