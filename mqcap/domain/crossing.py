"""Crossings: the dates on which a forecast passes a limit."""

from datetime import date
from enum import StrEnum
from typing import Final

from pydantic import BaseModel

from mqcap.domain.metric import Direction, Statistic, series_id
from mqcap.domain.subject import Subject

SINCE_DATA_BEGINS: Final = "since the data begins"
"""``Crossing.reason`` of a limit that has been passed for as long as the series is measured."""


class CrossingState(StrEnum):
    """State of a limit on the cutoff date."""

    breached = "breached"
    """Observations have already passed it."""
    will_cross = "will_cross"
    """It is passed within a year with at least the probability of one bound of the interval."""
    not_within_horizon = "not_within_horizon"
    """It is not; ``reach_days`` is how far ahead that holds."""
    unknown = "unknown"
    """No forecast, hence no date; ``reason`` is why."""


class Crossing(BaseModel, frozen=True):
    """Dates on which a subject passes the limit of a rule, as seen on the cutoff date.

    By ``earliest_date`` it is passed with the probability of one bound of the prediction interval
    (10 % of an interval of 80 %), by ``expected_date`` with 50 %, by ``latest_date`` with that of
    the other bound; ``None`` after the horizon. The expected date of the day before stays while its
    probability is 25 to 75 %. ``probability_30_days`` is that of passing it within 30 days: 1 when
    it is passed already, ``None`` where the forecast does not reach or was refused.
    """

    rule_id: str
    subject: Subject
    cutoff_date: date
    series_id: str
    statistic: Statistic
    direction: Direction
    limit_value: float
    unit: str
    state: CrossingState
    earliest_date: date | None = None
    expected_date: date | None = None
    latest_date: date | None = None
    breached_since: date | None = None
    probability_30_days: float | None = None
    probability_60_days: float | None = None
    probability_90_days: float | None = None
    probability_180_days: float | None = None
    probability_365_days: float | None = None
    reason: str | None = None
    """Why it has no date; of a limit that is passed, ``SINCE_DATA_BEGINS`` or ``None``."""

    @property
    def key(self) -> str:
        """Key of its problem, ``rule_id/subject``."""
        return series_id(self.rule_id, self.subject)

    @property
    def dates(self) -> tuple[date | None, date | None, date | None]:
        """Earliest, expected and latest date."""
        return self.earliest_date, self.expected_date, self.latest_date


PROBABILITY_DAYS: Final = (30, 60, 90, 180, 365)


def stated_probability(crossing: Crossing, days: int) -> float | None:
    """Return the probability of so many days, 0 to 1; ``None`` where none is stated for them."""
    return getattr(crossing, f"probability_{days}_days", None)


def reach_days(crossing: Crossing) -> int:
    """Return how many days ahead its dates and probabilities reach; 0 without any."""
    dated = [(day - crossing.cutoff_date).days for day in crossing.dates if day]
    return max([0, *_stated_days(crossing), *dated])


def reach_words(crossing: Crossing) -> str:
    """Return how far ahead it reaches, to follow "within": ``a year``, ``180 days``."""
    days = max(_stated_days(crossing), default=0)
    if days == PROBABILITY_DAYS[-1]:
        return "a year"
    return f"{days} days" if days else "the horizon"


def _stated_days(crossing: Crossing) -> list[int]:
    return [days for days in PROBABILITY_DAYS if stated_probability(crossing, days) is not None]
