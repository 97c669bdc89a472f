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
    sentence = (
        f"About half of the simulated courses of the {STATISTIC_WORDS[crossing.statistic]} have "
        f"passed the limit of {crossing.rule_id} by {crossing.expected_date}, one in ten by "
        f"{crossing.earliest_date}, nine in ten {latest}{_corrected(forecast, correction)}; they "
        f"follow {_course(forecast)}, from {_history(forecast)}, and are spread like "
        f"{_spread(forecast)}{_few_days(forecast)}."
    )
    return [("Why this date", sentence)]


def _few_days(forecast: Forecast) -> str:
    """Return that a history is too short to know much; nothing of a longer one, or a sawtooth."""
    past = forecast.past
    if past is None or past.days > SHORT_DAYS or forecast.model == SAWTOOTH:
        return ""
    return f"; {past.days} days are few, so that probabilities are kept near to what is usual"


def _corrected(forecast: Forecast, correction: SiteCorrection | None) -> str:
    if forecast.model == SAWTOOTH:
        return ""
    words = ", corrected by what became of stated probabilities"
    if correction is None or not correction.is_any:
        return words
    return f"{words}, and by those of this site ({shift_text(correction)})"


def _course(forecast: Forecast) -> str:
    course = COURSES.get(SOLVED_MODELS.get(forecast.model, forecast.model), forecast.model)
    mix = forecast.mix
    if mix is None or len(mix.candidates) == 1:
        return course
    shares = ", ".join(each.text for each in mix.candidates)
    return f"{course} ({shares})"


def _history(forecast: Forecast) -> str:
    days = f"{forecast.trained_days} days"
    return (
        f"{days} without {counted(forecast.removed_count, 'outlier')}"
        if forecast.removed_count
        else days
    )


def _spread(forecast: Forecast) -> str:
    if forecast.coverage_ratio is None:
        return "the model says, half as wide again, for no past origin has tried it"
    return (
        f"the errors at past origins, of which the interval held {percent(forecast.coverage_ratio)}"
    )


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
    rows = [
        ("Model", forecast.model),
        ("Statistic", STATISTIC_WORDS[forecast.statistic]),
        ("Trained on", _training(forecast)),
        *([("Data incomplete", forecast.data_note)] if forecast.data_note else []),
    ]
    if forecast.refusal:
        return [("Refused", forecast.refusal), *rows]
    return [
        *rows,
        *([("Candidates", f"{forecast.mix.text}.")] if forecast.mix else []),
        *([("Driver", f"{forecast.driver.text}.")] if forecast.driver else []),
        ("Horizon", f"{forecast.horizon_days} days"),
        ("Error", _error(forecast)),
        ("Prediction interval", _interval(forecast)),
        ("Accuracy", _accuracy(accuracy)),
    ]


def _training(forecast: Forecast) -> str:
    days = f"{forecast.trained_days} days"
    if not forecast.removed_count:
        return f"{days}; none excluded"
    return f"{days}; {forecast.removed_count} excluded as outliers"


def _error(forecast: Forecast) -> str:
    if forecast.smape_pct is None:
        return "Unknown: the history is too short for a hold-out."
    return f"{percent(forecast.smape_pct / 100)} on the hold-out (symmetric mean absolute error)"


def _interval(forecast: Forecast) -> str:
    nominal = f"nominal coverage {percent(forecast.interval_width)}"
    if forecast.coverage_ratio is None:
        return f"{nominal}; not tested"
    return f"{nominal}; covered {percent(forecast.coverage_ratio)} of the hold-out days"


def _accuracy(accuracy: RecentAccuracy | None) -> str:
    if accuracy is None:
        return "None yet: no measured day had a forecast a week before."
    return f"{accuracy}, as forecast at least {accuracy.lead_days} days before"
