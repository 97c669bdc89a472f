"""Figures that two sources have, hour by hour where both have records, summed to days."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.attribution.source_pair import PairName
from mqcap.domain.datasets import SOURCE_PAIR
from mqcap.domain.estate.entries import GROUP_NAME_LENGTH
from mqcap.domain.units import MIB_BYTES, PAGE_BYTES, SECONDS_PER_HOUR
from spark_apps.attribution.tables import (
    DAYS,
    DayRows,
    Ints,
    SiteDays,
    constant,
    grouped,
    measured,
    number,
    numbers,
    path,
    trimmed,
    whole,
    with_columns,
)
from spark_apps.metrics.accounting import WTAS
from spark_apps.metrics.channel_initiators import QCCT
from spark_apps.metrics.local_queues import QQST
from spark_apps.metrics.logs import QJST
from spark_apps.metrics.structures import QEST, R744S
from spark_apps.transforms.intervals import CONSOLE_EVENT, STORAGE_MESSAGE
from spark_apps.transforms.keys import INTERVAL

READS: Final = (CONSOLE_EVENT, QCCT, QEST, QJST, QQST, R744S, WTAS)
_HOUR: Final = "hour_utc"
_MANAGER: Final = ("sysplex", "qmgr")
_MILLI: Final = 1_000
_COMPARED: Final = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in ("sysplex", "pair", "subject")),
        pa.field(_HOUR, pa.timestamp("us", "UTC")),
        *(pa.field(name, pa.int64()) for name in ("first", "second")),
    ]
)
"""A row per pair, subject and hour in which both sources have records."""


def source_pairs(rows: DayRows, site_days: SiteDays) -> pa.Table:
    """Return the columns of SOURCE_PAIR; a figure that one source lacks all day has no row."""
    compared = [
        pair_of(rows)
        for (one, other), pair_of in _PAIRS.items()
        if rows.has(one) and rows.has(other)
    ]
    hours = pa.concat_tables([_COMPARED.empty_table(), *compared])
    dated = with_columns(site_days.dated(hours, _HOUR), hours=np.ones(hours.num_rows, np.int64))
    sums = grouped(dated, ["pair", "subject", DAYS[1]], ["first", "second", "hours"])
    figures = {name: numbers(sums[name]) / float(_MILLI) for name in ("first", "second")}
    return with_columns(
        sums,
        **figures,
        covered_seconds=numbers(sums["hours"]) * float(SECONDS_PER_HOUR),
        hour_date=pa.repeat(pa.scalar(rows.day, pa.date32()), sums.num_rows),
    ).select(list(SOURCE_PAIR.columns))


def _log_tasks(rows: DayRows) -> pa.Table:
    """Return log data as the log and as the tasks count them."""
    tasks = rows.of(WTAS, "wtasjwb")
    of_tasks = _by_hour(tasks, number(tasks, "wtasjwb"), _MANAGER, in_mib=True)
    return _of_managers(PairName.log_tasks, _logged(rows), of_tasks)


def _log_queues(rows: DayRows) -> pa.Table:
    """Return log data as the log counts them, and persistent bytes put to queues."""
    queues = rows.of(QQST, "qqstppb", "qqstp1b")
    put_bytes = number(queues, "qqstppb") + number(queues, "qqstp1b")
    of_queues = _by_hour(queues, put_bytes, _MANAGER, in_mib=True)
    return _of_managers(PairName.log_queues, _logged(rows), of_queues)


def _logged(rows: DayRows) -> pa.Table:
    log = rows.of(QJST, "qjstbffl")
    return _by_hour(log, number(log, "qjstbffl") * PAGE_BYTES, _MANAGER, in_mib=True)


def _by_hour(
    table: pa.Table, amounts: Ints, key: Sequence[str], *, in_mib: bool = False
) -> pa.Table:
    """Return thousandths of an amount by the UTC hour in which its intervals begin."""
    milli = whole(amounts * _MILLI / MIB_BYTES) if in_mib else amounts * _MILLI
    rows = measured(with_columns(table, amount=milli))
    return grouped(_with_hour(rows, INTERVAL[0]), [*key, _HOUR], ["amount"])


def _with_hour(table: pa.Table, moment: str) -> pa.Table:
    return with_columns(table, **{_HOUR: pc.floor_temporal(table[moment], unit="hour")})


def _of_managers(
    pair: PairName, first: pa.Table, second: pa.Table, place: str | None = None
) -> pa.Table:
    """Return a row per hour in which both have records of a queue manager."""
    joined = _joined(first, second, _MANAGER)
    names = [joined["sysplex"], joined["qmgr"]]
    if place is not None:
        names.append(constant(place, joined.num_rows))
    return _rows(pair, path(*names), joined)


def _joined(first: pa.Table, second: pa.Table, key: Sequence[str]) -> pa.Table:
    """Return a row per hour in which both have records, with the columns first and second."""
    one = first.rename_columns({"amount": "first"})
    other = second.rename_columns({"amount": "second"})
    return one.join(other, [*key, _HOUR], join_type="inner", use_threads=False)


def _rows(pair: PairName, subject: Any, table: pa.Table) -> pa.Table:
    named = with_columns(table, pair=constant(str(pair), table.num_rows), subject=subject)
    return named.select(_COMPARED.names)


def _structures(rows: DayRows) -> pa.Table:
    """Return requests of each system to a structure, as the facility and as MQ count them.

    MQ leaves the group out of the name; where two groups of a system have such a structure, neither
    is compared.
    """
    key = ["sysplex", "smfid", "structure"]
    records = rows.of(R744S, "r744snam", "r744ssrc", "r744sarc")
    requests = number(records, "r744ssrc") + number(records, "r744sarc")
    name = pc.utf8_slice_codeunits(
        records["r744snam"].cast(pa.string()), GROUP_NAME_LENGTH, GROUP_NAME_LENGTH + 16
    )
    by_facility = _by_hour(
        with_columns(records, structure=name), requests, [*key, "cf", "r744snam"]
    )
    ones = np.ones(by_facility.num_rows, np.int64)
    facility = grouped(
        with_columns(by_facility, holders=ones),
        [*key, _HOUR],
        ["amount", "holders"],
        lowest=["cf", "r744snam"],
    )
    facility = facility.filter(pc.equal(facility["holders"], 1)).drop_columns("holders")
    requested = rows.of(QEST, "qeststr", "qestcsec", "qestcmec")
    calls = number(requested, "qestcsec") + number(requested, "qestcmec")
    of_managers = _by_hour(
        with_columns(requested, structure=trimmed(requested, "qeststr")), calls, key
    )
    joined = _joined(facility, of_managers, key)
    sums = grouped(joined, ["sysplex", "cf", "r744snam", _HOUR], ["first", "second"])
    subject = path(sums["sysplex"], sums["cf"], sums["r744snam"])
    return _rows(PairName.structure_requests, subject, sums)


def _storage(rows: DayRows) -> pa.Table:
    """Return mean 31-bit storage of hours by records and by messages, times the hour."""
    events = rows.of(CONSOLE_EVENT, "message_id", "used_31bit_mib")
    is_storage = pc.equal(events["message_id"].cast(pa.string()), STORAGE_MESSAGE)
    events = events.filter(pc.and_(is_storage, events["qmgr"].is_valid()))
    messages = _mean_by_hour(events, "event_utc", "used_31bit_mib")
    records = _mean_by_hour(measured(rows.of(QCCT, "qcctstus")), INTERVAL[0], "qcctstus")
    return _of_managers(PairName.chinit_storage, records, messages, "CHINIT")


def _mean_by_hour(table: pa.Table, moment: str, column: str) -> pa.Table:
    """Return the mean storage of each hour over that hour, in thousandths of MiB-seconds."""
    milli = number(table, column) * SECONDS_PER_HOUR * _MILLI
    counted = with_columns(table, amount=milli, count=np.ones(table.num_rows, np.int64))
    sums = grouped(_with_hour(counted, moment), [*_MANAGER, _HOUR], ["amount", "count"])
    mean = whole(numbers(sums["amount"]) / numbers(sums["count"]))
    return with_columns(sums, amount=mean).drop_columns("count")


_PAIRS: Final[Mapping[tuple[str, str], Callable[[DayRows], pa.Table]]] = {
    (QJST, WTAS): _log_tasks,
    (QJST, QQST): _log_queues,
    (R744S, QEST): _structures,
    (QCCT, CONSOLE_EVENT): _storage,
}
"""What compares two datasets; a date on which one has no rows is not compared."""
