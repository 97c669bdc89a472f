"""Part rows: what every module of parts returns for one UTC date."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.attribution import PartKind
from spark_apps.attribution.tables import DAYS, constant, with_columns

PART: Final = ("metric", "subject", "breakdown", "kind", "part")
MILLISECOND_US: Final = 1_000
"""What use of a structure is multiplied by: of millions of elements, a day of microseconds would
exceed a whole number of 64 bits."""
PART_SCHEMA: Final = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in PART),
        pa.field(DAYS[1], pa.date32()),
        pa.field("amount", pa.int64()),
    ]
)
"""A part on a day: ``amount`` is an integer in base units, so that sums do not depend on order."""


def named(table: pa.Table, breakdown: PartKind, name: Any) -> pa.Table:
    """Return the rows with the columns breakdown, kind and part; without a name it is ``other``."""
    text = pc.fill_null(name.cast(pa.string()), "")
    is_named = pc.not_equal(pc.utf8_trim(text, characters=" "), "")
    kind = pc.if_else(is_named, str(breakdown), str(PartKind.other))
    return with_columns(
        table,
        breakdown=constant(str(breakdown), table.num_rows),
        kind=kind,
        part=pc.if_else(is_named, text, f"no {breakdown}"),
    )


def part_rows(table: pa.Table, figures: Sequence[tuple[str, Any, str]]) -> pa.Table:
    """Return a part row per row of ``table`` and figure with a subject and an amount above zero.

    Args:
        table: Rows that are ``named``, with column ``site_date``.
        figures: Metric, subjects, and the column with the amount.
    """
    return pa.concat_tables(
        [_rows(table, metric, subject, amount) for metric, subject, amount in figures]
    )


def _rows(table: pa.Table, metric: str, subject: Any, amount: str) -> pa.Table:
    rows = with_columns(
        table,
        metric=constant(metric, table.num_rows),
        subject=subject,
        amount=table[amount].cast(pa.int64()),
    )
    is_wanted = pc.and_(pc.greater(rows["amount"], 0), rows["subject"].is_valid())
    return rows.select(PART_SCHEMA.names).filter(is_wanted).cast(PART_SCHEMA)


UNIQUE_SUFFIX: Final = r"[0-9A-F]{12,}$"
"""What MQ puts in place of the asterisk of DynamicQName: sixteen hexadecimal digits; fewer remain
where a long prefix leaves no room."""


def folded(queues: Any) -> Any:
    """Return the names of queues, those of dynamic ones with ``*`` for the unique part.

    ``CSQ.DA12F0C4B3E5D7A1`` and all its like become ``CSQ.*``.
    """
    return pc.replace_substring_regex(queues, pattern=UNIQUE_SUFFIX, replacement="*")
