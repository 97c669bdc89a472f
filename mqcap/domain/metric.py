"""Metrics, subjects and series: what is measured, of whom, over time."""

from enum import StrEnum
from functools import lru_cache
from typing import Final

from pydantic import BaseModel

from mqcap.domain.subject import SERIES_SEPARATOR, Subject

CHANNEL_PART: Final = "CHANNEL"
"""Part of a path before the name of a channel of a distributed queue manager."""
UNKNOWN_SYSPLEX: Final = "UNKNOWN"
"""Sysplex of a system that neither the settings nor a 74.4 record places."""


class SubjectKind(StrEnum):
    """Kind of subject of a metric or finding; subjects are paths from sysplex or site on."""

    queue_manager = "queue_manager"
    """``PLEX1/CSQ1``"""
    channel_initiator = "channel_initiator"
    """``PLEX1/CSQ1/CHINIT``"""
    buffer_pool = "buffer_pool"
    """``PLEX1/CSQ1/BP00``"""
    page_set = "page_set"
    """``PLEX1/CSQ1/PS00``"""
    coupling_facility = "coupling_facility"
    """``PLEX1/CF01``"""
    structure = "structure"
    """``PLEX1/CF01/QSG1APPL1``"""
    group_structure = "group_structure"
    """``PLEX1/QSG1/QSG1APPL1``: a structure as its group reports it, without the facility"""
    linux_host = "linux_host"
    """``PLEX1/LNX1``: a queue manager on Linux, known from the estate only"""
    ztpf_system = "ztpf_system"
    """``TPFA/TPF1``: a z/TPF system, by its site or sysplex"""
    ztpf_queue = "ztpf_queue"
    """``TPFA/TPF1/RES.IN``"""
    distributed_queue_manager = "distributed_queue_manager"
    """``EAST/QM1``: a queue manager that is not on z/OS, by its site"""
    distributed_queue = "distributed_queue"
    """``EAST/QM1/APP.IN``"""
    distributed_channel = "distributed_channel"
    """``EAST/QM1/CHANNEL/APP.SVRCONN``: a server-connection channel; a queue may have its name"""
    mq_host = "mq_host"
    """``EAST/mq1``: a host of distributed queue managers"""
    site_object = "site_object"
    """``EAST/mq1`` or any other path: what a figure that the settings declare is about"""


class Statistic(StrEnum):
    """Figure of the day that a daily series holds."""

    peak = "peak"
    """The busiest interval of the day; limits are compared with this one."""
    p95 = "p95"
    """95th percentile of the day's hourly means (linear interpolation)."""
    mean = "mean"
    """Mean over the covered time of the day."""


class Direction(StrEnum):
    """Side of its limit on which a value is in breach."""

    upward = "upward"
    downward = "downward"


class Metric(BaseModel, frozen=True, extra="forbid"):
    """A named quantity with a unit and a kind of subject."""

    name: str
    label: str
    """The metric as people read it, in page, email and reports."""
    unit: str
    subject_kind: SubjectKind
    description: str
    reads: tuple[str, ...]
    """Datasets that the transform needs, by name."""
    fields: tuple[str, ...] = ()
    """IBM's names of the fields, and ids of the messages, that its figure is made of: they are
    shown when a figure is traced to its records. Empty: the first numbers of a section are."""
    forecast: bool = False
    """True for a metric of which a daily forecast is made."""
    ceiling: float | None = None
    """Largest value that can be measured (100 for a percentage); ``None`` if unbounded. A forecast
    or a scenario may need more."""
    direction: Direction = Direction.upward
    """The side on which the bad values lie."""
    lowest_of: str = ""
    """Metric of whose hourly means its one value of a day is the lowest; empty: it is measured."""
    uncertain: tuple[str, ...] = ()
    """Record fields behind it whose place is not certain (B or C in the layouts): what rests on
    them alone never drives an alert unless another source confirms it."""


def series_id(metric: str, subject: str) -> str:
    """Return ``metric/subject``, the identity of a series."""
    return f"{metric}{SERIES_SEPARATOR}{subject}"


@lru_cache(maxsize=65_536)
def split_series_id(identity: str) -> tuple[str, Subject]:
    """Return the metric and the subject of a series id; of a problem's key its rule and subject."""
    metric, _, subject = identity.partition(SERIES_SEPARATOR)
    return metric, Subject(subject)
