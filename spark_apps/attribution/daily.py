"""Parts of metrics by day: the largest of each breakdown, the others added up, and the metric."""

from __future__ import annotations

from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.attribution import OTHERS, PartKind
from mqcap.domain.datasets import METRIC_PART
from spark_apps.attribution import channels, distributed, facility, queues, tasks
from spark_apps.attribution.arrays import (
    constant,
    group_numbers,
    grouped,
    summed_over,
    with_columns,
)
from spark_apps.attribution.days import DAYS, SiteDays
from spark_apps.attribution.parts import PART, PART_SCHEMA
from spark_apps.attribution.rows import DayRows
from spark_apps.metrics.queues import RATE
from spark_apps.metrics.structure import ELEMENTS_USED, ENTRIES_USED

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
