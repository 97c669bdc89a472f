"""Options of a forecast run."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class ForecastOptions(BaseModel, frozen=True, extra="forbid"):
    """Horizon, demands on the history, and interval, as in ``settings.forecast`` (ours)."""

    horizon_days: Annotated[int, Field(ge=1, le=730)] = 180
    crossing_days: Annotated[int, Field(ge=1, le=730)] = 365
    """Days ahead on which crossings are dated, where that is more than the horizon."""
    min_history_days: Annotated[int, Field(ge=14)] = 60
    """Days with a usable value, after cleaning."""
    min_coverage_ratio: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Usable days per calendar day between the first and the last of them."""
    max_stale_days: Annotated[int, Field(ge=0)] = 14
    """Days without any value before the cutoff, above which the series is refused."""
    interval_width: Annotated[float, Field(gt=0, lt=1)] = 0.8
    """Probability that a day's value is between ``lower`` and ``upper``."""
    lookback_days: Annotated[int, Field(ge=60)] = 730
    """Older values are not read."""
    final_fit: Literal["prophet", "fast"] = "prophet"
    """Fit of the leading candidate: Prophet itself, or the exact solver of its objective."""
    backtest_days: Annotated[int, Field(ge=1)] = 30
    """Distance between the past origins of the back-test."""
    backtest_origins: Annotated[int, Field(ge=1)] = 3
    """Number of those origins; each forecast runs to the end of the history."""
    answers_refused: bool = False
    """A refused series of at least 20 values is forecast by its last week, with the refusal stated:
    for files of series that nobody looks at one by one."""
