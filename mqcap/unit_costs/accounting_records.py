"""SMF records that the accounting of a transaction writes: 116 subtypes 1 and 2."""

from collections import Counter
from datetime import datetime
from typing import Final

import numpy as np
import pyarrow.compute as pc

from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import BookValue, UnitCost, UnitCostKind
from mqcap.unit_costs.interval import ratio
from mqcap.unit_costs.learning_data import FILE, LearningData, Sample, learnt_cost
from sizing.rulebook.registry import get

DATASET: Final = "section_wtid"
"""Task identification: one in each record of either subtype."""
BOOK_ENTRY: Final = "SMF-ACCT-RECORDS"
BLOCK_HOURS: Final = 24
_FIRST_RECORD: Final = 1
_COLUMNS: Final = ("qmgr", "record_subtype", "record_hash", "section_index")
_CAVEAT: Final = (
    "Subtypes 1 and 2 for each of subtype 1. A task that runs on at the end of an SMF interval "
    "counts in each."
)
_SHOWN_ONLY: Final = (
    "no rule and no what-if counts records: SMF-ACCT-BYTES has the measured bytes of these records"
)


def subjects(data: LearningData) -> list[str]:
    """Return the queue managers with accounting of class 3."""
    return sorted(data.once(_hours))


def learn(data: LearningData, kind: UnitCostKind, subject: str) -> UnitCost | None:
    """Return records for each accounted transaction; ``None`` without any."""
    hours = data.once(_hours).get(subject, {})
    firsts, records = (
        np.array([count[place] for count in hours.values()], dtype=float) for place in (0, 1)
    )
    fitted = ratio(firsts, records, BLOCK_HOURS, data.options.confidence)
    if fitted is None:
        return None
    days = [hour.date() for hour in hours]
    least = data.options.least_transactions
    sample = Sample(int(firsts.sum()), "transaction", days[0], days[-1], least)
    return learnt_cost(
        kind,
        subject,
        fitted,
        sample,
        data,
        caveats=(_CAVEAT,),
        book=book_value(),
        shown_only=_SHOWN_ONLY,
    )


def book_value() -> BookValue:
    """Return the records of a task with up to eight queues."""
    entry = get(BOOK_ENTRY)
    return BookValue(
        value=float(entry.answer({"queues": 1})["smf116_records"]),
        unit="records",
        rule=BOOK_ENTRY,
        citation=str(entry.citation),
    )


def _hours(data: LearningData) -> dict[str, dict[datetime, tuple[int, int]]]:
    """Return records of subtype 1 and of both subtypes, by queue manager and hour, in order."""
    table = data.table(DATASET, _COLUMNS, "record_utc")
    if table is None:
        return {}
    files = [name for name in (FILE,) if name in table.column_names]
    counted = (
        table.append_column("hour", pc.floor_temporal(table["record_utc"], unit="hour"))
        .append_column("is_first", pc.equal(table["record_subtype"], _FIRST_RECORD))
        .group_by(["smfid", "qmgr", *files, "hour", "is_first"])
        .aggregate([([], "count_all")])
    )
    counts: Counter[tuple[str, datetime, bool]] = Counter()
    for row in data.placed(counted):
        name = Subject.of(row["sysplex"], row["qmgr"])
        counts[name, row["hour"], row["is_first"]] += row["count_all"]
    hours: dict[str, dict[datetime, tuple[int, int]]] = {}
    for manager, hour in sorted({key[:2] for key in counts}):
        first, further = counts[manager, hour, True], counts[manager, hour, False]
        hours.setdefault(manager, {})[hour] = (first, first + further)
    return hours
