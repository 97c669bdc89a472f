"""What one series or one subject page shows, put together from the store's answers.

Pure: facts in, values for the templates out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final

from pydantic import BaseModel, ConfigDict

from mqcap.domain.crossing import PROBABILITY_DAYS
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import SERIES_SEPARATOR, Statistic
from mqcap.domain.score import RecentAccuracy
from mqcap.presentation import wording
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.wording import Quantity
from mqcap.store.models import Observation, SeriesFacts

RECENT_DAYS: Final = 14
STATISTIC_WORDS: Final = {
    Statistic.peak: "daily peak",
    Statistic.p95: "95th percentile of the day's hours",
    Statistic.mean: "daily mean",
}


class MonthAhead(BaseModel):
    """The highest day of one month of a forecast."""

    model_config = ConfigDict(frozen=True)

    month: str
    expected: Quantity
    lower: Quantity
    upper: Quantity


class RecentDay(BaseModel):
    """One measured day as printed."""

    model_config = ConfigDict(frozen=True)

    site_date: date
    peak: Quantity
    p95: Quantity
    mean: Quantity
    busiest: str
    covered_hours: str


def crumbs(subject: str) -> list[tuple[str, str]]:
    """Each step of the path from sysplex to subject: name and subject."""
    parts = subject.split(SERIES_SEPARATOR)
    return [(part, SERIES_SEPARATOR.join(parts[: count + 1])) for count, part in enumerate(parts)]


def lines_of_series(lines: Iterable[FleetLine], facts: SeriesFacts) -> list[FleetLine]:
    """Findings on the subject; those of this series first, otherwise in order of urgency."""
    found = [line for line in lines if line.finding.subject == facts.subject]
    return sorted(found, key=lambda line: line.finding.series_id != facts.series_id)


def chances(lines: Iterable[FleetLine], series_id: str) -> list[tuple[str, list[tuple[date, str]]]]:
    """By rule: until which day, and the probability that its limit is passed by then."""
    found = []
    for line in lines:
        crossing = line.crossing
        if crossing is None or crossing.series_id != series_id:
            continue
        stated = [
            (crossing.cutoff_date + timedelta(days=days), f"{probability:.0%}")
            for days in PROBABILITY_DAYS
            if (probability := getattr(crossing, f"probability_{days}_days")) is not None
        ]
        if stated:
            found.append((crossing.rule_id, stated))
    return found


def default_statistic(lines: Iterable[FleetLine], series_id: str) -> Statistic:
    """The statistic of the most urgent limit on the series, else the peak."""
    for line in lines:
        if line.crossing and line.crossing.series_id == series_id:
            return line.crossing.statistic
    return Statistic.peak


def recent_days(days: Sequence[Observation], unit: str) -> list[RecentDay]:
    """The last measured days, newest first."""
    return [
        RecentDay(
            site_date=day.site_date,
            peak=wording.quantity(day.peak, unit),
            p95=wording.quantity(day.p95, unit),
            mean=wording.quantity(day.mean, unit),
            busiest=wording.instant(day.busiest_hour_utc),
            covered_hours=wording.number(day.covered_hours),
        )
        for day in reversed(days[-RECENT_DAYS:])
    ]


def months_ahead(forecast: Forecast | None, unit: str) -> list[MonthAhead]:
    """The day with the highest expected value of each month of the forecast."""
    highest: dict[str, int] = {}
    points = forecast.points if forecast else ()
    for index, point in enumerate(points):
        month = f"{point.site_date:%b %Y}"
        if month not in highest or point.expected > points[highest[month]].expected:
            highest[month] = index
    return [
        MonthAhead(
            month=month,
            expected=wording.quantity(points[index].expected, unit),
            lower=wording.quantity(points[index].lower, unit),
            upper=wording.quantity(points[index].upper, unit),
        )
        for month, index in highest.items()
    ]


def forecast_words(
    forecast: Forecast | None, is_forecast: bool, kept: RecentAccuracy | None = None
) -> list[tuple[str, str]]:
    """What is behind the forecast, as pairs of term and sentence.

    ``kept`` says how the forecasts of a week before did on the last measured days.
    """
    if forecast is None:
        reason = (
            "None was made for this day. The forecast step of the daily run makes it."
            if is_forecast
            else "This series is measured and drawn; no forecast is made of it."
        )
        return [("Forecast", reason)]
    rows = [
        ("Model", forecast.model),
        ("Statistic", STATISTIC_WORDS[forecast.statistic]),
        ("Trained on", _trained(forecast)),
        *([("Data incomplete", forecast.data_note)] if forecast.data_note else []),
    ]
    if forecast.refusal:
        return [("Refused", forecast.refusal), *rows]
    return [
        *rows,
        ("Looks ahead", f"{forecast.horizon_days} days"),
        ("Error", _error(forecast)),
        ("Band", _band(forecast)),
        ("Record", _record(kept)),
    ]


def _trained(forecast: Forecast) -> str:
    days = f"{forecast.trained_days} days"
    if not forecast.removed_count:
        return f"{days}; none left out"
    return f"{days}; {forecast.removed_count} left out as outliers"


def _error(forecast: Forecast) -> str:
    if forecast.smape_pct is None:
        return "Not known: too little history to hold days back and test on them."
    return f"{forecast.smape_pct:.1f} % on days held back (symmetric mean absolute error)"


def _record(kept: RecentAccuracy | None) -> str:
    if kept is None:
        return "None yet: no measured day had a forecast a week before."
    return f"{kept}, as forecast at least {kept.lead_days} days before"


def _band(forecast: Forecast) -> str:
    promise = f"meant to hold {forecast.interval_width:.0%} of days"
    if forecast.coverage_ratio is None:
        return f"{promise}; not tested"
    return f"{promise}; held {forecast.coverage_ratio:.0%} of the days held back"
