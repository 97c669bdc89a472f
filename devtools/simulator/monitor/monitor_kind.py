"""Monitors that sample queue managers on z/OS."""

from __future__ import annotations

from enum import StrEnum


class MonitorKind(StrEnum):
    """Who writes the samples, which decides their form."""

    omegamon = "omegamon"
    """OMEGAMON Data Provider: JSON lines of pools, page sets, log and channels."""
    mq_prometheus = "mq_prometheus"
    """As a client: pools and page sets, asked for from Prometheus."""
