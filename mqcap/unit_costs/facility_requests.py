"""CF CPU of a request by structure: busy time of the engines over the requests of structures.

Busy time of an hour is a base and the requests of each structure times their cost. Where the
requests of structures rise and fall together their costs cannot be separated; all of them then
have one cost.
"""

from typing import Final

import numpy as np

from mqcap.domain.estate.entries import group_of_structure, sharing_groups
from mqcap.domain.metric import Statistic
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import BookValue, UnitCost, UnitCostKind
from mqcap.domain.units import KIB_BYTES
from mqcap.store.series import read_series
from mqcap.unit_costs.interval import Fitted, Vector, slope, slopes
from mqcap.unit_costs.learning_data import LearningData, Sample, book_figure, learnt_cost

REQUESTS: Final = "structure_requests_per_s"
BLOCK_DAYS: Final = 7
"""Days drawn together: a week (ours)."""
TOGETHER: Final = 0.95
"""Correlation of two rates of requests from which their costs are not separated (ours)."""
_US_PER_S_OF_PCT: Final = 10_000
"""Microseconds a second of one engine that is 1 % busy."""
_POOLED: Final = (
    "Requests of the structures of this facility rise and fall together: one cost for all of them."
)
_BOOK_COUNTS: Final = (
    "MP16 counts persistent messages of 1 KB put and got (level 5), not requests: a message takes "
    "several."
)
_NOT_MQ: Final = (
    "The name of the structure begins with no known queue sharing group: MP16 has no figure for it."
)


def learn(data: LearningData, kind: UnitCostKind, subject: str) -> UnitCost | None:
    """Return CF microseconds of a request to a structure; ``None`` without common days."""
    facility = Subject(subject).whole
    structures = [name for name in _structures(data) if Subject(name).whole == facility]
    series = [
        ("cf_busy_pct", facility, Statistic.mean),
        ("cf_engine_count", facility, Statistic.peak),
        *((REQUESTS, structure, Statistic.mean) for structure in structures),
    ]
    dates, (busy_pct, engines, *requests) = data.paired_days(series)
    if not dates:
        return None
    used_us_per_s = busy_pct * engines * _US_PER_S_OF_PCT
    rates = np.column_stack(requests)
    pooled = _is_pooled(rates)
    fitted = _fitted(data, rates, used_us_per_s, structures.index(subject), pooled)
    if fitted is None:
        return None
    is_mq = is_of_mq(data, subject)
    sample = Sample(len(dates), "day", dates[0], dates[-1], data.options.least_days)
    return learnt_cost(
        kind,
        subject,
        fitted,
        sample,
        data,
        unit="us",
        base_unit="us/s",
        caveats=(*((_POOLED,) if pooled else ()), _BOOK_COUNTS if is_mq else _NOT_MQ),
        book=book_value() if is_mq else None,
    )


def _structures(data: LearningData) -> list[str]:
    """Return the structures with measured requests."""
    return [facts.subject for facts in read_series(data.engine, REQUESTS)]


def is_of_mq(data: LearningData, structure: str) -> bool:
    """Return whether a structure is that of a known queue sharing group."""
    groups = sharing_groups(Subject(structure).sysplex, _structures(data), data.estate)
    return group_of_structure(structure) in groups


def book_value() -> BookValue:
    """Return what MP16 measured for a persistent message of 1 KB, put and got."""
    size = {"message_bytes": KIB_BYTES, "cflevel": 5}
    return book_figure("CF-CF-COST", "us per message", "us_per_message", **size)


def _fitted(
    data: LearningData, rates: Vector, used_us_per_s: Vector, place: int, pooled: bool
) -> Fitted | None:
    drawn = (BLOCK_DAYS, data.options.confidence)
    if pooled or rates.shape[1] == 1:
        return slope(rates.sum(axis=1), used_us_per_s, *drawn)
    found = slopes(rates, used_us_per_s, *drawn)
    return found[place] if found else None


def _is_pooled(rates: Vector) -> bool:
    """Return whether two structures have requests that rise and fall together."""
    if rates.shape[1] == 1 or len(rates) < 2 or (np.ptp(rates, axis=0) == 0).any():
        return False
    apart = np.abs(np.corrcoef(rates, rowvar=False)) - np.eye(rates.shape[1])
    return bool(apart.max() >= TOGETHER)
