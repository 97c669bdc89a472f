"""Places: distributed queue managers, their hosts and z/TPF systems, beside the sysplexes."""

from __future__ import annotations

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
)
from mqcap.domain.units import Unit

SiteName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9@#$_.-]{1,32}$")]
QmgrName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9._/%]+$", max_length=NAME_LENGTH_MAX)
]
"""Name of a distributed queue manager: case-sensitive, up to 48 characters."""
SCRAPE_SECONDS: float = 60.0
"""Default of Prometheus (``scrape_interval``: 1 minute)."""


class DistributedQueueManager(Configured):
    """A queue manager that is not on z/OS. Its host is no part of its identity: it may move."""

    name: QmgrName
    system_class: SystemClass = Field(default=SystemClass.production, alias="class")
    clients_max: Annotated[int, Field(ge=1, le=65_536)] | None = None
    """Most clients by LNX-CLIENTS for the own scenario, or measured."""


class Host(LinuxHost):
    """A host of distributed queue managers, by its true name, and what its tools show.

    The label ``hostname`` of metrics has a full stop where the name has a hyphen.
    """


class Place(Configured):
    """A site: the queue managers, hosts and z/TPF systems that subjects name after it."""

    site: SiteName
    timezone: ZoneName = "UTC"
    scrape_seconds: Annotated[float, Field(gt=0, le=3_600), Unit("s")] = SCRAPE_SECONDS
    """How often Prometheus asks mq_prometheus: the time that one delta covers."""
    hosts: tuple[Host, ...] = ()
    qmgrs: tuple[DistributedQueueManager, ...] = ()
    ztpf: tuple[ZtpfSystem, ...] = ()
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
            names = [entry.name for entry in named]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"{key} of {self.site} are listed twice: {', '.join(twice)}")
        return self
