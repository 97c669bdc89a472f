"""Rows of one UTC date for attribution, as Arrow tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

import polars as pl
import pyarrow as pa

from mqcap.domain.datasets import CONSOLE_EVENT
from spark_apps.arrow import arrow_table
from spark_apps.transforms.intervals import Sections
from spark_apps.transforms.keys import INTERVAL

SYSTEMS: Final = ("sysplex", "smfid", "qmgr", "cf")
"""Columns of every table that has them, whatever is asked for."""


@dataclass
class DayRows:
    """The rows that begin on a UTC date: each once, with its sysplex."""

    day: date
    tables: Mapping[str, pa.Table]
    """By dataset."""

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
    """Rows in order of time, cut to a date."""

    def __init__(self, frame: pl.DataFrame, moment: str) -> None:
        ordered = frame.sort(moment)
        days = ordered.get_column(moment).dt.date()
        self._days = days
        self._table = arrow_table(ordered, encode=True)

    def on(self, day: date) -> pa.Table:
        """Return the rows of a date."""
        first = self._days.search_sorted(day, "left")
        return self._table.slice(first, self._days.search_sorted(day, "right") - first)
