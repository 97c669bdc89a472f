"""The amount that a recommended change ends in: where it is typed, and how much.

A rule states the amount as parts; what a person types (``CYL(4883)``) is rendered from them here
and nowhere else. A program that writes control statements reads the parts.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict


class TypedKind(StrEnum):
    """Operand that takes an amount; the name carries the unit where the operand has one."""

    cylinders = "cylinders"
    """Space of one data set: an active log or a page set."""
    more_data_sets = "more_data_sets"
    """So many further data sets of that size in each copy."""
    buffers = "buffers"
    structure_kib = "structure_kib"
    memlimit_gib = "memlimit_gib"
    maxchl = "maxchl"
    outbuff_kb = "outbuff_kb"
    log_compression = "log_compression"
    """A keyword without a figure."""
    engines = "engines"
    channels = "channels"
    queue_managers = "queue_managers"
    maxarch = "maxarch"
    backup_hours = "backup_hours"
    backup_minutes = "backup_minutes"
    adapters = "adapters"
    smds_buffers = "smds_buffers"
    batch_interval_ms = "batch_interval_ms"
    processes = "processes"
    zhyperlink_paths = "zhyperlink_paths"
    queues = "queues"
    ims_buffers = "ims_buffers"
    ims_regions = "ims_regions"
    mqm_mb = "mqm_mb"
    network_gigabits = "network_gigabits"
    log_file_pages = "log_file_pages"
    log_primary_files = "log_primary_files"
    max_channels = "max_channels"
    max_depth = "max_depth"
    max_file_mib = "max_file_mib"
    max_instances = "max_instances"
    max_client_instances = "max_client_instances"
    file_system_pct = "file_system_pct"
    """Size of a file system in per cent of that of today."""
    memory_mib = "memory_mib"
    other = "other"
    """Text of an older release that is of no known kind; no rule emits it."""


class TypedAmount(BaseModel):
    """Amount of a change, in parts."""

    model_config = ConfigDict(frozen=True)

    kind: TypedKind
    value: int = 0
    """In the unit of the kind; 0 where the kind is a keyword without a figure."""
    data_sets: int = 1
    """Number of data sets that are defined in each copy, for ``more_data_sets``."""
    words: str = ""
    """The text itself, for ``other``."""

    @classmethod
    def of(cls, kind: TypedKind, value: int = 0, data_sets: int = 1) -> TypedAmount:
        """Return the amount of a kind."""
        return cls(kind=kind, value=value, data_sets=data_sets)

    @property
    def text(self) -> str:
        """Text that a person types or orders, such as ``CYL(4883)``."""
        if self.kind is TypedKind.other:
            return self.words
        if self.kind in _NOUNS:
            return f"{self.value:,} {_NOUNS[self.kind]}{'' if self.value == 1 else 's'}"
        return _FORMS[self.kind].format(value=self.value, data_sets=self.data_sets)


_NOUNS: Final = {
    TypedKind.channels: "channel",
    TypedKind.queue_managers: "queue manager",
    TypedKind.queues: "queue",
    TypedKind.ims_regions: "region",
    TypedKind.zhyperlink_paths: "PFID",
}
_FORMS: Final = {
    TypedKind.cylinders: "CYL({value})",
    TypedKind.more_data_sets: "{data_sets} x CYL({value})",
    TypedKind.buffers: "BUFFERS({value})",
    TypedKind.structure_kib: "SIZE({value}K)",
    TypedKind.memlimit_gib: "MEMLIMIT={value}G",
    TypedKind.maxchl: "MAXCHL({value})",
    TypedKind.outbuff_kb: "OUTBUFF={value}",
    TypedKind.log_compression: "COMPLOG=RLE",
    TypedKind.engines: "ICF engines: {value}",
    TypedKind.maxarch: "MAXARCH={value}",
    TypedKind.backup_hours: "every {value} h",
    TypedKind.backup_minutes: "every {value} min",
    TypedKind.adapters: "CHIADAPS({value})",
    TypedKind.smds_buffers: "DSBUFS({value})",
    TypedKind.batch_interval_ms: "BATCHINT({value})",
    TypedKind.processes: "MAXPROCUSER({value})",
    TypedKind.ims_buffers: "QBUF={value}",
    TypedKind.mqm_mb: "MQM {value} MB",
    TypedKind.network_gigabits: "{value} Gb/s",
    TypedKind.log_file_pages: "LogFilePages={value}",
    TypedKind.memory_mib: "{value} MiB",
    TypedKind.log_primary_files: "LogPrimaryFiles={value}",
    TypedKind.max_channels: "MaxChannels={value}",
    TypedKind.max_depth: "MAXDEPTH({value})",
    TypedKind.max_file_mib: "MAXFSIZE({value})",
    TypedKind.max_instances: "MAXINST({value})",
    TypedKind.max_client_instances: "MAXINSTC({value})",
    TypedKind.file_system_pct: "{value} % of the size of today",
}
