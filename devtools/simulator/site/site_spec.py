"""Specification of a site: queue managers on Linux, their hosts, and z/TPF systems.

Days are counted from the anchor of the estate, as in ``spec``.
"""

from datetime import time
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from devtools.simulator.events import IntervalMinutes, Model, Owned
from devtools.simulator.workload import Load, Positive, Profile, Ratio
from mqcap.domain.estate.configured import HostName, SystemClass, ZoneName
from mqcap.domain.estate.places import QmgrName, SiteName


class FileSystemUse(Load):
    """Use of a file system, percent: the same at all hours and on all days of a week."""

    profile: Profile = Profile.flat
    weekday_ratio: tuple[float, float, float, float, float, float, float] = (1.0,) * 7
    month_end_ratio: Positive = 1.0
    day_noise_ratio: Ratio = 0.003
    hour_noise_ratio: Ratio = 0.002


Files = Annotated[int, Field(ge=2, le=510)]


class Producer(StrEnum):
    """Who publishes the figures of a queue manager to Prometheus."""

    mq_prometheus = "mq_prometheus"
    container = "mq-container"
    """The endpoint of the container image: true counters, no queues, no connections, no host."""


class SiteInput(StrEnum):
    """What else tells about a queue manager on the days of daily files."""

    amqsrua = "amqsrua"
    """Text of the sample that prints published metrics."""
    mq_json = "mq_json"
    """Records of the collector that prints what mq_prometheus publishes."""
    amqsevt = "amqsevt"
    """Statistics messages as JSON."""
    amqsmon = "amqsmon"
    """Statistics messages as text."""
    display = "display"
    """Stamped DISPLAY captures."""


class ExhaustionMessage(StrEnum):
    """Messages of error logs about something that is exhausted."""

    log_full = "AMQ7463E"
    channels_reached = "AMQ9513E"


class SiteEvent(Model):
    """A message of the error log of a queue manager."""

    day_offset: int
    """Days after the anchor (negative: before)."""
    at_local: time
    message: ExhaustionMessage


class SiteHost(Owned):
    """A host, with the load of its processors at the busiest time and its free memory."""

    name: HostName
    cpu_busy_pct: Load
    ram_free_pct: Annotated[float, Field(gt=0, lt=100)] = 35


class SiteQueue(Model):
    """A local queue; the load is its depth in per cent of MAXDEPTH, of which 100 are stored."""

    name: QmgrName
    max_depth: Annotated[int, Field(ge=1, le=999_999_999)] = 5_000
    depth_pct: Load
    put_ratio: Annotated[float, Field(ge=0, le=1)] = 0
    """Of the messages put to the queue manager, the part that is put to this queue."""


class SiteQueueManager(Owned):
    """A queue manager on Linux with its log, file systems, channels and queues."""

    name: QmgrName
    host: HostName
    seen_by: Producer = Producer.mq_prometheus
    system_class: SystemClass = SystemClass.production
    mq_level: str = "9.4.0.5"
    primary_files: Files = 3
    secondary_files: Annotated[int, Field(ge=1, le=509)] = 2
    file_pages: Annotated[int, Field(ge=64, le=65_535)] = 4_096
    max_channels: Annotated[int, Field(ge=1, le=65_535)] = 100
    log_primary_pct: Load
    """Use of the primary files, which may exceed 100 %."""
    log_fs_pct: FileSystemUse
    log_fs_mib: Positive = 65_536
    data_fs_pct: FileSystemUse
    data_fs_mib: Positive = 131_072
    connections: Load
    puts_per_s: Load
    message_bytes: Annotated[int, Field(ge=1)] = 2_048
    log_write_latency_us: Load
    queues: tuple[SiteQueue, ...] = ()
    inputs: tuple[SiteInput, ...] = ()
    """Further inputs, beside Prometheus."""
    is_scraped_to_the_end: bool = True
    """False: on the days of daily files those inputs are there, and no answers of Prometheus."""
    events: tuple[SiteEvent, ...] = ()
    restart_every_days: Annotated[int, Field(ge=1)] = 28
    """Regular restart on the Sunday of every so many days, at 03:10 local, for 50 minutes."""


class SiteZtpf(Owned):
    """A z/TPF system; the load is the use of its MQM blocks, percent."""

    name: HostName
    mqm_blocks: Annotated[int, Field(ge=1)] = 127_997
    mqm_used_pct: Load
    sweep_level_pct: Annotated[int, Field(ge=1, le=100)] = 80
    sweep_target_pct: Annotated[int, Field(ge=1, le=100)] = 60
    sweeps_per_day: Load
    """Completed sweeps of all queues together."""
    queues: Annotated[tuple[QmgrName, ...], Field(min_length=1)]


class SiteSpec(Model):
    """A site and everything in it."""

    name: SiteName
    timezone: ZoneName = "UTC"
    holidays: str | None = None
    step_minutes: IntervalMinutes = 30
    """Scrape interval of Prometheus and step of its answers; distance of captures."""
    history_days: Annotated[int, Field(ge=1)] = 120
    """Age of its data on the anchor day."""
    hosts: tuple[SiteHost, ...] = ()
    qmgrs: tuple[SiteQueueManager, ...] = ()
    ztpf: tuple[SiteZtpf, ...] = ()

    @property
    def owners(self) -> tuple[SiteQueueManager | SiteZtpf, ...]:
        """What has planted truths."""
        return (*self.qmgrs, *self.ztpf)

    @model_validator(mode="after")
    def _queue_managers_run_somewhere(self) -> Self:
        hosts = [host.name for host in self.hosts]
        lost = [qmgr.name for qmgr in self.qmgrs if qmgr.host not in hosts]
        if lost:
            raise ValueError(f"host of {', '.join(lost)} is none of {', '.join(sorted(hosts))}")
        return self
