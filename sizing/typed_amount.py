"""What the typed figure of a change says: the kind of thing that is typed, and how much.

Rules end their advice in the text that a person types (``CYL(4883)``). A program that writes
control statements needs its parts; every form that a rule may use is listed here.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple


class TypedKind(StrEnum):
    """Where the figure is typed."""

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
    memory_mib = "memory_mib"


class Typed(NamedTuple):
    """A figure and, for data sets, how many of them."""

    kind: TypedKind
    amount: int
    data_sets: int = 1


_FORMS: Final = (
    (TypedKind.more_data_sets, re.compile(r"(?P<data_sets>\d+) x CYL\((?P<amount>\d+)\)")),
    (TypedKind.cylinders, re.compile(r"CYL\((?P<amount>\d+)\)")),
    (TypedKind.buffers, re.compile(r"BUFFERS\((?P<amount>\d+)\)")),
    (TypedKind.structure_kib, re.compile(r"SIZE\((?P<amount>\d+)K\)")),
    (TypedKind.memlimit_gib, re.compile(r"MEMLIMIT=(?P<amount>\d+)G")),
    (TypedKind.maxchl, re.compile(r"MAXCHL\((?P<amount>\d+)\)")),
    (TypedKind.outbuff_kb, re.compile(r"OUTBUFF=(?P<amount>\d+)")),
    (TypedKind.log_compression, re.compile(r"COMPLOG=RLE")),
    (TypedKind.engines, re.compile(r"ICF engines: (?P<amount>\d+)")),
    (TypedKind.channels, re.compile(r"(?P<amount>\d+) channels?")),
    (TypedKind.queue_managers, re.compile(r"(?P<amount>\d+) queue managers?")),
    (TypedKind.maxarch, re.compile(r"MAXARCH=(?P<amount>\d+)")),
    (TypedKind.backup_hours, re.compile(r"every (?P<amount>\d+) h")),
    (TypedKind.backup_minutes, re.compile(r"every (?P<amount>\d+) min")),
    (TypedKind.adapters, re.compile(r"CHIADAPS\((?P<amount>\d+)\)")),
    (TypedKind.smds_buffers, re.compile(r"DSBUFS\((?P<amount>\d+)\)")),
    (TypedKind.batch_interval_ms, re.compile(r"BATCHINT\((?P<amount>\d+)\)")),
    (TypedKind.processes, re.compile(r"MAXPROCUSER\((?P<amount>\d+)\)")),
    (TypedKind.zhyperlink_paths, re.compile(r"(?P<amount>\d+) PFIDs")),
    (TypedKind.queues, re.compile(r"(?P<amount>\d+) queues")),
    (TypedKind.ims_buffers, re.compile(r"QBUF=(?P<amount>\d+)")),
    (TypedKind.ims_regions, re.compile(r"(?P<amount>\d+) regions")),
    (TypedKind.mqm_mb, re.compile(r"MQM (?P<amount>\d+) MB")),
    (TypedKind.network_gigabits, re.compile(r"(?P<amount>\d+) Gb/s")),
    (TypedKind.log_file_pages, re.compile(r"LogFilePages=(?P<amount>\d+)")),
    (TypedKind.memory_mib, re.compile(r"(?P<amount>\d+) MiB")),
)


def parse(typed: str) -> Typed | None:
    """The parts of a change's ``typed``; ``None`` for a text of no known form."""
    for kind, form in _FORMS:
        match = form.fullmatch(typed)
        if match is not None:
            parts = match.groupdict()
            return Typed(kind, int(parts.get("amount", 0)), int(parts.get("data_sets", 1)))
    return None
