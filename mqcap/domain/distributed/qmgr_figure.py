"""Figures of distributed queue managers as any input tells them, before they are metrics."""

from enum import StrEnum
from typing import Final


class SampleReading(StrEnum):
    """What the value of a sample is."""

    gauge = "gauge"
    """A level over the step before it."""
    delta = "delta"
    """An amount counted within the step before it."""
    scrape = "scrape"
    """An amount counted since the last scrape: within the site's ``scrape_seconds``, whatever the
    step of the answer. With a larger step, samples between are missing."""
    counter = "counter"
    """An amount counted since some start; only the difference of two neighbours is known."""


ACTIVE_STATES: Final = frozenset({1, 3, 4, 7, 8, 13, 14})
"""MQCHS: binding, running, stopping, requesting, paused, initializing, switching."""


class QmgrFigure(StrEnum):
    """A figure; the unit is in its name."""

    log_primary_used_pct = "log_primary_used_pct"
    """Current primary space in use, in per cent of the primary files."""
    log_workload_pct = "log_workload_pct"
    """Primary space that the work of the queue manager needs, as it smooths that itself."""
    log_primary_files_count = "log_primary_files_count"
    log_secondary_files_count = "log_secondary_files_count"
    """Both of a capture that tells them with the log's use; those of qm.ini are settings."""
    log_written_bytes = "log_written_bytes"
    log_write_latency_us = "log_write_latency_us"
    log_media_mib = "log_media_mib"
    """Log that media recovery needs; of linear logs."""
    log_extents_grown_count = "log_extents_grown_count"
    """Extents created less those deleted; of linear logs."""
    log_extents_unreclaimed_count = "log_extents_unreclaimed_count"
    """Extents created less those reused or deleted; of linear logs."""
    log_media_extent_count = "log_media_extent_count"
    """Number of the oldest extent that media recovery needs (1199 of S0001199.LOG)."""
    log_fs_used_bytes = "log_fs_used_bytes"
    log_fs_size_bytes = "log_fs_size_bytes"
    log_fs_free_pct = "log_fs_free_pct"
    qmgr_fs_free_pct = "qmgr_fs_free_pct"
    put_count = "put_count"
    """MQPUT and MQPUT1 calls, without those to topics."""
    put_bytes = "put_bytes"
    connection_count = "connection_count"
    channel_status = "channel_status"
    channel_instance_count = "channel_instance_count"
    channel_instance_max_count = "channel_instance_max_count"
    """MAXINST; 999,999,999 is no limit."""
    channel_client_instance_count = "channel_client_instance_count"
    """Instances of one server-connection channel that come from its busiest client address."""
    channel_client_instance_max_count = "channel_client_instance_max_count"
    """MAXINSTC; 999,999,999 is no limit."""
    nha_backlog_bytes = "nha_backlog_bytes"
    nha_in_sync_count = "nha_in_sync_count"
    """Of one instance of Native HA that does not run: 1 when it has the whole log, 0 when not."""
    queue_depth_count = "queue_depth_count"
    queue_depth_max_count = "queue_depth_max_count"
    """MAXDEPTH."""
    queue_file_mib = "queue_file_mib"
    queue_file_max_mib = "queue_file_max_mib"
    """Size to which the file may grow: CURMAXFS."""
    queue_put_bytes = "queue_put_bytes"
    queue_put_count = "queue_put_count"
    """MQPUT and MQPUT1 calls to one queue."""
    queue_lock_contention_pct = "queue_lock_contention_pct"
    """Attempts to lock one queue that waited, in per cent of all."""
    host_cpu_user_pct = "host_cpu_user_pct"
    host_cpu_system_pct = "host_cpu_system_pct"
    host_ram_free_pct = "host_ram_free_pct"
