"""Figures of z/TPF systems as displays and tables tell them; blocks of MQM are 4 KiB."""

from __future__ import annotations

from enum import StrEnum


class ZtpfFigure(StrEnum):
    """A figure; the unit is in its name."""

    mqm_total_blocks = "mqm_total_blocks"
    """MQM allocated."""
    mqm_in_use_blocks = "mqm_in_use_blocks"
    mqm_high_water_blocks = "mqm_high_water_blocks"
    """Most in use since the last IPL: it never falls."""
    sweep_level_pct = "sweep_level_pct"
    """MQMSWPL, at which sweeping starts."""
    queue_depth_count = "queue_depth_count"
    """Messages on one queue."""
    queue_mqm_blocks = "queue_mqm_blocks"
    """MQM of one queue."""
    queue_swb_count = "queue_swb_count"
    """System work blocks of one queue."""
    queue_put_bytes_per_s = "queue_put_bytes_per_s"
    """Data added to one queue, persistent and not: rate x length of both."""
