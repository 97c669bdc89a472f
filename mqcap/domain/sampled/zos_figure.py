"""Figures of queue managers on z/OS as monitors sample them; no SMF record holds these samples."""

from __future__ import annotations

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
