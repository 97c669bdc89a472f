"""The amount that a recommended change ends in: where it is typed, and how much.

A rule states the amount as parts; what a person types (``CYL(4883)``) is rendered from them here
and nowhere else. A program that writes control statements reads the parts.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import BaseModel


class TypedKind(StrEnum):
    """Operand that takes an amount; the name carries the unit where the operand has one.

    Behind it is what a person types or orders, where ``s`` is that of the plural.
    """

    form: str

    def __new__(cls, value: str, form: str) -> Self:
        """Return the member of a value with its form."""
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.form = form
        return kind

    cylinders = "cylinders", "CYL({value})"
    """Space of one data set: an active log or a page set."""
    more_data_sets = "more_data_sets", "{data_sets} x CYL({value})"
    """So many further data sets of that size in each copy."""
    buffers = "buffers", "BUFFERS({value})"
    structure_kib = "structure_kib", "SIZE({value}K)"
    memlimit_gib = "memlimit_gib", "MEMLIMIT={value}G"
    maxchl = "maxchl", "MAXCHL({value})"
    outbuff_kb = "outbuff_kb", "OUTBUFF={value}"
    log_compression = "log_compression", "COMPLOG=RLE"
    """A keyword without a figure."""
    engines = "engines", "ICF engines: {value}"
    channels = "channels", "{value:,} channel{s}"
    queue_managers = "queue_managers", "{value:,} queue manager{s}"
    maxarch = "maxarch", "MAXARCH={value}"
    backup_hours = "backup_hours", "every {value} h"
    backup_minutes = "backup_minutes", "every {value} min"
    adapters = "adapters", "CHIADAPS({value})"
    smds_buffers = "smds_buffers", "DSBUFS({value})"
    batch_interval_ms = "batch_interval_ms", "BATCHINT({value})"
    processes = "processes", "MAXPROCUSER({value})"
    zhyperlink_paths = "zhyperlink_paths", "{value:,} PFID{s}"
    queues = "queues", "{value:,} queue{s}"
    ims_buffers = "ims_buffers", "QBUF={value}"
    ims_regions = "ims_regions", "{value:,} region{s}"
    mqm_mb = "mqm_mb", "MQM {value} MB"
    network_gigabits = "network_gigabits", "{value} Gb/s"
    log_file_pages = "log_file_pages", "LogFilePages={value}"
    log_primary_files = "log_primary_files", "LogPrimaryFiles={value}"
    max_channels = "max_channels", "MaxChannels={value}"
    max_depth = "max_depth", "MAXDEPTH({value})"
    max_file_mib = "max_file_mib", "MAXFSIZE({value})"
    max_instances = "max_instances", "MAXINST({value})"
    max_client_instances = "max_client_instances", "MAXINSTC({value})"
    file_system_pct = "file_system_pct", "{value} % of the size of today"
    """Size of a file system in per cent of that of today."""
    memory_mib = "memory_mib", "{value} MiB"
    other = "other", ""
    """Text of an older release that is of no known kind; no rule emits it."""


class TypedAmount(BaseModel, frozen=True):
    """Amount of a change, in parts."""

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
        plural = "" if self.value == 1 else "s"
        return self.kind.form.format(value=self.value, data_sets=self.data_sets, s=plural)
