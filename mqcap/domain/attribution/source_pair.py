"""Pairs of sources that contain the same figure, and when they differ."""

from __future__ import annotations

import math
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple


class PairName(StrEnum):
    """A figure that two sources have."""

    log_tasks = "log_tasks"
    log_queues = "log_queues"
    structure_requests = "structure_requests"
    chinit_storage = "chinit_storage"


class SourcePair(NamedTuple):
    """What both sources measure."""

    figure: str
    unit: str
    first: str
    second: str
    remedy: str
    is_upper_bound: bool = False
    """Whether the second may be less than the first: it contains a part of the figure."""

    def deviation_pct(self, first: float, second: float) -> float:
        """Return by how much the second is above the first, in per cent; 0 where it may be less.

        Infinite where the first has nothing of what the second has.
        """
        if first <= 0:
            return math.inf if second > 0 else 0.0
        deviation = 100 * (second - first) / first
        return max(0.0, deviation) if self.is_upper_bound else deviation


PAIRS: Final = MappingProxyType(
    {
        PairName.log_tasks: SourcePair(
            "log write rate",
            "MiB/s",
            "115.1 (QJSTBFFL)",
            "116 class 3 (WTASJWB)",
            "Check whether START TRACE(ACCTG) CLASS(3) is on for all tasks, and whether records of"
            " either type are missing.",
        ),
        PairName.log_queues: SourcePair(
            "log write rate",
            "MiB/s",
            "115.1 (QJSTBFFL)",
            "the persistent bytes put of 115.216 (QQSTPPB)",
            "More bytes were put than logged: check for records of 115.1 that are missing.",
            is_upper_bound=True,
        ),
        PairName.structure_requests: SourcePair(
            "requests to the structure",
            "count/s",
            "74.4 (R744SSRC and R744SARC)",
            "115.2 of its queue managers (QESTCSEC and QESTCMEC)",
            "Check for a queue manager whose 115.2 is missing, or for 74.4 of a member.",
        ),
        PairName.chinit_storage: SourcePair(
            "31-bit storage of the channel initiator",
            "MiB",
            "115.231 (QCCTSTUS)",
            "message CSQX004I",
            "Check whether the console log is of that channel initiator, and its time zone.",
        ),
    }
)
