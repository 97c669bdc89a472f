"""Part rows: what every module of parts returns of the sections that begin on some UTC dates.

A row is a part of a metric of a subject on a day: ``PART``, ``DAYS`` and ``amount``, an integer in
base units, so that sums do not depend on order.
"""

from functools import reduce
from operator import add
from typing import Final

import polars as pl

from mqcap.domain.attribution import PartKind
from spark_apps.transforms.intervals import is_possible, union, whole

PART: Final = ("metric", "subject", "breakdown", "kind", "part")
DAYS: Final = ("hour_date", "site_date")
"""The UTC date and the local date of the site on which an interval begins."""
MILLISECOND_US: Final = 1_000
"""What use of a structure is multiplied by: of millions of elements, a day of microseconds would
exceed a whole number of 64 bits."""


def measured(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Return the rows whose interval can be one of a record: of some length, at most 25 hours."""
    return rows.filter(is_possible())


def counted(*columns: str) -> pl.Expr:
    """Return the sum of counters of a row as a whole number; what the record lacks is zero."""
    return reduce(add, (whole(pl.col(column)).fill_null(0) for column in columns))


def trimmed(column: str) -> pl.Expr:
    """Return a text without blanks at both ends."""
    return pl.col(column).str.strip_chars(" ")


def part_rows(
    table: pl.LazyFrame, breakdown: PartKind, name: pl.Expr, *figures: tuple[str, pl.Expr, str]
) -> pl.LazyFrame:
    """Return a part row per row of ``table`` and figure with a subject and an amount above zero.

    ``table`` has ``DAYS``, a figure is metric, subject, and the column with the amount. A part
    without a name is of kind ``other``.
    """
    is_named = name.is_not_null() & (name.str.strip_chars(" ") != "")
    kind, other = (pl.lit(str(kind_of_part)) for kind_of_part in (breakdown, PartKind.other))
    part = {
        "breakdown": kind,
        "kind": pl.when(is_named).then(kind).otherwise(other),
        "part": pl.when(is_named).then(name).otherwise(pl.lit(f"no {breakdown}")),
    }
    return union(
        *(
            table.select(subject.alias("subject"), *DAYS, amount, metric=pl.lit(metric), **part)
            .select(*PART, *DAYS, pl.col(amount).alias("amount"))
            .filter(pl.col("subject").is_not_null() & (pl.col("amount") > 0))
            for metric, subject, amount in figures
        )
    )


UNIQUE_SUFFIX: Final = r"[0-9A-F]{12,}$"
"""What MQ puts in place of the asterisk of DynamicQName: sixteen hexadecimal digits; fewer remain
where a long prefix leaves no room."""


def folded(queue: pl.Expr) -> pl.Expr:
    """Return the name of a queue, with ``*`` for the unique part of a dynamic one: ``CSQ.*``."""
    return queue.str.replace(UNIQUE_SUFFIX, "*")
