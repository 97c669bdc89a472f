"""Rows of a UTC date for attribution as Arrow tables, and arithmetic on them.

Whole numbers, lengths, sums by key, and the site date on which an interval begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.domain.metric import SERIES_SEPARATOR
from mqcap.domain.units import SECONDS_PER_HOUR
from spark_apps.arrow import arrow_table
from spark_apps.transforms.intervals import Sections
from spark_apps.transforms.keys import INTERVAL, INTERVAL_MAX_US

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_WHOLE_BELOW: Final = 2.0**63


def number(table: pa.Table, column: str) -> Ints:
    """Return a counter as whole numbers, zero where the record has none."""
    values = table[column].combine_chunks()
    if pa.types.is_integer(values.type):
        return numbers(pc.fill_null(values.cast(pa.int64()), 0))
    return whole(numbers(pc.fill_null(values, 0.0)))


def numbers(values: Any) -> NDArray[Any]:
    """Return the numbers of an array without nulls; ``to_numpy`` would import pandas."""
    array = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    buffer = np.frombuffer(array.buffers()[1] or b"", array.type.to_pandas_dtype())
    found: NDArray[Any] = buffer[array.offset : array.offset + len(array)]
    return found


def whole(values: Floats) -> Ints:
    """Return the nearest whole numbers, of two equally near ones that further from zero.

    Zero for what no whole number of 64 bits is near to.
    """
    values = np.where(np.abs(values) < _WHOLE_BELOW, values, 0.0)
    floor = np.trunc(values)
    away = np.where(np.abs(values - floor) >= 0.5, np.sign(values), 0.0)
    return (floor + away).astype(np.int64)


def length_us(table: pa.Table) -> Ints:
    """Return the length of each interval in microseconds."""
    start, end = (numbers(table[name].cast(pa.int64())) for name in INTERVAL)
    length: Ints = end - start
    return length


def measured(table: pa.Table) -> pa.Table:
    """Return the rows whose interval can be one of a record: of some length, at most 25 hours."""
    length = length_us(table)
    return table.filter(pa.array((length > 0) & (length <= INTERVAL_MAX_US)))


def with_columns(table: pa.Table, **columns: Any) -> pa.Table:
    """Return the table with columns added, or replaced."""
    for name, values in columns.items():
        array = values if isinstance(values, pa.Array | pa.ChunkedArray) else pa.array(values)
        place = table.schema.get_field_index(name)
        if place < 0:
            table = table.append_column(name, array)
        else:
            table = table.set_column(place, name, array)
    return table


def constant(text: str, count: int) -> pa.Array:
    """Return a text so many times."""
    return pa.repeat(pa.scalar(text, pa.string()), count)


def trimmed(table: pa.Table, column: str) -> Any:
    """Return the texts of a column without blanks at both ends."""
    return pc.utf8_trim(table[column].cast(pa.string()), characters=" ")


def path(*names: Any) -> Any:
    """Return subjects: their names joined, beginning with the sysplex."""
    return pc.binary_join_element_wise(*names, SERIES_SEPARATOR, null_handling="skip")


def grouped(
    table: pa.Table,
    key: Sequence[str],
    sums: Sequence[str] = (),
    highest: Sequence[str] = (),
    lowest: Sequence[str] = (),
) -> pa.Table:
    """Return a row per distinct key, with sums and extremes under the names of their columns."""
    how = {**dict.fromkeys(sums, "sum"), **dict.fromkeys(highest, "max")}
    how |= dict.fromkeys(lowest, "min")
    made = table.group_by(list(key), use_threads=False).aggregate(list(how.items()))
    texts = [
        made[name].cast(pa.string()) if pa.types.is_dictionary(made[name].type) else made[name]
        for name in key
    ]
    figures = [made[f"{name}_{function}"] for name, function in how.items()]
    return pa.table([*texts, *figures], names=[*key, *how])


def summed_over(table: pa.Table, key: Sequence[str], column: str) -> Ints:
    """Return, for each row, the sum of a column over all rows with the same key."""
    groups = group_numbers(table, key)
    totals = np.zeros(int(groups.max(initial=-1)) + 1, np.int64)
    np.add.at(totals, groups, numbers(table[column]))
    result: Ints = totals[groups]
    return result


def group_numbers(table: pa.Table, key: Sequence[str]) -> Ints:
    """Return the same number for rows with the same key, numbered from zero."""
    combined = np.zeros(table.num_rows, np.int64)
    for name in key:
        values = pc.cast(table[name], pa.string()).combine_chunks()
        encoded = pc.dictionary_encode(values, null_encoding="encode")
        width = len(encoded.dictionary)
        combined = combined * width + numbers(encoded.indices).astype(np.int64)
        combined = np.unique(combined, return_inverse=True)[1].astype(np.int64)
    return combined


SYSTEMS: Final = ("sysplex", "smfid", "qmgr", "cf")
"""Columns of every table that has them, whatever is asked for."""
_EPOCH: Final = date(1970, 1, 1)


@dataclass
class DayRows:
    """The rows that begin on a UTC date: each once, with its sysplex."""

    day: date
    tables: Mapping[str, pa.Table]
    """By dataset."""

    def has(self, *datasets: str) -> bool:
        """Return whether any row of these datasets begins on the date."""
        return any(self.tables[name].num_rows for name in datasets)

    def of(self, dataset: str, *columns: str) -> pa.Table:
        """Return columns of a dataset, beside those of system, subject and interval.

        Names are encoded as a dictionary.
        """
        table = self.tables[dataset]
        always = {*SYSTEMS, *INTERVAL, "event_utc"}
        return table.select([name for name in table.column_names if name in {*always, *columns}])


def days_of(
    sections: Sections, dates: Iterable[date], columns: Mapping[str, Iterable[str]]
) -> Iterator[DayRows]:
    """Yield the rows of each date; ``columns`` by dataset are the ones that are used of them."""
    by_date = {
        name: _Table(sections[name].select(*wanted).collect(), moment_of(name))
        for name, wanted in columns.items()
    }
    for day in dates:
        yield DayRows(day, {name: table.on(day) for name, table in by_date.items()})


def moment_of(dataset: str) -> str:
    """Return the column with the moment by which a row belongs to a date."""
    return "event_utc" if dataset == CONSOLE_EVENT.name else INTERVAL[0]


class _Table:
    """Rows in order of time, cut to a date; those without a time belong to none."""

    def __init__(self, frame: pl.DataFrame, moment: str) -> None:
        ordered = frame.drop_nulls(moment).sort(moment)
        self._days = ordered.get_column(moment).dt.date().to_physical().to_numpy()
        self._table = arrow_table(ordered, encode=True)

    def on(self, day: date) -> pa.Table:
        """Return the rows of a date."""
        number = (day - _EPOCH).days
        first, end = (int(np.searchsorted(self._days, each)) for each in (number, number + 1))
        return self._table.slice(first, end - first)


DAYS: Final = ("hour_date", "site_date")


@dataclass(frozen=True)
class SiteDays:
    """Time zones that decide on which site date an interval begins."""

    zones: Mapping[str, str] = field(default_factory=dict)
    """Zone by sysplex."""
    default_zone: str = "UTC"

    def within_hours(self) -> tuple[str, ...]:
        """Return the zones of which dates begin within UTC hours, at any time of the year."""
        every = {self.default_zone, *self.zones.values()}
        return tuple(sorted(zone for zone in every if begins_within_hours(zone)))

    def dated(self, table: pa.Table, start: str = INTERVAL[0]) -> pa.Table:
        """Return rows with column ``site_date``, the local date of an instant."""
        plexes = _encoded(table["sysplex"])
        instants = _encoded(table[start])
        days = [
            moment.astimezone(ZoneInfo(self.zones.get(plex, self.default_zone))).date()
            for plex in plexes.dictionary.to_pylist()
            for moment in instants.dictionary.to_pylist()
        ]
        width = len(instants.dictionary)
        place = numbers(plexes.indices).astype(np.int64) * width + numbers(instants.indices)
        return table.append_column(DAYS[1], pa.array(days, pa.date32()).take(pa.array(place)))


def _encoded(column: Any) -> Any:
    return column.combine_chunks().dictionary_encode()


_YEARS: Final = range(2000, 2050)
_MONTHS: Final = (1, 4, 7, 10)


@cache
def begins_within_hours(zone: str) -> bool:
    """Return whether dates of a zone begin within UTC hours, at any time of the year."""
    moments = (datetime(year, month, 1, tzinfo=UTC) for year in _YEARS for month in _MONTHS)
    offsets = (moment.astimezone(ZoneInfo(zone)).utcoffset() for moment in moments)
    return any(offset and offset.total_seconds() % SECONDS_PER_HOUR for offset in offsets)
