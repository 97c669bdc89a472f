"""Figures of queue managers on z/OS and of z/TPF systems, as monitors and displays tell them."""

from enum import StrEnum


class ZosFigure(StrEnum):
    """A figure; the unit is in its name."""

    buffer_pool_used_pct = "buffer_pool_used_pct"
    """Buffers that are not available, of all buffers of the pool."""
    page_set_used_pct = "page_set_used_pct"
    """Pages in use, of all pages of the page set."""
    active_log_used_pct = "active_log_used_pct"
    """Of the log data set that is being written."""
    channels_used_pct = "channels_used_pct"
    """Current channels, of MAXCHL."""
    connection_count = "connection_count"
    messages_put_per_s = "messages_put_per_s"
    """MQPUT and MQPUT1 calls to the queue manager."""
    private_queue_messages_per_s = "private_queue_messages_per_s"
    """Of a queue in a page set; of several of one time the highest."""
    shared_queue_depth_count = "shared_queue_depth_count"
    """Highest depth of a shared queue; of several of one time the highest."""
    smds_used_pct = "smds_used_pct"
    """Data blocks of a shared message data set; of several of one time the highest."""
    smds_buffers_used_pct = "smds_buffers_used_pct"
    """Buffers of a shared message data set; of several of one time the highest."""
    structure_entries_used_pct = "structure_entries_used_pct"
    """List entries of a CF structure; of several members of one time the highest."""
    structure_storage_used_pct = "structure_storage_used_pct"
    """Storage of a CF structure; of several members of one time the highest."""
    buffers_total_count = "buffers_total_count"
    buffers_free_count = "buffers_free_count"
    """Both of a buffer pool, where a monitor reports them apart."""
    pages_total_count = "pages_total_count"
    pages_unused_count = "pages_unused_count"
    """Both of a page set."""


class ZtpfFigure(StrEnum):
    """A figure; the unit is in its name."""

    mqm_total_blocks = "mqm_total_blocks"
    mqm_in_use_blocks = "mqm_in_use_blocks"
    mqm_high_water_blocks = "mqm_high_water_blocks"
    """Most in use since the last IPL: it never falls."""
    sweep_level_pct = "sweep_level_pct"
    """MQMSWPL, at which sweeping starts."""
    queue_depth_count = "queue_depth_count"
    queue_mqm_blocks = "queue_mqm_blocks"
    queue_swb_count = "queue_swb_count"
    queue_put_bytes_per_s = "queue_put_bytes_per_s"
    """Data added to one queue, persistent and not: rate x length of both."""
