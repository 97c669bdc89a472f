"""Rows of one UTC date for attribution, as Arrow tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
import polars as pl
import pyarrow as pa

from mqcap.domain.datasets import CONSOLE_EVENT
from spark_apps.arrow import arrow_table
from spark_apps.transforms.intervals import Sections
from spark_apps.transforms.keys import INTERVAL

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
