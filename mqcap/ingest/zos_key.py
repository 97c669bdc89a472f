"""Whose figure a sample of a queue manager on z/OS is."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from mqcap.domain.distributed.qmgr_figure import SampleReading
from mqcap.domain.sampled.figures import ZosFigure

QMGR: Final = re.compile(r"[A-Z0-9@#$]{1,4}")
"""Name of a queue manager on z/OS."""
_NUMBER_MAX: Final = 99


class ZosKey(NamedTuple):
    """Sysplex and SMF id are empty where the input does not state them."""

    sysplex: str
    smfid: str
    qmgr: str
    object: str
    figure: ZosFigure

    @property
    def reading(self) -> SampleReading:
        """Samples of a monitor are levels."""
        return SampleReading.gauge


def object_number(text: str) -> int | None:
    """Return the number of a buffer pool or page set, from 0 to 99; ``None`` for other text."""
    is_number = text.isascii() and text.isdigit() and int(text) <= _NUMBER_MAX
    return int(text) if is_number else None
