"""Unit costs of a site on a day, and lines of one measured series over another.

Each is computed when it is first asked for. A line goes through daily means: what one series takes
without, and with, the other.
"""

from collections.abc import Callable, Iterable
from datetime import date
from functools import cache, partial
from typing import Final, NamedTuple

from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure, percent
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.domain.units import MIB_BYTES
from mqcap.progress.shown import tracked
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.series import read_series
from mqcap.unit_costs import chinit_storage, facility_requests, records
from mqcap.unit_costs.interval import Fitted, slope
from mqcap.unit_costs.learning_data import LearningData, Sample, learnt_cost

BLOCK_DAYS: Final = 7
"""Days that are drawn together: a week (ours)."""
LOG: Final = "mq_log_written_mib_per_s"
PUTS: Final = "mq_put_per_s"
_ALL_PUTS: Final = (
    "Puts of persistent messages and others are counted alike: the figure holds for the mix of "
    "these days. The base is what is logged without puts."
)
Series = tuple[str, str]
"""Metric and subject."""


class LearntLine(NamedTuple):
    """Slope and base of one series over another, with their sample; ours, as all unit costs."""

    value: float
    """Of the one series, for each unit of the other."""
    lower: float
    upper: float
    base: float
    """What is there without the other."""
    confidence: float
    day_count: int
    last_date: date
    why_not: str
    """Why it is not certain enough to be used; empty: it is."""

    @property
    def sample_text(self) -> str:
        """Value with its interval and sample."""
        return (
            f"{figure(self.value)} ({figure(self.lower)} to {figure(self.upper)} at "
            f"{percent(self.confidence)}, {self.day_count} days to {self.last_date})"
        )


def line_of(data: LearningData, cost: Series, units: Series) -> LearntLine | None:
    """Return the line of one series over another; ``None`` where one of them does not vary."""
    dates, fitted = _fitted(data, cost, units)
    options = data.options
    if fitted is None or fitted.base is None:
        return None
    half = (fitted.upper - fitted.lower) / 2
    if len(dates) < options.least_days:
        why_not = f"{len(dates)} days of {options.least_days}"
    elif fitted.lower <= 0:
        why_not = "they do not rise together"
    elif half > options.half_width_max_ratio * fitted.value:
        why_not = "its interval is too wide"
    else:
        why_not = ""
    interval = (fitted.value, fitted.lower, fitted.upper, fitted.base, options.confidence)
    return LearntLine(*interval, len(dates), dates[-1], why_not)


def site_log_bytes(data: LearningData, kind: UnitCostKind, subject: str) -> UnitCost | None:
    """Return log bytes of a put to a distributed queue manager, above a base in MiB/s.

    ``None`` where too few days have both.
    """
    dates, fitted = _fitted(data, (LOG, subject), (PUTS, subject))
    if fitted is None:
        return None
    in_bytes = fitted.times(MIB_BYTES)
    sample = Sample(len(dates), "day", dates[0], dates[-1], data.options.least_days)
    more = {"unit": "bytes", "base_unit": "MiB/s", "caveats": (_ALL_PUTS,)}
    return learnt_cost(kind, subject, in_bytes, sample, data, **more)


def _fitted(
    data: LearningData, cost: Series, units: Series
) -> tuple[tuple[date, ...], Fitted | None]:
    dates, (costs, amounts) = data.paired_days(
        [(*series, Statistic.mean) for series in (cost, units)]
    )
    return dates, slope(amounts, costs, BLOCK_DAYS, data.options.confidence)


class _Learner(NamedTuple):
    found_in: Callable[[LearningData], Iterable[str]] | str
    """What the records of each subject are, or the metric that a subject needs."""
    learn: Callable[[LearningData, UnitCostKind, str], UnitCost | None]

    def subjects(self, data: LearningData) -> list[str]:
        """Return the subjects with data, in order."""
        if isinstance(self.found_in, str):
            return [facts.subject for facts in read_series(data.engine, self.found_in)]
        return sorted(data.once(self.found_in))


_OF_CHANNELS: Final = _Learner(chinit_storage.CHANNELS, chinit_storage.learn)
_LEARNERS: Final = {
    UnitCostKind.log_bytes_per_persistent_put: _Learner(records.intervals, records.log_bytes),
    UnitCostKind.chinit_31bit_kib_per_channel: _OF_CHANNELS,
    UnitCostKind.chinit_64bit_kib_per_channel: _OF_CHANNELS,
    UnitCostKind.cf_us_per_request: _Learner(facility_requests.REQUESTS, facility_requests.learn),
    UnitCostKind.archive_mib_per_s: _Learner(records.archives, records.archive_rate),
    UnitCostKind.accounting_records_per_transaction: _Learner(
        records.transactions, records.accounting_records
    ),
    UnitCostKind.mq_log_bytes_per_put: _Learner(PUTS, site_log_bytes),
}


class UnitCosts:
    """Learnt costs up to a day, remembered once computed."""

    def __init__(self, settings: Settings, engine: Store, day: date, subject: str = "") -> None:
        """Begin to learn; with a subject only from its own queue manager's records."""
        data = self._data = LearningData(settings, engine, day, subject)
        self._find = cache(lambda kind, subject: _LEARNERS[kind].learn(data, kind, subject))
        self._line = cache(partial(line_of, data))

    def find(self, kind: UnitCostKind, subject: str) -> UnitCost | None:
        """Return a cost of a subject, used or not; ``None`` where there are no data for it."""
        return self._find(kind, subject)

    def line(self, cost: Series, units: Series) -> LearntLine | None:
        """Return the line of one measured series over another; ``None`` without one."""
        return self._line(cost, units)

    def mq_version(self, subject: str) -> str | None:
        """Return the MQ version of a subject's queue manager on the day; ``None``: not known."""
        return self._data.mq_version(subject)

    def find_used(self, kind: UnitCostKind, subject: str) -> UnitCost | None:
        """Return a cost that is certain enough to be used; else ``None``."""
        found = self.find(kind, subject)
        return found if found is not None and found.is_used else None

    def below(self, subject: str = "") -> list[UnitCost]:
        """Return all costs of a subject and of its parts, of all subjects without one."""
        wanted = [
            (kind, name)
            for kind, learner in _LEARNERS.items()
            for name in learner.subjects(self._data)
            if not subject or Subject(name).is_within(subject)
        ]
        found = (self.find(*pair) for pair in tracked(wanted, "learn unit costs", "costs"))
        return [cost for cost in found if cost is not None]
