"""Scores: forecasts and stated probabilities compared with observed values."""

from datetime import date
from typing import NamedTuple

from pydantic import BaseModel

from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.metric import Statistic
from mqcap.domain.subject import Subject


class ForecastScore(BaseModel, frozen=True, from_attributes=True):
    """Accuracy of a shown forecast on the days measured since.

    ``inside_days`` were inside its interval; ``mean_error`` is measured minus expected.
    """

    series_id: str
    statistic: Statistic
    cutoff_date: date
    interval_width: float
    scored_to: date
    scored_days: int
    inside_days: int
    smape_pct: float
    mean_error: float
    backtest_smape_pct: float | None = None
    """Error that the back-test gave on the cutoff date, in percent."""
    backtest_coverage_ratio: float | None = None


class CrossingScore(BaseModel, frozen=True, from_attributes=True):
    """A stated probability of a crossing whose time is over, with its outcome."""

    rule_id: str
    subject: Subject
    cutoff_date: date
    horizon_days: int
    probability: float
    came: bool
    """A measured day of the horizon was over the limit as it was on the cutoff date."""
    basis: ForecastBasis = ForecastBasis.live


class ClassScore(BaseModel, frozen=True):
    """All scored forecasts of one metric and statistic."""

    metric: str
    statistic: Statistic
    forecast_count: int
    scored_days: int
    interval_width: float
    coverage_ratio: float
    smape_pct: float
    backtest_smape_pct: float | None
    backtest_coverage_ratio: float | None
    basis: ForecastBasis = ForecastBasis.live
    """Whether they were made in time, or later for their day; the two are never added up."""


class ReliabilityBin(BaseModel, frozen=True):
    """Stated probabilities of one tenth: their mean and the share that came true."""

    basis: ForecastBasis = ForecastBasis.live

    horizon_days: int
    count: int
    stated: float
    came: float


class RuleReliability(BaseModel, frozen=True):
    """Stated probabilities of one rule: their number, mean and the share that came true."""

    rule_id: str
    basis: ForecastBasis
    count: int
    stated: float
    came: float


class RecentAccuracy(BaseModel, frozen=True):
    """Count of the last measured days inside the prediction interval forecast beforehand."""

    inside_days: int
    scored_days: int
    lead_days: int

    def __str__(self) -> str:
        return f"{self.inside_days} of the last {self.scored_days} inside the interval"


class StatedOutcome(NamedTuple):
    """A stated probability whose days are over, and whether it came true."""

    limit: tuple[str, str]
    """Rule and subject."""
    probability: float
    """As stated: more than 0 and less than 1."""
    shift: float
    """Of the site's correction that it was stated with: level, in log odds."""
    came: bool
    slope: float = 1.0
    """... and slope."""


class SiteCorrection(BaseModel, frozen=True):
    """Level and slope of the log odds of every probability of one evaluated day.

    Level above 0: limits are passed more often than stated; slope below 1: what was stated differed
    more than what came; 0 and 1 with too few limits.
    """

    cutoff_date: date
    shift: float = 0.0
    slope: float = 1.0
    limit_count: int = 0
    """Limits, rule and subject, with a stated probability whose days are over."""
    case_count: int = 0
    """Their probabilities: at most one for each limit, calendar month and number of days."""

    @property
    def is_any(self) -> bool:
        """Return true if it changes probabilities."""
        return self.shift != 0 or self.slope != 1
