"""Places: distributed queue managers, their hosts and z/TPF systems, beside the sysplexes."""

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from mqcap.domain.distributed.mq_name import NAME_LENGTH_MAX
from mqcap.domain.estate.calendar import KnownChange, SiteCalendar
from mqcap.domain.estate.configured import (
    Configured,
    LinuxHost,
    SystemClass,
    ZoneName,
    ZtpfSystem,
    listed_twice,
)
from mqcap.domain.units import Positive, Unit

SiteName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9@#$_.-]{1,32}$")]
QmgrName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9._/%]+$", max_length=NAME_LENGTH_MAX)
]
"""Name of a distributed queue manager: case-sensitive, up to 48 characters."""
SCRAPE_SECONDS: float = 60.0
"""Default of Prometheus (``scrape_interval``: 1 minute)."""


QueueName = QmgrName
"""Name of a queue: as that of a queue manager."""
Away = Annotated[Positive | None, Unit("min")]


class QueueFloor(Configured):
    """What a queue must have reached on any day for it to have series; listed queues have them."""

    used_pct: Positive | None = None
    """Share of MAXDEPTH, or of the size to which the queue file may grow."""
    put_per_s: Positive | None = None

    @model_validator(mode="after")
    def _states_any(self) -> Self:
        if self.used_pct is None and self.put_per_s is None:
            raise ValueError("expected used_pct, put_per_s or both")
        return self


class DistributedQueue(Configured):
    """What a site has agreed about one queue; no other queue needs an entry."""

    name: QueueName
    consumer_away_minutes: Away = None
    """As that of its queue manager, before which it counts."""


class DistributedQueueManager(Configured):
    """A queue manager that is not on z/OS. Its host is no part of its identity: it may move."""

    name: QmgrName
    system_class: SystemClass = Field(default=SystemClass.production, alias="class")
    clients_max: Annotated[int, Field(ge=1, le=65_536)] | None = None
    """Most clients by LNX-CLIENTS for the own scenario, or measured."""
    consumer_away_minutes: Away = None
    """How long what gets the messages of a queue may be away; ``None``: ours (DST-SURVIVE)."""
    log_file_system_mib: Annotated[Positive | None, Unit("MiB")] = None
    """Size of the file system that holds the log, where no input has it."""
    queues: tuple[DistributedQueue, ...] = ()

    @model_validator(mode="after")
    def _queues_once(self) -> Self:
        if twice := listed_twice(queue.name for queue in self.queues):
            raise ValueError(f"queues of {self.name} are listed twice: {twice}")
        return self


class Host(LinuxHost):
    """A host of distributed queue managers, by its true name, and what its tools show."""


class Place(Configured):
    """A site: the queue managers, hosts and z/TPF systems that subjects name after it."""

    site: SiteName
    timezone: ZoneName = "UTC"
    scrape_seconds: Annotated[float, Field(gt=0, le=3_600), Unit("s")] = SCRAPE_SECONDS
    """How often Prometheus asks mq_prometheus: the time that one delta covers."""
    hosts: tuple[Host, ...] = ()
    qmgrs: tuple[DistributedQueueManager, ...] = ()
    ztpf: tuple[ZtpfSystem, ...] = ()
    queue_floor: QueueFloor | None = None
    """Below it a queue has no series; ``None``: every queue has."""
    holidays: str | None = None
    """Country code whose public holidays the forecast should know, such as ``DK``."""
    calendar: SiteCalendar = SiteCalendar()
    known_changes: tuple[KnownChange, ...] = ()

    @property
    def root(self) -> str:
        """First part of the path of its subjects."""
        return self.site

    @model_validator(mode="after")
    def _names_once(self) -> Self:
        for key, named in (("qmgrs", self.qmgrs), ("hosts", self.hosts), ("ztpf", self.ztpf)):
            if twice := listed_twice(entry.name for entry in named):
                raise ValueError(f"{key} of {self.site} are listed twice: {twice}")
        return self
