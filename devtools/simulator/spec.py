"""Specification of a simulated estate: its MQ and CF components, and their load.

Days are counted from the *anchor* day, the day on which every ``at_anchor`` value holds on an
ordinary working day at the busiest hour. With no anchor given, the last generated day is it, so
that a planted crossing is always as many days ahead as the specification states.
"""

from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self

import yaml
from pydantic import Field, ValidationError, model_validator

from devtools.simulator.encode.framing import WrittenFraming
from devtools.simulator.events import (
    IntervalMinutes,
    LoadChange,
    Model,
    Outage,
    Owned,
    Upgrade,
)
from devtools.simulator.site.site_spec import SiteSpec
from devtools.simulator.workload import Load, Positive, Ratio
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate.configured import (
    ApplicationFacts,
    ChannelFacts,
    LogFacts,
    Name4,
    Name8,
    SystemClass,
    ZoneName,
)
from mqcap.domain.units import MIB_BYTES
from mqcap.settings.loader import parse_yaml


class MonitorKind(StrEnum):
    """Who writes the samples, which decides their form."""

    omegamon = "omegamon"
    """OMEGAMON Data Provider: JSON lines of pools, page sets, log and channels."""
    mq_prometheus = "mq_prometheus"
    """As a client: pools and page sets, asked for from Prometheus."""


NotNegative = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]


class PlantedRule(Model):
    """Result expected of a rule for its owner on the last day."""

    rule: str
    part: str = ""
    """Last part of the subject, such as CHINIT; empty for the owner itself."""
    breach: bool


class ConfiguredFacts(LogFacts, ChannelFacts, ApplicationFacts):
    """Further keys of a queue manager that the settings file gets."""


ObjectName = Annotated[str, Field(pattern=r"^[A-Za-z0-9._/%]{1,48}$")]


class Sender(Model):
    """An application that puts persistent messages to a queue; another gets all of them."""

    queue: ObjectName
    application: Name8
    """Its connection name."""
    user: Name8 = "MQUSER"
    weight: Annotated[float, Field(gt=0)] = 1.0
    """Its part of the log at the anchor, relative to the other senders."""
    change: LoadChange | None = None
    message_bytes: Annotated[int, Field(ge=1)] = 2_048
    buffer_pool: Annotated[int, Field(ge=0, le=99)] = 0
    structure: Annotated[str, Field(pattern=r"^[A-Z0-9@#$_]{0,12}$")] = ""
    """Of a shared queue: its structure as MQ names it; empty for a private queue."""
    depth: Annotated[int, Field(ge=0)] = 0
    """Highest depth of the queue in each interval."""
    held: Annotated[int, Field(ge=0)] = 0
    """Messages that stay on the queue at the anchor; those of a shared queue fill its structure."""
    held_change: LoadChange | None = None
    messages_per_commit: Annotated[int, Field(ge=1)] = 4
    """Messages put and got in a unit of work."""
    skips_per_get: Annotated[float, Field(ge=0)] = 0.0
    is_dynamic: bool = False
    """Whether the queue is a new dynamic one in each interval, ``queue`` being its prefix."""


class ChannelGroup(Model):
    """Instances of one channel; a part of all channels of the queue manager."""

    name: Annotated[str, Field(pattern=r"^[A-Z0-9._/%]{1,20}$")]
    weight: Annotated[float, Field(gt=0)] = 1.0
    change: LoadChange | None = None
    message_bytes: Annotated[int, Field(ge=0)] = 2_048


class ChannelPartner(Model):
    """The queue manager at the other end of one of the busiest channels."""

    qmgr: Annotated[str, Field(pattern=r"^[A-Z0-9]{1,10}$")]
    message_bytes: Annotated[int, Field(ge=1)] = 2_048
    persistent_pct: Annotated[int, Field(ge=0, le=100)] = 0


class SharedMessageDataSet(Model):
    """The data set of one structure for large messages, and its buffers."""

    structure: Annotated[str, Field(pattern=r"^[A-Z0-9@#$_]{1,12}$")]
    """As MQ names it, without the queue sharing group."""
    blocks: Annotated[int, Field(ge=1)] = 100_000
    used_ratio: Share
    """Of its blocks at the worst moment."""
    buffers: Annotated[int, Field(ge=1)] = 300


class ManagerFeatures(Model):
    """Ratios that hold in every interval; zero or ``None`` is a thing that is not used."""

    zhyperlink_write_us: Annotated[int, Field(ge=1)] | None = None
    """Time of a synchronous write of the log; ``None`` is a log without zHyperLink."""
    steals_per_get_page: Share = 0.0
    """Buffers stolen for each page got, none of them with contention."""
    dynamic_queues_per_h: NotNegative = 0.0
    """Objects created, and as many deleted, in an hour."""
    list_calls_per_call: NotNegative = 0.0
    """Multiple-entry calls to structures for each single-entry one."""
    redrive_ratio: Share = 0.0
    """Calls of both kinds that were driven again."""
    shared_message_data_set: SharedMessageDataSet | None = None
    log_bypass_pct: Annotated[float, Field(ge=0, le=100)] = 0
    """Of the I/Os to each volume in ``log_volumes``, those that find no room in non-volatile
    storage; zero is no cache activity in the records."""


class ChannelInitiator(Model):
    """Storage of the channel initiator and what one channel takes of it."""

    region_31bit_mib: Positive = 1_588
    """Used plus free of CSQX004I."""
    base_31bit_mib: Positive = 60
    kib_per_channel_31bit: Positive = 170
    limit_64bit_mib: Positive | None = 2_048
    """MEMLIMIT; ``None`` is NOLIMIT."""
    base_64bit_mib: Positive = 80
    kib_per_channel_64bit: Positive = 120
    scavenge_at_ratio: Ratio = 0.75
    """Used part of what is available at which freed buffers are given back."""
    dispatchers: Annotated[int, Field(ge=1, le=99)] = 2
    adapters: Annotated[int, Field(ge=1, le=99)] = 2
    adapters_unused: Annotated[int, Field(ge=0)] = 1
    """Adapters that no request needs at the busiest time; 0 plants a shortage."""
    tls_tasks: Annotated[int, Field(ge=0, le=99)] = 0
    max_channels: Annotated[int, Field(ge=1, le=9_999)] = 9_999


class BufferPool(Model):
    """A buffer pool; the load is the used share of its buffers at the worst moment, percent."""

    number: Annotated[int, Field(ge=0, le=99)]
    buffers: Annotated[int, Field(ge=100)] = 50_000
    used_pct: Load


class PageSet(Model):
    """A page set; the load is the used share of its pages, percent."""

    number: Annotated[int, Field(ge=0, le=99)]
    buffer_pool: Annotated[int, Field(ge=0, le=99)] = 0
    pages: Annotated[int, Field(ge=100)] = 250_000
    used_pct: Load


class QueueManagerSpec(Owned):
    """A queue manager with its logs, channel initiator, pools and page sets."""

    name: Name4
    system: Name4
    """SMF id of the system it runs on."""
    mq_level: str = "9.4.0"
    """Version.release.modification today; record lengths follow it."""
    upgrade: Upgrade | None = None
    """Upgrade to that version; ``None``: it has always had it."""
    qsg: Name4 | None = None
    system_class: SystemClass = SystemClass.production
    active_log_size_mib: Annotated[float, Field(gt=0, le=4_096)] = 4_096
    active_logs: Annotated[int, Field(ge=2, le=310)] = 12
    dual_logging: bool = True
    archive_minutes: Positive = 8
    configured: ConfiguredFacts = ConfiguredFacts()
    features: ManagerFeatures = ManagerFeatures()
    rules: tuple[PlantedRule, ...] = ()
    log_mib_per_s: Load
    """Growth of the log at the busiest hour."""
    channels: Load
    senders: tuple[Sender, ...] = ()
    """Who writes the log; without any, no queue statistics and no accounting are written."""
    accounting: bool = True
    """Whether the tasks of its senders are recorded (116 class 3)."""
    part_days: Annotated[int, Field(ge=0)] | None = None
    """Days to the anchor with 115.216 and channel groups; ``None``: ``sender_days``."""
    accounting_hours: Annotated[int, Field(ge=1, le=24)] | None = None
    """Hours of each record of a channel group (ACCTIME); ``None``: an interval of statistics."""
    accounting_weekday: Annotated[int, Field(ge=0, le=6)] | None = None
    """Day of the week with records of channel groups, Monday 0; ``None``: every day."""
    channel_groups: tuple[ChannelGroup, ...] = ()
    """Channels by name, each instance with its record; without any, some of fixed names."""
    partners: tuple[ChannelPartner, ...] = ()
    """Partners of the busiest of the channels of fixed names, the busiest first."""
    chinit: ChannelInitiator = ChannelInitiator()
    buffer_pools: tuple[BufferPool, ...]
    page_sets: tuple[PageSet, ...]
    first_day_offset: int | None = None
    """Day of its first start, counted from the anchor; ``None``: before all history."""
    restart_every_days: Annotated[int, Field(ge=1)] | None = 28
    """Regular restart on the Sunday of every so many days, at 03:10 local."""
    outages: tuple[Outage, ...] = ()
    """It is down: nothing is logged."""
    archiving_failures: tuple[Outage, ...] = ()
    """From then no log is archived until all are full, and ``minutes`` without space."""
    lost_records: tuple[Outage, ...] = ()
    """Its SMF records never arrive, while it runs."""
    sampled_by: MonitorKind | None = None
    """Who samples it on the days of daily dumps, beside SMF; ``None``: nobody."""

    @property
    def log_size_bytes(self) -> int:
        """Bytes of an active log data set."""
        return round(self.active_log_size_mib * MIB_BYTES)

    @model_validator(mode="after")
    def _parts_are_recorded(self) -> Self:
        if self.lost_records and (self.senders or self.channel_groups):
            raise ValueError("lost_records is for queue managers without senders or channel_groups")
        return self


class Structure(Model):
    """A CF structure; the load is the share of its entries in use, percent."""

    name: Annotated[str, Field(pattern=r"^[A-Z0-9@#$_]{1,16}$")]
    kind: Annotated[str, Field(pattern=r"^(list|lock|cache)$")] = "list"
    size_mib: Positive = 512
    entries: Annotated[int, Field(ge=1)] = 400_000
    elements: Annotated[int, Field(ge=1)] = 1_600_000
    entries_used_pct: Load
    elements_per_entry: Positive = 1.6
    requests_per_s: Positive = 800
    """Of all systems together at the busiest hour of the anchor day."""
    change: LoadChange | None = None
    """Change of its requests, beside that of the facility."""
    storage_class_memory: bool = False
    """A key of the settings file: the structure has storage class memory."""


class CouplingFacilitySpec(Owned):
    """A coupling facility and the structures in it."""

    name: Name8
    engines: Annotated[int, Field(ge=1, le=32)] = 2
    busy_pct: Load
    storage_mib: Positive = 16_384
    structures: tuple[Structure, ...]
    takes_over: Name8 | None = None
    """The CF whose structures are rebuilt here when it fails."""
    moved_transactions_per_s: Positive | None = None
    """A plan of the settings file: transactions that are to move to this facility."""
    rules: tuple[PlantedRule, ...] = ()
    first_day_offset: int | None = None


class SystemSpec(Model):
    """A z/OS system."""

    smfid: Name4
    name: Name8
    cpc: Name8 | None = None
    """The machine it runs on; ``None``: not in the settings file."""


class SysplexSpec(Model):
    """A sysplex and everything in it."""

    name: Name8
    timezone: ZoneName = "UTC"
    holidays: str | None = None
    systems: Annotated[tuple[SystemSpec, ...], Field(min_length=1)]
    qmgrs: tuple[QueueManagerSpec, ...] = ()
    cfs: tuple[CouplingFacilitySpec, ...] = ()
    daily_framing: WrittenFraming = WrittenFraming.rdw
    """WrittenFraming of the daily dumps; the archived months are always ``rdw``."""

    @property
    def owners(self) -> tuple[QueueManagerSpec | CouplingFacilitySpec, ...]:
        """What has planted truths."""
        return (*self.qmgrs, *self.cfs)

    @model_validator(mode="after")
    def _queue_managers_run_somewhere(self) -> Self:
        smfids = {system.smfid for system in self.systems}
        lost = [qmgr.name for qmgr in self.qmgrs if qmgr.system not in smfids]
        if lost:
            raise ValueError(f"system of {', '.join(lost)} is none of {', '.join(sorted(smfids))}")
        return self


class EstateSpec(Model):
    """Everything to simulate."""

    seed: Annotated[int, Field(ge=0)] = 1
    anchor_date: date | None = None
    history_days: Annotated[int, Field(ge=1)] = 400
    """Age of the estate on the anchor day: log RBAs and sawtooths of storage begin there."""
    interval_minutes: IntervalMinutes = 60
    daily_dump_days: Annotated[int, Field(ge=0)] = 3
    """The last days come as one dump per sysplex and day, the rest as one per month."""
    sender_days: Annotated[int, Field(ge=0)] = 35
    """Records of queues, tasks, channel groups and log volumes, and 115.2 of queue managers with
    senders, are written for so many days to the anchor."""
    log_switch_days: Annotated[int, Field(ge=0)] = 35
    """Log switch messages are written for the last so many days."""
    sysplexes: Annotated[tuple[SysplexSpec, ...], Field(min_length=1)]
    sites: tuple[SiteSpec, ...] = ()


def load_spec(file: Path) -> EstateSpec:
    """The estate described by a YAML file; ConfigurationError names each wrong key."""
    try:
        return EstateSpec.model_validate(parse_yaml(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise ConfigurationError(
            f"estate file {file} cannot be read",
            found=str(error.strerror),
            remedy="Correct its path.",
        ) from error
    except (yaml.YAMLError, ValidationError) as error:
        items = error.errors() if isinstance(error, ValidationError) else ()
        problems = [f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in items]
        raise ConfigurationError(
            f"estate file {file} does not describe an estate",
            found="; ".join(problems) or str(error),
            remedy="Correct the key(s); devtools/simulator/sample.yaml is a complete example.",
        ) from error


def sample_spec() -> EstateSpec:
    """The default estate: two sysplexes, six queue managers, every class of crossing."""
    return load_spec(Path(__file__).with_name("sample.yaml"))


def small_spec() -> EstateSpec:
    """Return a sysplex with two queue managers and two coupling facilities, for tests."""
    return load_spec(Path(__file__).with_name("small.yaml"))
