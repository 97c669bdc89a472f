"""What a reader asks of a forecast: how fast it grows, and how far it can be trusted."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from mqcap.domain.forecast import Forecast
from mqcap.domain.growth import growth_of
from mqcap.domain.score import BandRecord
from mqcap.notifications.digest import Problem
from mqcap.presentation.sentence_numbers import quantity


class MailOutlook(BaseModel):
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
    growth = growth_of([point.expected for point in forecast.points])
    if growth is None:
        return ""
    unit = problem.crossing.unit if problem.crossing else problem.finding.unit
    share = f" ({growth.share:+.1%})" if growth.share is not None else ""
    sign = "+" if growth.a_month >= 0 else ""
    grown = quantity(growth.a_month, "points" if unit == "%" else unit)
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
