"""Lines through daily means of two measured series: what one takes without, and with, the other."""

from datetime import date
from typing import Final, NamedTuple

from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure, percent
from mqcap.unit_costs.interval import slope
from mqcap.unit_costs.learning_data import LearningData

BLOCK_DAYS: Final = 7
"""Days that are drawn together: a week (ours)."""
_MEAN: Final = Statistic.mean.value
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
    days = data.paired_days([(*cost, _MEAN), (*units, _MEAN)])
    options = data.options
    fitted = slope(days.columns[1], days.columns[0], BLOCK_DAYS, options.confidence)
    if fitted is None or fitted.base is None:
        return None
    half = (fitted.upper - fitted.lower) / 2
    if len(days.dates) < options.least_days:
        why_not = f"{len(days.dates)} days of {options.least_days}"
    elif fitted.lower <= 0:
        why_not = "they do not rise together"
    elif half > options.half_width_max_ratio * fitted.value:
        why_not = "its interval is too wide"
    else:
        why_not = ""
    return LearntLine(
        fitted.value,
        fitted.lower,
        fitted.upper,
        fitted.base,
        options.confidence,
        len(days.dates),
        days.dates[-1],
        why_not,
    )
