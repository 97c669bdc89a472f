"""Correction of a site's probabilities by what became of its own."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict


class StatedOutcome(NamedTuple):
    """A stated probability whose days are over, and whether it came true."""

    limit: tuple[str, str]
    """Rule and subject."""
    probability: float
    """As stated: more than 0 and less than 1."""
    shift: float
    """Of the site's correction that it was stated with, in log odds."""
    came: bool


class SiteCorrection(BaseModel):
    """What is added to the log odds of every probability of one evaluated day.

    Above 0 where limits are passed more often than had been stated; 0 with too few limits.
    """

    model_config = ConfigDict(frozen=True)

    cutoff_date: date
    shift: float = 0.0
    limit_count: int = 0
    """Limits, rule and subject, with a stated probability whose days are over."""
    case_count: int = 0
    """Their probabilities: at most one for each limit, calendar month and number of days."""
