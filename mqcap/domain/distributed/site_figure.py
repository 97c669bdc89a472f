"""Site figures: what a site measures itself and sends as subject, figure, time and value.

Those below are asked for by rules of the documents; the settings declare others.
"""

from typing import Annotated, Final

from pydantic import BaseModel, Field, StringConstraints

from mqcap.domain.metric import Direction, SubjectKind

FigureName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
PREFIX: Final = "site_"
"""Begin of the metric of a declared figure, so that it never has the name of another metric."""
UNIT_SUFFIX: Final = ".unit"
"""End of the key under which the unit of a declared figure is found beside its limit."""
LOWEST_SUFFIX: Final = "_lowest"
"""End of the metric of the lowest hour of a day, of a figure of which low is bad."""


class SiteFigure(BaseModel, frozen=True, extra="forbid"):
    """A figure that the rulebook knows: its metric has the same name."""

    name: FigureName
    label: str
    unit: str
    subject_kind: SubjectKind
    description: str
    forecast: bool = True
    ceiling: float | None = None
    direction: Direction = Direction.upward


class DeclaredFigure(BaseModel, frozen=True, extra="forbid"):
    """A figure that the settings declare, with its unit and limit; ``None``: it has no limit."""

    figure: FigureName
    label: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    unit: Annotated[str, StringConstraints(min_length=1, max_length=20)]
    limit: float | None = None
    direction: Direction = Direction.upward
    """``upward``: a value above the limit is in breach; ``downward``: one below it."""
    step_seconds: Annotated[float | None, Field(gt=0, le=90_000)] = None
    """Time between two values, for files with one value of a subject; ``None``: not known."""

    @property
    def metric(self) -> str:
        """Name of its metric."""
        return f"{PREFIX}{self.figure}"


HOST_CPU_BUSY: Final = "host_cpu_busy_pct"
LOCK_WAIT: Final = "mq_lock_wait_pct"
PUBLISHED: Final = (HOST_CPU_BUSY, LOCK_WAIT)
"""Published by queue managers too: both are one series, a percentage."""
KNOWN: Final = (
    SiteFigure(
        name="host_network_used_gigabits",
        label="Network throughput",
        unit="Gbit/s",
        subject_kind=SubjectKind.mq_host,
        description="Throughput of the busier direction of the host's network card.",
    ),
    SiteFigure(
        name="host_disk_busy_pct",
        label="Disk of the log busy",
        unit="%",
        subject_kind=SubjectKind.mq_host,
        description="Utilisation of the disk of the log.",
        forecast=False,
        ceiling=100.0,
    ),
    SiteFigure(
        name="host_working_set_mib",
        label="Working set of MQ",
        unit="MiB",
        subject_kind=SubjectKind.mq_host,
        description="Memory that the processes of MQ use.",
    ),
    SiteFigure(
        name="host_memory_mib",
        label="Memory",
        unit="MiB",
        subject_kind=SubjectKind.mq_host,
        description="Real memory of the host.",
        forecast=False,
    ),
    SiteFigure(
        name="mq_client_count",
        label="Connected clients",
        unit="count",
        subject_kind=SubjectKind.distributed_queue_manager,
        description="Clients connected at once, without local applications.",
    ),
    SiteFigure(
        name="ims_region_occupancy_pct",
        label="IMS regions occupied",
        unit="%",
        subject_kind=SubjectKind.queue_manager,
        description="Occupancy of the busiest message processing regions (IMS monitor).",
        ceiling=100.0,
    ),
    SiteFigure(
        name="ims_checkpoint_minutes",
        label="Time between IMS checkpoints",
        unit="min",
        subject_kind=SubjectKind.queue_manager,
        description="Time between two system checkpoints of IMS (IMS log).",
        direction=Direction.downward,
    ),
    SiteFigure(
        name="ims_buffer_wait_count",
        label="Waits for IMS queue buffers",
        unit="count",
        subject_kind=SubjectKind.queue_manager,
        description="Tasks of IMS that waited for a queue buffer (IMS monitor).",
        forecast=False,
    ),
    SiteFigure(
        name="zhyperlink_other_token_count",
        label="zHyperLink tokens of other users",
        unit="count",
        subject_kind=SubjectKind.queue_manager,
        description="Write tokens of other users of the storage box (DEVSERV QDASD,ZHL).",
    ),
)
"""Figures with a metric of their own name; the rulebook has a rule for each."""
UNITS: Final = {**{figure.name: figure.unit for figure in KNOWN}, **dict.fromkeys(PUBLISHED, "%")}
"""Unit of each figure that the rulebook knows; a file that states another is refused there."""
