"""Forecast of a series: expected, lower and upper values up to the horizon."""

from __future__ import annotations

from datetime import date
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, field_validator

from mqcap.domain.metric import Statistic

FORMER_MODEL_NAMES: Final = {"ratchet": "sawtooth"}  # codespell:ignore ratchet
"""Names that older releases stored, and settings may hold, with those of today."""
SOLVED_MODELS: Final = {"prophet_exact": "prophet"}
"""Solvers of another model, and that model: the figures are the same."""


class ForecastPoint(BaseModel):
    """Day of a forecast, in the unit of the series."""

    model_config = ConfigDict(frozen=True)

    site_date: date
    expected: float
    lower: float
    upper: float


class Forecast(BaseModel):
    """A forecast of one daily series as seen on its cutoff date.

    ``refusal`` is the reason why there are no points: too short, too many gaps, constant and so
    on. ``after_horizon`` has the JSON key under which the Spark app of older releases wrote it.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True, serialize_by_alias=True)

    series_id: str
    statistic: Statistic
    cutoff_date: date
    model: str
    horizon_days: int
    trained_days: int
    interval_width: float
    smape_pct: float | None = None
    """Error on the hold-out; ``None`` when there was too little history for one."""
    coverage_ratio: float | None = None
    """Share of the hold-out that fell inside the prediction interval."""
    removed_count: int = 0
    """Observations left out as outliers or artefacts."""
    refusal: str | None = None
    stored_model: str | None = Field(default=None, exclude=True, repr=False)
    """Prophet's JSON of the leading model; kept in the lake, never part of a document."""
    data_note: str | None = None
    """Days among its training days that lack records; ``None`` when none is known to."""
    points: tuple[ForecastPoint, ...] = ()
    """Days up to the horizon: drawn, and verified against observed values."""
    after_horizon: tuple[ForecastPoint, ...] = Field(default=(), alias="beyond")
    """Days after the horizon, used only to date crossings."""

    @field_validator("model")
    @classmethod
    def _present_name(cls, name: str) -> str:
        return FORMER_MODEL_NAMES.get(name, name)

    @property
    def every_day(self) -> tuple[ForecastPoint, ...]:
        """All days ahead, in order."""
        return self.points + self.after_horizon
