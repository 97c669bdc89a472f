"""Resources: what one change request touches, and so what one plan and one ticket are about."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Self

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
from mqcap.domain.subject import Subject


class HeatColumn(StrEnum):
    """Headings of the columns of the heat table, in their order; each holds kinds of resources."""

    active_log = "Active log"
    chinit_storage = "Chinit storage"
    channels = "Channels"
    buffer_pool = "Buffer pool"
    page_set = "Page set"
    cf_processor = "CF processor"
    cf_structure = "CF structure"
    log_files = "Log files"
    file_system = "File system"
    max_channels = "MaxChannels"
    queue = "Queue"
    host = "Host"
    mqm = "MQM"
    other = "Other"


class ResourceKind(StrEnum):
    """Kind of resource; every rule is about one."""

    label: str
    """The kind as people read it, such as ``active logs``."""
    column: HeatColumn
    """The column of the heat table for rules of this kind that declare no other."""

    def __new__(cls, value: str, label: str = "", column: HeatColumn = HeatColumn.other) -> Self:
        """Make a kind: its value, its label and its column."""
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.label, kind.column = label, column
        return kind

    active_log = "active_log", "active logs", HeatColumn.active_log
    """``PLEX1/CSQ1/active_log``: number and size of the active logs"""
    archive = "archive", "archive logs", HeatColumn.active_log
    """``PLEX1/CSQ1/archive``: archiving and the archive logs that the BSDS lists"""
    log_writing = "log_writing", "log writing", HeatColumn.active_log
    """``PLEX1/CSQ1/log_writing``: log buffers, log writer task and the devices under the logs"""
    zhyperlink = "zhyperlink", "zHyperLink"
    recovery = "recovery", "recovery", HeatColumn.active_log
    """``PLEX1/CSQ1/recovery``: backups of page sets and structures, and what a restart reads"""
    buffer_pool = "buffer_pool", "buffer pool", HeatColumn.buffer_pool
    page_set = "page_set", "page set", HeatColumn.page_set
    chinit_storage_31bit = (
        "chinit_storage_31bit",
        "chinit 31-bit storage",
        HeatColumn.chinit_storage,
    )
    chinit_storage_64bit = (
        "chinit_storage_64bit",
        "chinit 64-bit storage",
        HeatColumn.chinit_storage,
    )
    chinit_tasks = "chinit_tasks", "chinit tasks", HeatColumn.chinit_storage
    """``PLEX1/CSQ1/CHINIT/tasks``: dispatchers, TLS tasks and their threads"""
    chinit_adapters = "chinit_adapters", "chinit adapters", HeatColumn.chinit_storage
    chinit_channels = "chinit_channels", "channels", HeatColumn.channels
    """``PLEX1/CSQ1/CHINIT/channels``: how many channels may run, and how they run"""
    virtual_storage = "virtual_storage", "common storage", HeatColumn.channels
    """``PLEX1/CSQ1/CHINIT/virtual_storage``: common storage of the system"""
    smds = "smds", "shared message data sets"
    """``PLEX1/QSG1APPL1/SMDS``, or ``PLEX1/CSQ1/SMDS`` where only the queue manager is known"""
    applications = "applications", "applications"
    """``PLEX1/CSQ1/applications``: what programs and their definitions of queues do"""
    queue_manager = "queue_manager", "queue manager"
    """``PLEX1/CSQ1/queue_manager``: the queue manager itself, where no part of it is named"""
    storage_31bit = "storage_31bit", "31-bit storage"
    """``PLEX1/CSQ1/storage_31bit``: storage of the queue manager below the bar"""
    storage_64bit = "storage_64bit", "64-bit storage"
    """``PLEX1/CSQ1/storage_64bit``: storage of the queue manager above the bar"""
    accounting = "accounting", "accounting records"
    """``PLEX1/CSQ1/accounting``: SMF accounting records"""
    ims_bridge = "ims_bridge", "IMS bridge"
    coupling_facility = "coupling_facility", "coupling facility", HeatColumn.cf_processor
    """``PLEX1/CF01``"""
    structure = "structure", "structure", HeatColumn.cf_structure
    """``PLEX1/QSG1APPL1``: both copies of a duplexed structure"""
    loss = "loss", "loss"
    """``PLEX1/CF02/loss``: what survivors carry when this facility or member is lost"""
    linux_log = "linux_log", "log", HeatColumn.log_files
    linux_processors = "linux_processors", "processors", HeatColumn.host
    linux_memory = "linux_memory", "memory", HeatColumn.host
    linux_network = "linux_network", "network", HeatColumn.host
    linux_clients = "linux_clients", "clients", HeatColumn.max_channels
    linux_queues = "linux_queues", "queues", HeatColumn.queue
    ztpf_mqm = "ztpf_mqm", "MQM", HeatColumn.mqm
    mq_log = "mq_log", "log files", HeatColumn.log_files
    """``EAST/QM1/log``: primary and secondary log files of a distributed queue manager"""
    mq_log_file_system = "mq_log_file_system", "log file system", HeatColumn.file_system
    mq_data_file_system = "mq_data_file_system", "data file system", HeatColumn.file_system
    """``EAST/QM1/data_file_system``: queues and other data of the queue manager"""
    mq_channels = "mq_channels", "MaxChannels", HeatColumn.max_channels
    mq_native_ha = "mq_native_ha", "replicas of Native HA"
    mq_queue = "mq_queue", "queue", HeatColumn.queue
    mq_channel = "mq_channel", "channel", HeatColumn.max_channels
    site_figures = "site_figures", "site figures"
    """``EAST/host1/site_figures``: what figures that the settings declare are about"""

    @property
    def subject_kind(self) -> SubjectKind:
        """The kind of subjects that have such a resource; of most a queue manager."""
        kind = _ITSELF.get(self) or _SUBJECTS.get(self)
        return kind or _FAMILIES.get(self.family, SubjectKind.queue_manager)

    @property
    def family(self) -> str:
        """Begin of its name that the path of its subject expresses already; empty of most."""
        return next((family for family in _FAMILIES if self.startswith(family)), "")


_ITSELF: Final = {
    ResourceKind.buffer_pool: SubjectKind.buffer_pool,
    ResourceKind.page_set: SubjectKind.page_set,
    ResourceKind.coupling_facility: SubjectKind.coupling_facility,
    ResourceKind.mq_queue: SubjectKind.distributed_queue,
    ResourceKind.mq_channel: SubjectKind.distributed_channel,
}
"""Kinds whose subjects are resources as they are."""
_SUBJECTS: Final = {
    ResourceKind.virtual_storage: SubjectKind.channel_initiator,
    ResourceKind.structure: SubjectKind.structure,
    ResourceKind.site_figures: SubjectKind.site_object,
}
_FAMILIES: Final = {
    "chinit_": SubjectKind.channel_initiator,
    "linux_": SubjectKind.linux_host,
    "ztpf_": SubjectKind.ztpf_system,
    "mq_": SubjectKind.distributed_queue_manager,
}
_OWNER_PARTS: Final = 2


@dataclass(frozen=True)
class Resource:
    """A resource. Two are the same when their paths are."""

    path: Subject
    kind: ResourceKind = field(compare=False)
    owner_subject: Subject = field(compare=False)
    """The queue manager, Linux host, z/TPF system or coupling facility that it belongs to, such as
    ``PLEX1/CSQ1``; of a structure the facility of the copy that was asked about."""

    @property
    def label(self) -> str:
        """The resource as people read it, without its sysplex: ``CSQ1 active logs``."""
        _sysplex, *parts = self.path.names
        if self.kind is ResourceKind.structure:
            return f"{self.kind.label} {parts[0]}"
        if self.kind is ResourceKind.loss:
            return f"loss of {parts[0]}"
        if self.kind in {ResourceKind.buffer_pool, ResourceKind.page_set, ResourceKind.mq_queue}:
            return f"{parts[0]} {self.kind.label} {parts[1]}"
        if self.kind is ResourceKind.mq_channel:
            return f"{parts[0]} {self.kind.label} {parts[-1]}"
        return f"{parts[0]} {self.kind.label}"


def resource_of(kind: ResourceKind, subject: str) -> Resource:
    """Return the resource of this kind that a subject is, has or is a copy of.

    A ConfigurationError where it has no name under its sysplex, or is no structure.
    """
    parts = Subject(subject).names
    needed = _OWNER_PARTS + (kind is ResourceKind.structure)
    if len(parts) < needed:
        raise ConfigurationError(
            "the path of a subject is too short for its kind of resource",
            found=f"{subject!r} for {kind.label}",
            expected=f"at least {needed} names, such as PLEX1/CSQ1 or PLEX1/CF01/QSG1APPL1",
        )
    owner = Subject.of(*parts[:_OWNER_PARTS])
    return Resource(Subject.of(*_path(kind, parts)), kind, owner)


def _path(kind: ResourceKind, parts: list[str]) -> list[str]:
    if kind in _ITSELF:
        return parts
    if kind is ResourceKind.structure:
        return [parts[0], parts[-1]]
    if kind is ResourceKind.smds:
        return [parts[0], parts[-1], "SMDS"]
    return [*parts, kind.removeprefix(kind.family)]
