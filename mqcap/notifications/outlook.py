"""Growth and accuracy of a problem's forecast, as lines of a mail."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from mqcap.domain.forecast import Forecast
from mqcap.domain.growth import growth_of
from mqcap.domain.numbers import percent
from mqcap.domain.problem import Problem
from mqcap.domain.score import RecentAccuracy
from mqcap.presentation import quantities


class OutlookLine(NamedTuple):
    """A statement about a forecast under its heading; an email sets the two in columns."""

    label: str
    text: str


class MailOutlook(BaseModel):
    """Text about a problem's forecast, besides its finding."""

    model_config = ConfigDict(frozen=True)

    lines: tuple[OutlookLine, ...] = ()
    moved: str = ""
    """Move of the date since the last notification, and its reason; mostly empty."""


def forecast_lines(
    problem: Problem, forecast: Forecast | None, accuracy: RecentAccuracy | None = None
) -> tuple[OutlookLine, ...]:
    """Return growth a month, model, accuracy and missing records; nothing without a forecast.

    ``accuracy`` is that of the forecasts of a week before on the last measured days.
    """
    if forecast is None:
        return ()
    missing = _data_note(forecast)
    if forecast.refusal:
        refusal = OutlookLine("No forecast", f"{forecast.refusal}.")
        return tuple(filter(None, (refusal, missing)))
    lines = (_growth(problem, forecast), _model(forecast), _accuracy(accuracy), missing)
    return tuple(filter(None, lines))


def _growth(problem: Problem, forecast: Forecast) -> OutlookLine | None:
    growth = growth_of([point.expected for point in forecast.points])
    if growth is None:
        return None
    unit = problem.crossing.unit if problem.crossing else problem.finding.unit
    share = "" if growth.share is None else f" ({percent(growth.share, signed=True)})"
    increase = quantities.growth(growth.a_month, unit).full
    return OutlookLine("Growth", f"{increase} a month{share}, by the forecast.")


def _model(forecast: Forecast) -> OutlookLine:
    text = f"{forecast.model} on {forecast.trained_days} days"
    if forecast.removed_count:
        text += f", {forecast.removed_count} more excluded as outliers or artefacts"
    if forecast.coverage_ratio is not None:
        text += (
            f"; {percent(forecast.coverage_ratio)} of the hold-out days inside the prediction "
            f"interval (nominal {percent(forecast.interval_width)})"
        )
    if forecast.smape_pct is not None:
        text += f", error {percent(forecast.smape_pct / 100)}"
    return OutlookLine("Forecast", f"{text}.")


def _accuracy(accuracy: RecentAccuracy | None) -> OutlookLine | None:
    if accuracy is None:
        return None
    text = f"{accuracy}, as forecast at least {accuracy.lead_days} days before."
    return OutlookLine("Accuracy", text)


def _data_note(forecast: Forecast) -> OutlookLine | None:
    if not forecast.data_note:
        return None
    return OutlookLine("Data", f"Forecast on incomplete data. {forecast.data_note}")
