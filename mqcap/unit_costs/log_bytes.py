"""Log bytes of a persistent message: all that was logged over all persistent puts."""

from datetime import datetime
from typing import Any, Final

import numpy as np

from mqcap.domain.numbers import figure
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import BookValue, UnitCost, UnitCostKind
from mqcap.domain.units import PAGE_BYTES
from mqcap.unit_costs.interval import ratio
from mqcap.unit_costs.learning_data import LearningData, Sample, learnt_cost
from sizing.rulebook.registry import get

PUT: Final = "LOG-BYTES-PUT-LOCAL"
GET: Final = "LOG-BYTES-GET-LOCAL"
BLOCK_INTERVALS: Final = 24
"""Intervals drawn together: a day of hourly records (ours)."""
KEYS: Final = ("qmgr", "interval_end_utc", "record_hash", "section_index")
_CAVEAT: Final = (
    "Everything that is logged is shared out over the persistent puts: gets, commits, channel "
    "batches and changes of objects too."
)


def subjects(data: LearningData) -> list[str]:
    """Return the queue managers with statistics of messages and of the log."""
    return sorted(data.once(_intervals))


def learn(data: LearningData, kind: UnitCostKind, subject: str) -> UnitCost | None:
    """Return log bytes of a persistent put; ``None`` without persistent puts in the records.

    The book's value is that of MP16 for a put and a get of the mean length of these messages.
    """
    intervals = data.once(_intervals).get(subject, [])
    puts, put_bytes, logged = (np.array(column, dtype=float) for column in _columns(intervals))
    fitted = ratio(puts, logged, BLOCK_INTERVALS, data.options.confidence)
    if fitted is None:
        return None
    mean_bytes = round(float(put_bytes.sum() / puts.sum()))
    days = [end.date() for end, *_ in intervals]
    sample = Sample(len(days), "interval", days[0], days[-1], data.options.least_intervals)
    return learnt_cost(
        kind,
        subject,
        fitted,
        sample,
        data,
        caveats=(_CAVEAT, f"The mean message has {figure(mean_bytes)} bytes."),
        unit_size_bytes=mean_bytes,
        book=book_value(mean_bytes),
    )


def book_value(message_bytes: int) -> BookValue:
    """Return what MP16 measured for put and get in syncpoint of a message of a private queue."""
    put, got = get(PUT), get(GET)
    total = sum(
        float(entry.answer({"message_bytes": message_bytes, "pattern": pattern})[
            "log_bytes_per_message"
        ])
        for entry, pattern in ((put, "put_then_commit"), (got, "get_then_commit"))
    )  # fmt: skip
    return BookValue(value=total, unit="bytes", rule=f"{PUT} + {GET}", citation=str(put.citation))


_Interval = tuple[datetime, float, float, float]


def _columns(intervals: list[_Interval]) -> tuple[tuple[float, ...], ...]:
    """Return puts, bytes put and bytes logged, one value per interval."""
    _, puts, put_bytes, logged = zip(*intervals, strict=True) if intervals else ((),) * 4
    return puts, put_bytes, logged


def _intervals(data: LearningData) -> dict[str, list[_Interval]]:
    """Return end, persistent puts, their bytes and bytes logged by queue manager, in order."""
    logged: dict[tuple[str, datetime], float] = {}
    for row in data.records("section_qjst", [*KEYS, "qjstbffl"], "interval_end_utc"):
        if row["qjstbffl"] is None:
            continue
        key = (_manager(row), row["interval_end_utc"])
        logged[key] = logged.get(key, 0.0) + float(row["qjstbffl"]) * PAGE_BYTES
    intervals: dict[str, list[_Interval]] = {}
    for row in data.records("section_qmst", [*KEYS, "qmstspp", "qmstpbp"], "interval_end_utc"):
        end = row["interval_end_utc"]
        key = (_manager(row), end)
        if key in logged and row["qmstspp"] is not None and row["qmstpbp"] is not None:
            figures = (end, float(row["qmstspp"]), float(row["qmstpbp"]), logged[key])
            intervals.setdefault(key[0], []).append(figures)
    return {subject: sorted(rows) for subject, rows in intervals.items()}


def _manager(row: dict[str, Any]) -> str:
    return Subject.of(row["sysplex"], row["qmgr"])
