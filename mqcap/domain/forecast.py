"""Forecast of a series up to the horizon, and its driver: a figure of the business behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import combinations
from statistics import median
from typing import Annotated, Final, NamedTuple

from pydantic import BaseModel, Field, field_validator

from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure, percent

SAWTOOTH: Final = "sawtooth"
"""Model of series that only rise until they are emptied, whatever the chosen one."""
FORMER_MODEL_NAMES: Final = {"ratchet": SAWTOOTH}  # codespell:ignore ratchet
"""Names that older releases stored, and settings may hold, with those of today."""
SOLVED_MODELS: Final = {"prophet_exact": "prophet"}
"""Solvers of another model, and that model: the figures are the same."""
PROPHET_FITS: Final = frozenset({"prophet", "prophet_exact", "prophet_logistic"})
"""Models that are Prophet, or solve its objective; release 0.2.0 stored the last one."""

ForecastKey = tuple[str, str]
"""Series id and statistic."""


class ForecastBasis(StrEnum):
    """How the forecast came about that something is compared with."""

    live = "live"
    """Made in time, on its own day."""
    hold_out = "hold_out"
    """Made later, as of its day, from what was loaded up to it: a rolling origin."""
    none = "none"
    """No day so long before the event was evaluated: it counts neither as forecast nor as not."""


@dataclass(slots=True, unsafe_hash=True)  # not written to; frozen ones take four times as long
class ForecastPoint:
    """Day of a forecast, in the unit of the series."""

    site_date: date
    expected: float
    lower: float
    upper: float


class DriverPlan(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """A change of the driver that the business plans, from a day on."""

    first: date
    pct: Annotated[float, Field(gt=-100, allow_inf_nan=False)]
    """Per cent more than without the plan; negative for less, which leaves some of it."""

    @property
    def text(self) -> str:
        """Change and day: ``+30 % from 2027-03-01``."""
        return f"{percent(self.pct / 100, signed=True)} from {self.first}"


class DriverCourse(BaseModel, frozen=True):
    """Values of a driver by day, as known on the cutoff date, with its plan."""

    name: str
    values: dict[date, float]
    """All above zero; days without a value are left out."""
    plans: tuple[DriverPlan, ...] = ()
    gain_min_ratio: float = 0.0
    """Least gain of the rolling origins with which the driver is used."""


class DriverEffect(BaseModel, frozen=True):
    """The part of a driver in a forecast, or the reason why it has none."""

    name: str
    is_used: bool
    elasticity: float | None = None
    """Per cent more of the series with one per cent more of the driver; ``None`` without any."""
    smape_pct: float | None = None
    """Error at the rolling origins with the driver."""
    smape_without_pct: float | None = None
    plans: tuple[DriverPlan, ...] = ()
    reason: str = ""
    """Why it is not used; empty where it is."""

    @property
    def text(self) -> str:
        """Elasticity, gain and plan, or why the driver is not used."""
        if not self.is_used:
            return f"{self.name}, not used: {self.reason}"
        parts = [f"{self.name}, elasticity {figure(self.elasticity)}"]
        if self.smape_pct is not None and self.smape_without_pct is not None:
            parts.append(
                f"sMAPE at rolling origins {percent(self.smape_pct / 100)} with it, "
                f"{percent(self.smape_without_pct / 100)} without"
            )
        parts += [f"plan {plan.text}" for plan in self.plans]
        return "; ".join(parts)


class CandidateShare(BaseModel, frozen=True):
    """A candidate of a forecast and its share of the mix."""

    name: str
    """What it is, in words: ``straight linear trend``."""
    fitted_by: str
    """Model that fitted it: ``prophet``, or ``prophet_exact`` for the solver of its objective."""
    share_ratio: float
    """Weight in the mix; zero where it found no solution."""

    @property
    def text(self) -> str:
        """Name and share, with the program where that is Prophet itself."""
        if not self.share_ratio:
            return f"{self.name} left out, no solution"
        by = " (fitted by Prophet)" if self.fitted_by == "prophet" else ""
        return f"{self.name} {percent(round(self.share_ratio, 2))}{by}"


class ForecastMix(BaseModel, frozen=True):
    """The candidates of a forecast, the usual one first."""

    candidates: tuple[CandidateShare, ...]
    """Their shares sum to one."""

    @property
    def text(self) -> str:
        """Candidates and the share of Prophet-type candidates."""
        names = ", ".join(candidate.text for candidate in self.candidates)
        by_prophet = (part for part in self.candidates if part.fitted_by in PROPHET_FITS)
        ratio = percent(round(sum(part.share_ratio for part in by_prophet), 2))
        return f"{names}; Prophet-type candidates make {ratio} of the forecast"


class PastSide(BaseModel, frozen=True):
    """How far a series went on one side, the highest values or the lowest ones."""

    recent: float
    """Furthest value of the last 35 days."""
    year: float
    """That of the last 365 days."""
    ever: float
    """That of the whole history."""
    last_year: tuple[float, ...] = ()
    """Furthest values of a year ago, by the ratio to the 35 days before them, within the days of
    ``LAST_YEAR_DAYS``; empty without a history so long."""


class Past(BaseModel, frozen=True):
    """What the history of a forecast says about limits, as of its cutoff date."""

    days: int
    """From the first to the last day of the history."""
    base: float
    """Mean of the first 28 expected days as forecast: what has changed since scales with it."""
    highest: PastSide
    lowest: PastSide


LAST_YEAR_DAYS: Final = (7, 15, 30, 60, 90, 120, 180, 270, 365)
"""Days within which the furthest value of a year ago is kept."""


class Forecast(BaseModel, frozen=True, populate_by_name=True, serialize_by_alias=True):
    """A forecast of one daily series as seen on its cutoff date.

    ``refusal`` is the reason why there are no points. ``after_horizon`` has its older JSON key.
    """

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
    data_note: str | None = None
    """Days among its training days that lack records; ``None`` when none is known to."""
    driver: DriverEffect | None = Field(default=None, exclude_if=lambda effect: effect is None)
    """Its business driver; ``None``, and no part of the document, where the site names none."""
    mix: ForecastMix | None = Field(default=None, exclude_if=lambda mix: mix is None)
    """Candidates and shares; ``None`` where refused, and of releases that did not store them."""
    past: Past | None = Field(default=None, exclude_if=lambda past: past is None)
    """How far its history went; ``None`` where refused, and of releases that did not store it."""
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


MONTH_DAYS: Final = 30
WEEK_DAYS: Final = 7


class Growth(NamedTuple):
    """A straight line through daily values."""

    a_month: float
    """In the unit of the values, in 30 days."""
    share: float | None
    """The same as a share of where the line begins; ``None`` when that is zero or less."""


def growth_of(daily: Sequence[float]) -> Growth | None:
    """Return the line of Theil and Sen through the medians of complete weeks; ``None`` below two.

    So that neither weekends nor a week with holidays at an end of the span decide.
    """
    weeks = [
        median(daily[start : start + WEEK_DAYS])
        for start in range(0, len(daily) - WEEK_DAYS + 1, WEEK_DAYS)
    ]
    if len(weeks) < 2:
        return None
    slope = median(
        (later - earlier) / (number - before)
        for (before, earlier), (number, later) in combinations(enumerate(weeks), 2)
    )
    start = median(value - slope * number for number, value in enumerate(weeks))
    a_month = slope * MONTH_DAYS / WEEK_DAYS
    return Growth(a_month, a_month / start if start > 0 else None)
