"""Lines through daily means of two measured series: what one takes without, and with, the other."""

from datetime import date
from typing import Final, NamedTuple

from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure, percent
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.domain.units import MIB_BYTES
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
