"""Queue managers that are not on z/OS, by what is measured: log, file systems, channels, queues."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import NonNegativeFloat, PositiveFloat

from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import UsedPercent
from sizing.rulebook.assessment import Assessment, AssessmentT, Inputs, Reaching, with_advice
from sizing.rulebook.entry import RuleTraits, ValuesByName, only_with
from sizing.rulebook.input_sources import FromMetric, Over
from sizing.rulebook.registry import rule
from sizing.sources import distributed

FULL_PCT: Final = 100
PROMETHEUS: Final = "Prometheus, DISPLAY QMSTATUS or amqsrua"


def _traits(
    resource: ResourceKind,
    watches: str,
    *,
    kind: SubjectKind = SubjectKind.distributed_queue_manager,
    breach: Severity = Severity.act,
    superseded_by: str = "",
) -> RuleTraits:
    return RuleTraits(
        subject_kind=kind,
        resource=resource,
        watches=watches,
        applies=only_with(watches),
        breach_severity=breach,
        superseded_by=superseded_by,
    )


def _share(form: type[AssessmentT], used_pct: float, of: str, wrong: str) -> AssessmentT:
    """Return the assessment of a share of 100 %, as its form reads the limit."""
    return with_advice(
        form(
            observed=used_pct,
            limit=FULL_PCT,
            unit="%",
            of=of,
            arithmetic=(f"limit = {FULL_PCT} % of {of}",),
            states_limit=True,
            advice="Nothing to change: there is room.",
        ),
        wrong,
    )


class PrimaryInputs(Inputs):
    """Highest use of the primary log files."""

    used_pct: Annotated[UsedPercent, FromMetric("mq_log_primary_used_pct", record=PROMETHEUS)]


@rule(
    "DST-LOG-PRIMARY",
    "Primary log files in use",
    distributed("DISPLAY QMSTATUS, attribute LOGINUSE"),
    _traits(ResourceKind.mq_log, "used_pct", breach=Severity.watch, superseded_by="DST-LOG-END"),
)
def dst_log_primary(inputs: PrimaryInputs) -> Assessment:
    """Above 100 % secondary files are in use: the load is more than the log was planned for."""
    return _share(
        Assessment,
        inputs.used_pct,
        "the primary log files",
        "Raise LogPrimaryFiles, and look for long units of work.",
    )


class WorkloadInputs(Inputs):
    """Usual need of primary log: the median of the days, of each its 95th percentile."""

    workload_pct: Annotated[
        UsedPercent,
        FromMetric("mq_log_workload_pct", Statistic.p95, over=Over.usual, record=PROMETHEUS),
    ]


@rule(
    "DST-LOG-WORKLOAD",
    "Primary log files for the workload",
    distributed("DISPLAY QMSTATUS, attribute LOGUTIL"),
    RuleTraits(
        subject_kind=SubjectKind.distributed_queue_manager,
        resource=ResourceKind.mq_log,
        watches="workload_pct",
        undated="what is usual for weeks has no day; the highest use has one (DST-LOG-PRIMARY)",
        applies=only_with("workload_pct"),
        breach_severity=Severity.watch,
        graded=False,
        superseded_by="DST-LOG-PRIMARY",
    ),
)
def dst_log_workload(inputs: WorkloadInputs) -> Assessment:
    """Steadily above 100 % the primary files are too few for the workload."""
    return _share(
        Assessment,
        inputs.workload_pct,
        "the primary log files",
        "Raise LogPrimaryFiles: the workload uses secondary files as a rule.",
    )


class LogEndInputs(Inputs):
    """Highest use of all log files, primary and secondary."""

    used_pct: Annotated[
        UsedPercent, FromMetric("mq_log_total_used_pct", record="the same and qm.ini")
    ]


@rule(
    "DST-LOG-END",
    "Log files in use",
    distributed("Managing log files"),
    _traits(ResourceKind.mq_log, "used_pct"),
)
def dst_log_end(inputs: LogEndInputs) -> Assessment:
    """At 100 % of primary and secondary files transactions have been rolled back before."""
    assessed = _share(
        Assessment,
        inputs.used_pct,
        "primary and secondary log files",
        "Raise LogPrimaryFiles or LogSecondaryFiles, and look for long units of work.",
    )
    caveat = "The queue manager rolls long units of work back before the log is full."
    return assessed.model_copy(update={"caveats": (caveat,)})


class LogFileSystemInputs(Inputs):
    """Highest use of the file system of the log."""

    used_pct: Annotated[UsedPercent, FromMetric("mq_log_fs_used_pct", record=PROMETHEUS)]


@rule(
    "DST-LOG-FS",
    "File system of the log",
    distributed("Managing log files"),
    _traits(ResourceKind.mq_log_file_system, "used_pct"),
)
def dst_log_fs(inputs: LogFileSystemInputs) -> Reaching:
    """A queue manager ends when the file system of its log is full."""
    return _share(
        Reaching,
        inputs.used_pct,
        "the file system of the log",
        "Make the file system larger, or delete extents that are not needed any more.",
    )


class DataFileSystemInputs(Inputs):
    """Highest use of the file system of queues and other data."""

    used_pct: Annotated[UsedPercent, FromMetric("mq_qmgr_fs_used_pct", record=PROMETHEUS)]


@rule(
    "DST-QM-FS",
    "File system of the queue manager",
    distributed("Planning file system support"),
    _traits(ResourceKind.mq_data_file_system, "used_pct"),
)
def dst_qm_fs(inputs: DataFileSystemInputs) -> Reaching:
    """Puts fail when the file system of the queue files is full."""
    return _share(
        Reaching,
        inputs.used_pct,
        "the file system of the queue manager",
        "Make the file system larger, or empty the queues that fill it.",
    )


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
    _traits(ResourceKind.mq_channels, "connections"),
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
    _traits(ResourceKind.mq_queue, "used_pct", kind=SubjectKind.distributed_queue),
)
def dst_depth(inputs: DepthInputs) -> Reaching:
    """A put to a queue at MAXDEPTH fails with reason 2053."""
    assessed = _share(
        Reaching,
        inputs.used_pct,
        "MAXDEPTH",
        "Look for what should get the messages; raise MAXDEPTH if so many are meant to wait.",
    )
    if inputs.used_pct < FULL_PCT:
        return assessed
    caveat = "What a full queue refuses is in no figure: its forecast is a lower bound."
    return assessed.model_copy(update={"caveats": (caveat,)})
