"""MiB/s of archiving: from the message that a log is full to the end of its offload."""

from datetime import date, datetime
from typing import Final, NamedTuple

import numpy as np
import pyarrow.compute as pc

from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.domain.units import MIB_BYTES
from mqcap.unit_costs.interval import ratio
from mqcap.unit_costs.learning_data import LearningData, Sample, learnt_cost

FULL: Final = "CSQJ002I"
OFFLOADED: Final = "CSQJ139I"
_COLUMNS: Final = ("qmgr", "message_id", "log_copy", "start_rba", "end_rba")
_CAVEAT: Final = (
    "Time from CSQJ002I (full, copy 1) to CSQJ139I (offload ended), tape mount included; offloads "
    "of several logs at once are left out."
)


class ArchivedLog(NamedTuple):
    """One active log that was archived by itself."""

    full_utc: datetime
    seconds: float
    mib: float


def subjects(data: LearningData) -> list[str]:
    """Return the queue managers of which an offload was seen from begin to end."""
    return sorted(data.once(_archives))


def learn(data: LearningData, kind: UnitCostKind, subject: str) -> UnitCost | None:
    """Return MiB archived a second; ``None`` where no offload was seen."""
    archives = data.once(_archives).get(subject, [])
    seconds, mib = (
        np.array([getattr(archive, name) for archive in archives]) for name in ("seconds", "mib")
    )
    fitted = ratio(seconds, mib, 1, data.options.confidence)
    if fitted is None:
        return None
    first, last = (_day(archives[place]) for place in (0, -1))
    sample = Sample(len(archives), "archive", first, last, data.options.least_archives)
    return learnt_cost(kind, subject, fitted, sample, data, caveats=(_CAVEAT,))


def _day(archive: ArchivedLog) -> date:
    return archive.full_utc.date()


def _archives(data: LearningData) -> dict[str, list[ArchivedLog]]:
    """Return archived logs by queue manager, in order of time."""
    full: dict[str, dict[int, tuple[datetime, float]]] = {}
    archives: dict[str, list[ArchivedLog]] = {}
    offloads = pc.field("message_id").isin([FULL, OFFLOADED])
    rows = data.records("console_event", _COLUMNS, "event_utc", offloads)
    for row in sorted(rows, key=lambda row: (row["event_utc"], row["message_id"])):
        manager, at = Subject.of(row["sysplex"], row["qmgr"]), row["event_utc"]
        waiting = full.setdefault(manager, {})
        is_known = row["start_rba"] is not None and bool(row["end_rba"])
        if row["message_id"] == FULL and row["log_copy"] in {1, None} and is_known:
            mib = float(row["end_rba"] - row["start_rba"] + 1) / MIB_BYTES
            waiting.setdefault(int(row["end_rba"]), (at, mib))
        elif row["message_id"] == OFFLOADED:
            logs = [*waiting.values()]
            waiting.clear()
            if len(logs) == 1 and at > logs[0][0]:
                begun, mib = logs[0]
                seconds = (at - begun).total_seconds()
                archives.setdefault(manager, []).append(ArchivedLog(begun, seconds, mib))
    return archives
