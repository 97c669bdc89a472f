"""What a forecast is: expected, lower and upper values up to the horizon."""

from __future__ import annotations

from datetime import date

from pydantic import BaseModel, ConfigDict, Field

from mqcap.domain.metric import Statistic


class ForecastPoint(BaseModel):
    """One day of a forecast, in the unit of the series."""

    model_config = ConfigDict(frozen=True)

    site_date: date
    expected: float
    lower: float
    upper: float


class Forecast(BaseModel):
    """A forecast of one daily series as seen on its cutoff date.

    ``refusal`` says why there are no points: too short, too gappy, constant and so on.
    """

    model_config = ConfigDict(frozen=True)

    series_id: str
    statistic: Statistic
    cutoff_date: date
    model: str
    horizon_days: int
    trained_days: int
    interval_width: float
    smape_pct: float | None = None
    """Error of the last held-out days; ``None`` when there was too little history for it."""
    coverage_ratio: float | None = None
    """Share of held-out days that fell inside the interval."""
    removed_count: int = 0
    """Observations left out as outliers or artefacts."""
    refusal: str | None = None
    stored_model: str | None = Field(default=None, exclude=True, repr=False)
    """Prophet's JSON of the leading model; kept in the lake, never part of a document."""
    data_note: str | None = None
    """Which of the days it rests on lack records; ``None`` when none is known to."""
    points: tuple[ForecastPoint, ...] = ()
    """Up to the horizon: what is drawn, and held against what comes."""
    beyond: tuple[ForecastPoint, ...] = ()
    """The days after it, on which only crossings are still dated."""

    @property
    def every_day(self) -> tuple[ForecastPoint, ...]:
        """All days ahead, in order."""
        return self.points + self.beyond
