"""Costs that records of the lake give: log bytes of a message, accounting records, archiving."""

from collections import Counter
from datetime import datetime
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow.compute as pc

from mqcap.domain.numbers import figure
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import BookValue, UnitCost, UnitCostKind
from mqcap.domain.units import HOURS_PER_DAY, MIB_BYTES, PAGE_BYTES
from mqcap.unit_costs.interval import ratio
from mqcap.unit_costs.learning_data import FILE, LearningData, Sample, book_figure, learnt_cost

_SHARED_OUT: Final = (
    "Everything that is logged is shared out over the persistent puts: gets, commits, channel "
    "batches and changes of objects too."
)
_INTERVAL_KEYS: Final = ("qmgr", "interval_end_utc", "record_hash", "section_index")
_ACCOUNTING_COLUMNS: Final = ("qmgr", "record_subtype", "record_hash", "section_index")
_ONE_OF_EACH: Final = (
    "Subtypes 1 and 2 for each of subtype 1. A task that runs on at the end of an SMF interval "
    "counts in each."
)
_SHOWN_ONLY: Final = (
    "no rule and no what-if counts records: SMF-ACCT-BYTES has the measured bytes of these records"
)
FULL: Final = "CSQJ002I"
OFFLOADED: Final = "CSQJ139I"
_EVENT_COLUMNS: Final = ("qmgr", "message_id", "log_copy", "start_rba", "end_rba")
_ONE_LOG: Final = (
    "Time from CSQJ002I (full, copy 1) to CSQJ139I (offload ended), tape mount included; offloads "
    "of several logs at once are left out."
)


def _manager(row: dict[str, Any]) -> str:
    return Subject.of(row["sysplex"], row["qmgr"])


class _Interval(NamedTuple):
    """Persistent puts of an interval, their bytes, and all bytes logged."""

    end: datetime
    puts: float
    put_bytes: float
    logged: float


def intervals(data: LearningData) -> dict[str, list[_Interval]]:
    """Return intervals with messages and log by queue manager, in order."""
    logged: dict[tuple[str, datetime], float] = {}
    for row in data.records("section_qjst", [*_INTERVAL_KEYS, "qjstbffl"], "interval_end_utc"):
        if row["qjstbffl"] is not None:
            key = (_manager(row), row["interval_end_utc"])
            logged[key] = logged.get(key, 0.0) + float(row["qjstbffl"]) * PAGE_BYTES
    found: dict[str, list[_Interval]] = {}
    columns = [*_INTERVAL_KEYS, "qmstspp", "qmstpbp"]
    for row in data.records("section_qmst", columns, "interval_end_utc"):
        end = row["interval_end_utc"]
        key = (_manager(row), end)
        if key in logged and row["qmstspp"] is not None and row["qmstpbp"] is not None:
            one = _Interval(end, float(row["qmstspp"]), float(row["qmstpbp"]), logged[key])
            found.setdefault(key[0], []).append(one)
    return {subject: sorted(rows) for subject, rows in found.items()}


def log_bytes(data: LearningData, kind: UnitCostKind, subject: str) -> UnitCost | None:
    """Return all log bytes over all persistent puts; ``None`` without any.

    The book's value is that of MP16 for a put and a get of the mean length of these messages.
    """
    found = data.once(intervals).get(subject, [])
    puts, put_bytes, logged = (
        np.array([getattr(sample, name) for sample in found], dtype=float)
        for name in ("puts", "put_bytes", "logged")
    )
    fitted = ratio(puts, logged, HOURS_PER_DAY, data.options.confidence)  # records are hourly
    if fitted is None:
        return None
    mean_bytes = round(float(put_bytes.sum() / puts.sum()))
    first, last = found[0].end.date(), found[-1].end.date()
    return learnt_cost(
        kind,
        subject,
        fitted,
        Sample(len(found), "interval", first, last, data.options.least_intervals),
        data,
        unit="bytes",
        caveats=(_SHARED_OUT, f"The mean message has {figure(mean_bytes)} bytes."),
        unit_size_bytes=mean_bytes,
        book=log_bytes_of_book(mean_bytes),
    )


def log_bytes_of_book(message_bytes: int) -> BookValue:
    """Return what MP16 measured for put and get in syncpoint of a message of a private queue."""
    put, got = (
        book_figure(
            f"LOG-BYTES-{call}-LOCAL",
            "bytes",
            "log_bytes_per_message",
            message_bytes=message_bytes,
            pattern=f"{call.lower()}_then_commit",
        )
        for call in ("PUT", "GET")
    )
    both = {"value": put.value + got.value, "rule": f"{put.rule} + {got.rule}"}
    return put.model_copy(update=both)


def transactions(data: LearningData) -> dict[str, dict[datetime, tuple[int, int]]]:
    """Return 116 records of subtype 1 and of subtypes 1 and 2, by queue manager and hour."""
    table = data.table("section_wtid", _ACCOUNTING_COLUMNS, "record_utc")
    if table is None:
        return {}
    files = [name for name in (FILE,) if name in table.column_names]
    counted = (
        table.append_column("hour", pc.floor_temporal(table["record_utc"], unit="hour"))
        .append_column("is_first", pc.equal(table["record_subtype"], 1))
        .group_by(["smfid", "qmgr", *files, "hour", "is_first"])
        .aggregate([([], "count_all")])
    )
    counts: Counter[tuple[str, datetime, bool]] = Counter()
    for row in data.placed(counted):
        counts[_manager(row), row["hour"], row["is_first"]] += row["count_all"]
    hours: dict[str, dict[datetime, tuple[int, int]]] = {}
    for manager, hour in sorted({key[:2] for key in counts}):
        first, further = counts[manager, hour, True], counts[manager, hour, False]
        hours.setdefault(manager, {})[hour] = (first, first + further)
    return hours


def accounting_records(data: LearningData, kind: UnitCostKind, subject: str) -> UnitCost | None:
    """Return records for each accounted transaction; ``None`` without any."""
    hours = data.once(transactions).get(subject, {})
    firsts, records = (
        np.array([count[place] for count in hours.values()], dtype=float) for place in (0, 1)
    )
    fitted = ratio(firsts, records, HOURS_PER_DAY, data.options.confidence)
    if fitted is None:
        return None
    days = [hour.date() for hour in hours]
    least = data.options.least_transactions
    return learnt_cost(
        kind,
        subject,
        fitted,
        Sample(int(firsts.sum()), "transaction", days[0], days[-1], least),
        data,
        unit="records",
        caveats=(_ONE_OF_EACH,),
        book=accounting_records_of_book(),
        shown_only=_SHOWN_ONLY,
    )


def accounting_records_of_book() -> BookValue:
    """Return the records of a task with up to eight queues."""
    return book_figure("SMF-ACCT-RECORDS", "records", "smf116_records", queues=1)


class _ArchivedLog(NamedTuple):
    """One active log that was archived by itself."""

    full_utc: datetime
    seconds: float
    mib: float


def archives(data: LearningData) -> dict[str, list[_ArchivedLog]]:
    """Return archived logs by queue manager, in order of time."""
    full: dict[str, dict[int, tuple[datetime, float]]] = {}
    found: dict[str, list[_ArchivedLog]] = {}
    offloads = pc.field("message_id").isin([FULL, OFFLOADED])
    rows = data.records("console_event", _EVENT_COLUMNS, "event_utc", offloads)
    for row in sorted(rows, key=lambda row: (row["event_utc"], row["message_id"])):
        manager, at = _manager(row), row["event_utc"]
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
                one = _ArchivedLog(begun, (at - begun).total_seconds(), mib)
                found.setdefault(manager, []).append(one)
    return found


def archive_rate(data: LearningData, kind: UnitCostKind, subject: str) -> UnitCost | None:
    """Return MiB archived a second; ``None`` where no offload was seen from begin to end."""
    found = data.once(archives).get(subject, [])
    seconds, mib = (
        np.array([getattr(archive, name) for archive in found]) for name in ("seconds", "mib")
    )
    fitted = ratio(seconds, mib, 1, data.options.confidence)
    if fitted is None:
        return None
    first, last = found[0].full_utc.date(), found[-1].full_utc.date()
    sample = Sample(len(found), "archive", first, last, data.options.least_archives)
    return learnt_cost(kind, subject, fitted, sample, data, unit="MiB/s", caveats=(_ONE_LOG,))
