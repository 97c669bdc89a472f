"""Keys of the datasets that metrics read, without Spark's SQL: workers import this too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mqcap.domain.datasets import CONSOLE_EVENT

INTERVAL: Final = ("interval_start_utc", "interval_end_utc")
_MQ: Final = ("smfid", "qmgr", INTERVAL[0])
"""A queue manager begins one interval at a time; output of the formatter truncates the end's
fraction of a second, so the end is no part of the key."""
_CF: Final = ("smfid", "sysplex", "cf", *INTERVAL)
CARRY_FORWARD_HOURS: Final = 2
"""The value of a storage message is carried forward to the next one, over no longer gap than this
(ours)."""
SECTION_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "section_qjst": _MQ,
    "section_qcct": _MQ,
    "section_qpst": (*_MQ, "qpstpool"),
    "section_qis1": (*_MQ, "qis1psno"),
    "section_qctdsp": (*_MQ, "section_index"),
    "section_qctadp": (*_MQ, "section_index"),
    "section_qctssl": (*_MQ, "section_index"),
    "section_qcst": (*_MQ, "qcstchnm", "qcstcnnm", "qcststrt"),
    "section_qest": (*_MQ, "qeststr"),
    "section_qesd": (*_MQ, "qesdstr"),
    "section_qist": _MQ,
    "section_qmst": _MQ,
    "section_qqst": (*_MQ, "qqstqnam"),
    "section_r744f": _CF,
    "section_r744g": _CF,
    "section_r744p": (*_CF, "r744pnum"),
    "section_r744s": (*_CF, "r744snam", "r744sver"),
    "console_event": CONSOLE_EVENT.key,
}
