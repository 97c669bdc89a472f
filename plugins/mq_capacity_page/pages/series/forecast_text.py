"""Basis of a forecast, as pairs of term and text."""

from typing import Final

from forecasting.probability import SHORT_DAYS
from mqcap.domain.crossing import Crossing
from mqcap.domain.forecast import SAWTOOTH, SOLVED_MODELS, Forecast
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import counted, percent
from mqcap.domain.score import RecentAccuracy, SiteCorrection
from mqcap.presentation.ledger_text import shift_text

STATISTIC_WORDS: Final = {
    Statistic.peak: "daily peak",
    Statistic.p95: "95th percentile of the day's hours",
    Statistic.mean: "daily mean",
}

COURSES: Final = {
    "prophet": "the mix of four trends, linear and logarithmic, and the last level, weighted by "
    "their errors at past origins",
    SAWTOOTH: "fillings at the rates seen, emptied as they used to be",
}
"""What simulated courses follow, by model; of others the name of the model is stated."""


def why_date(
    forecast: Forecast | None, crossing: Crossing, correction: SiteCorrection | None = None
) -> list[tuple[str, str]]:
    """Return in a sentence why a limit is expected to be passed on its date, and how sure it is.

    ``forecast`` is that of the statistic that the limit is held against; ``correction`` is that of
    the day by the site's own outcomes; ``None`` without one. Empty without a forecast.
    """
    if forecast is None or forecast.refusal:
        return []
    latest = f"by {crossing.latest_date}" if crossing.latest_date else "not within a year"
    removed = forecast.removed_count
    without = f" without {counted(removed, 'outlier')}" if removed else ""
    sentence = (
        f"About half of the simulated courses of the {STATISTIC_WORDS[crossing.statistic]} have "
        f"passed the limit of {crossing.rule_id} by {crossing.expected_date}, one in ten by "
        f"{crossing.earliest_date}, nine in ten {latest}{_corrected(forecast, correction)}; they "
        f"follow {_course(forecast)}, from {forecast.trained_days} days{without}, and are spread "
        f"like {_spread(forecast)}."
    )
    return [("Why this date", sentence)]


def _corrected(forecast: Forecast, correction: SiteCorrection | None) -> str:
    if forecast.model == SAWTOOTH:
        return ""
    words = ", corrected by what became of stated probabilities"
    if correction is None or not correction.is_any:
        return words
    return f"{words}, and by those of this site ({shift_text(correction)})"


def _course(forecast: Forecast) -> str:
    course = COURSES.get(SOLVED_MODELS.get(forecast.model, forecast.model), forecast.model)
    if forecast.mix is None or len(forecast.mix.candidates) == 1:
        return course
    return f"{course} ({', '.join(each.text for each in forecast.mix.candidates)})"


def _spread(forecast: Forecast) -> str:
    """Return what the courses are spread like, and whether the history is too short for more."""
    words = "the model says, half as wide again, for no past origin has tried it"
    if forecast.coverage_ratio is not None:
        held = percent(forecast.coverage_ratio)
        words = f"the errors at past origins, of which the interval held {held}"
    past = forecast.past
    if past is None or past.days > SHORT_DAYS or forecast.model == SAWTOOTH:
        return words
    few = "days are few, so that probabilities are kept near to what is usual"
    return f"{words}; {past.days} {few}"


def forecast_text(
    forecast: Forecast | None, is_forecast: bool, accuracy: RecentAccuracy | None = None
) -> list[tuple[str, str]]:
    """Return model, training data and accuracy of a forecast, or the reason why there is none.

    ``is_forecast`` is true for series of which forecasts are made at all; ``accuracy`` is that of
    the forecasts of a week before on the last measured days.
    """
    if forecast is None:
        reason = (
            "None was made for this day. The forecast step of the daily run makes it."
            if is_forecast
            else "This series is measured and drawn; it is not forecast."
        )
        return [("Forecast", reason)]
    removed = forecast.removed_count
    excluded = f"{removed} excluded as outliers" if removed else "none excluded"
    rows = [
        ("Model", forecast.model),
        ("Statistic", STATISTIC_WORDS[forecast.statistic]),
        ("Trained on", f"{forecast.trained_days} days; {excluded}"),
        *([("Data incomplete", forecast.data_note)] if forecast.data_note else []),
    ]
    if forecast.refusal:
        return [("Refused", forecast.refusal), *rows]
    return [
        *rows,
        *([("Candidates", f"{forecast.mix.text}.")] if forecast.mix else []),
        *([("Driver", f"{forecast.driver.text}.")] if forecast.driver else []),
        ("Horizon", f"{forecast.horizon_days} days"),
        *_tested(forecast, accuracy),
    ]


def _tested(forecast: Forecast, accuracy: RecentAccuracy | None) -> list[tuple[str, str]]:
    error = "Unknown: the history is too short for a hold-out."
    if forecast.smape_pct is not None:
        share = percent(forecast.smape_pct / 100)
        error = f"{share} on the hold-out (symmetric mean absolute error)"
    tested = "not tested"
    if forecast.coverage_ratio is not None:
        tested = f"covered {percent(forecast.coverage_ratio)} of the hold-out days"
    recent = "None yet: no measured day had a forecast a week before."
    if accuracy is not None:
        recent = f"{accuracy}, as forecast at least {accuracy.lead_days} days before"
    return [
        ("Error", error),
        ("Prediction interval", f"nominal coverage {percent(forecast.interval_width)}; {tested}"),
        ("Accuracy", recent),
    ]
