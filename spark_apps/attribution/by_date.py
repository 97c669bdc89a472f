"""Attribution of some UTC dates, one after the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.attribution import OTHERS, PartKind
from mqcap.domain.datasets import METRIC_PART
from spark_apps.arrow import arrow_table
from spark_apps.attribution import channels, compare, distributed, facility, queues, tasks
from spark_apps.attribution.compare import source_pairs
from spark_apps.attribution.parts import PART, PART_SCHEMA
from spark_apps.attribution.tables import (
    DAYS,
    SYSTEMS,
    DayRows,
    SiteDays,
    constant,
    days_of,
    group_numbers,
    grouped,
    moment_of,
    summed_over,
    with_columns,
)
from spark_apps.metrics.local_queues import RATE
from spark_apps.metrics.structures import ELEMENTS_USED, ENTRIES_USED
from spark_apps.read import row_schema
from spark_apps.transforms.intervals import Sections
from spark_apps.transforms.keys import INTERVAL

MODULES: Final = (channels, distributed, facility, queues, tasks)
"""Rows of a module's ``COUNTED`` datasets make its parts; what else it ``READS`` describes them."""
ONCE_OF_MEMBERS: Final = (ELEMENTS_USED, ENTRIES_USED)
"""Metrics of which every member of a group reports the same part: the highest counts."""
PEAKS: Final = (RATE,)
"""Metrics whose parts are thousandths of a highest value of the day, which do not add up."""
_BREAKDOWN: Final = ("metric", "subject", "breakdown")
_WHOLE: Final = ("metric", "subject", DAYS[1])


def parts_of_day(
    rows: DayRows, wholes: pa.Table, site_days: SiteDays, parts_per_day: int
) -> pa.Table:
    """Return the columns of METRIC_PART for one UTC date.

    Of each breakdown the ``parts_per_day`` largest parts keep their name, of equal ones the first
    by name. Parts of a day on which the metric was not measured have no rows.

    Args:
        rows: The rows of the date.
        wholes: The metrics of the date: metric, subject, site_date, value, covered_seconds, base.
        site_days: Zones of the sysplexes.
        parts_per_day: How many parts of a breakdown keep their name.
    """
    counted = [module for module in MODULES if rows.has(*module.COUNTED)]
    every = [PART_SCHEMA.empty_table(), *(each.parts(rows, site_days) for each in counted)]
    parts = _largest(_summed(pa.concat_tables(every)), parts_per_day)
    valued = pa.concat_tables([_valued(parts, wholes), _measured(parts, wholes)])
    dated = with_columns(
        valued, hour_date=pa.repeat(pa.scalar(rows.day, pa.date32()), valued.num_rows)
    )
    return dated.select(list(METRIC_PART.columns))


def _summed(parts: pa.Table) -> pa.Table:
    """Return a row per part and site date."""
    sums = grouped(with_columns(parts, highest=parts["amount"]), [*PART, DAYS[1]], ["amount"],
                   ["highest"])  # fmt: skip
    is_highest = pc.is_in(sums["metric"], pa.array([*ONCE_OF_MEMBERS, *PEAKS]))
    amount = pc.if_else(is_highest, sums["highest"], sums["amount"])
    return with_columns(sums, amount=amount).select(PART_SCHEMA.names)


def _largest(parts: pa.Table, parts_per_day: int) -> pa.Table:
    """Return the largest parts of each breakdown, and the others as one."""
    totals = grouped(parts, PART, ["amount"])
    totals = totals.filter(pc.not_equal(totals["kind"], str(PartKind.other)))
    order = [(name, "ascending") for name in _BREAKDOWN]
    totals = totals.sort_by([*order, ("amount", "descending"), ("part", "ascending")])
    groups = group_numbers(totals, _BREAKDOWN)
    is_first = np.diff(groups, prepend=-1) != 0
    places = np.arange(len(groups))
    rank = places - np.maximum.accumulate(np.where(is_first, places, 0))
    small = totals.filter(pa.array(rank >= parts_per_day)).select(PART)
    small = with_columns(small, is_small=pa.repeat(pa.scalar(True), small.num_rows))
    marked = parts.join(small, list(PART), join_type="left outer", use_threads=False)
    is_small = pc.fill_null(marked["is_small"], False)
    renamed = with_columns(
        marked,
        kind=pc.if_else(is_small, str(PartKind.other), marked["kind"]),
        part=pc.if_else(is_small, OTHERS, marked["part"]),
    )
    return grouped(renamed, [*PART, DAYS[1]], ["amount"])


def _valued(parts: pa.Table, wholes: pa.Table) -> pa.Table:
    """Return parts in the unit of their metric."""
    total = summed_over(parts, [*_WHOLE, "breakdown"], "amount")
    joined = with_columns(parts, total=total).join(
        wholes, list(_WHOLE), join_type="left outer", use_threads=False
    )
    amount = joined["amount"].cast(pa.float64(), safe=False)
    base = pc.coalesce(joined["base"], joined["total"]).cast(pa.float64(), safe=False)
    share = pc.divide(amount, pc.if_else(pc.equal(base, 0), None, base))
    is_peak = pc.is_in(joined["metric"], pa.array(PEAKS))
    is_named = pc.not_equal(joined["kind"], str(PartKind.other))
    highest = pc.if_else(is_named, pc.divide(amount, 1_000.0), None)
    value = pc.if_else(is_peak, highest, pc.multiply(joined["value"], share))
    covered = pc.fill_null(joined["covered_seconds"], 0.0)
    rows = with_columns(joined, value=value, covered_seconds=covered).select(_COLUMNS)
    return rows.filter(pc.field("value").is_valid())


def _measured(parts: pa.Table, wholes: pa.Table) -> pa.Table:
    """Return the metrics of which there are parts."""
    having = grouped(parts, _WHOLE)
    rows = wholes.join(having, list(_WHOLE), join_type="left semi", use_threads=False)
    count = rows.num_rows
    whole = with_columns(
        rows,
        breakdown=constant("", count),
        kind=constant(str(PartKind.whole), count),
        part=constant("", count),
    )
    return whole.select(_COLUMNS).filter(pc.field("value").is_valid())


_COLUMNS: Final = [name for name in METRIC_PART.columns if name != DAYS[0]]


DATASETS: Final = tuple(sorted({name for module in (*MODULES, compare) for name in module.READS}))
"""Datasets that attribution reads."""
_WHOLES: Final = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in ("metric", "subject")),
        pa.field(DAYS[1], pa.date32()),
        *(pa.field(name, pa.float64()) for name in ("value", "covered_seconds")),
        pa.field("base", pa.int64()),
    ]
)


class AttributionRows(NamedTuple):
    """Rows of METRIC_PART and of SOURCE_PAIR."""

    parts: pl.DataFrame
    pairs: pl.DataFrame


def attribution(
    sections: Sections,
    dates: Iterable[date],
    wholes: pl.DataFrame,
    site_days: SiteDays,
    parts_per_day: int,
) -> AttributionRows:
    """Return the parts of metrics on some dates, and the figures that two sources have.

    ``wholes`` are the metrics that have parts, of these dates and maybe of others.
    """
    by_date = wholes.partition_by(DAYS[0], include_key=False, as_dict=True)
    none = wholes.clear().drop(DAYS[0])
    parts, pairs = [], []
    for rows in days_of(sections, dates, columns_read()):
        of_day = arrow_table(by_date.get((rows.day,), none))
        parts.append(parts_of_day(rows, of_day, site_days, parts_per_day))
        pairs.append(source_pairs(rows, site_days))
    return AttributionRows(_joined(parts), _joined(pairs))


@cache
def columns_read() -> Mapping[str, tuple[str, ...]]:
    """Return the columns of each dataset that attribution is made of."""
    noted = _NotedRows()
    parts_of_day(noted, pa.Table.from_batches([], _WHOLES), SiteDays(), 1)
    source_pairs(noted, SiteDays())
    return {name: tuple(sorted(columns)) for name, columns in noted.used.items()}


class _NotedRows(DayRows):
    """A date without rows, which notes what is read of it."""

    def __init__(self) -> None:
        super().__init__(date.min, {})
        self.used: defaultdict[str, set[str]] = defaultdict(set)

    def has(self, *datasets: str) -> bool:
        """Return that there are some, so that all of them are read."""
        return bool(datasets)

    def of(self, dataset: str, *columns: str) -> pa.Table:
        """Return no rows."""
        schema = row_schema(dataset)
        always = [name for name in (*SYSTEMS, *INTERVAL, moment_of(dataset)) if name in schema]
        self.used[dataset].update(always, columns)
        wanted = sorted({*always, *columns})
        return arrow_table(
            pl.DataFrame(schema={name: schema[name] for name in wanted}), encode=True
        )


def _joined(tables: Iterable[pa.Table]) -> pl.DataFrame:
    return pl.DataFrame(pa.concat_tables(tables))
