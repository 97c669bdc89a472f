"""Messages that stay on queues: entries and elements of a structure where the queue is shared."""

from __future__ import annotations

from datetime import date
from typing import Final

import numpy as np

from devtools.simulator.events import changed
from devtools.simulator.senders import Sender
from devtools.simulator.spec import SysplexSpec
from devtools.simulator.timeline import Int64s
from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from sizing.rulebook.registry import get

_FILL: Final = "@"


def held_messages(sender: Sender, days: Int64s, anchor: date) -> Int64s:
    """Return the messages on the queue of a sender in intervals of these local days."""
    held: Int64s = np.rint(sender.held * changed(sender.held_change, days, anchor)).astype(np.int64)
    return held


def senders_of_structure(plex: SysplexSpec, structure: str) -> list[Sender]:
    """Return one sender per shared queue in a structure of that z/OS name, the first member's."""
    found: dict[str, Sender] = {}
    for qmgr in plex.qmgrs:
        group = (qmgr.qsg or "").ljust(GROUP_NAME_LENGTH, _FILL)
        for sender in qmgr.senders:
            if sender.structure and f"{group}{sender.structure}" == structure:
                found.setdefault(sender.queue, sender)
    return list(found.values())


def elements_of(sender: Sender) -> int:
    """Return the elements of one message of a sender (CFS-ELEMENTS)."""
    return int(get("CFS-ELEMENTS").answer({"message_bytes": sender.message_bytes})["elements"])
