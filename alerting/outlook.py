"""What a reader asks of a forecast: how fast it grows, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict

from alerting.digest import Problem
from alerting.wording import quantity
from domain.forecast import Forecast
from domain.score import BandRecord

MONTH_DAYS: Final = 30
WEEK_DAYS: Final = 7


class Outlook(BaseModel):
    """What is said of a problem besides its finding."""

    model_config = ConfigDict(frozen=True)

    lines: tuple[str, ...] = ()
    """Label, colon and sentence."""
    moved: str = ""
    """A clause behind the date: what it was when people were told, and why; mostly empty."""


def outlook(
    problem: Problem, forecast: Forecast | None, kept: BandRecord | None = None
) -> tuple[str, ...]:
    """Growth a month, quality, record and missing records; nothing without a forecast.

    ``kept`` says how the forecasts of a week before did on the last measured days.
    """
    if forecast is None:
        return ()
    missing = f"Forecast on incomplete data. {forecast.data_note}" if forecast.data_note else ""
    if forecast.refusal:
        return tuple(filter(None, (f"No forecast: {forecast.refusal}.", missing)))
    record = f"Record: {kept}, as forecast at least {kept.lead_days} days before." if kept else ""
    return tuple(filter(None, (_growth(problem, forecast), _quality(forecast), record, missing)))


def _growth(problem: Problem, forecast: Forecast) -> str:
    """From the first week of the forecast to the last, so that weekdays cancel out."""
    expected = [point.expected for point in forecast.points]
    if len(expected) < 2 * WEEK_DAYS:
        return ""
    first, last = _mean(expected[:WEEK_DAYS]), _mean(expected[-WEEK_DAYS:])
    months = (len(expected) - WEEK_DAYS) / MONTH_DAYS
    growth = (last - first) / months
    unit = problem.crossing.unit if problem.crossing else problem.finding.unit
    share = f" ({growth / first:+.1%})" if first > 0 else ""
    sign = "+" if growth >= 0 else ""
    grown = quantity(growth, "points" if unit == "%" else unit)
    return f"Growth: {sign}{grown} a month{share}, by the forecast."


def _quality(forecast: Forecast) -> str:
    said = f"Forecast: {forecast.model} on {forecast.trained_days} days"
    if forecast.removed_count:
        said += f", {forecast.removed_count} more left out as outliers or artefacts"
    if forecast.coverage_ratio is not None:
        said += (
            f"; of days held back {forecast.coverage_ratio:.0%} fell within its range "
            f"({forecast.interval_width:.0%} wanted)"
        )
    if forecast.smape_pct is not None:
        said += f", error {forecast.smape_pct:.1f}%"
    return f"{said}."


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
