"""Series page: the block of one series, the findings that hold a limit against it, its forecast."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from html import escape
from typing import Final

from markupsafe import Markup

from forecasting.probability import SHORT_DAYS
from mq_capacity_page.pages.series.panel import (
    ALL_DAYS,
    SPANS,
    PanelQuery,
    SeriesDays,
    chart_of,
    series_days,
    stating,
)
from mq_capacity_page.pages.series.sub_daily import (
    Resolution,
    parts_view,
    sub_daily_rows,
    sub_daily_values,
)
from mq_capacity_page.web.context import PageContext, View, fleet_lines_on
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.estate.calendar import WEEK
from mqcap.domain.forecast import SAWTOOTH, SOLVED_MODELS, Forecast
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import counted, percent, unit_words
from mqcap.domain.score import RecentAccuracy, SiteCorrection
from mqcap.lake.location import open_lake
from mqcap.lake.readers import day_bounds, hour_values
from mqcap.presentation import display_units
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.ledger_text import shift_text
from mqcap.presentation.quantities import quantity
from mqcap.queries.courses import HEAT_DAYS, hours_of_week, mean_of_shift, period_pairs
from mqcap.queries.resources import resource_path
from mqcap.store.crossings import find_site_correction
from mqcap.store.models import SeriesFacts
from mqcap.store.scores import recent_accuracy
from mqcap.store.series import find_series, series_as_of, series_below

RECENT_DAYS: Final = 14
HOURS: Final = 24
SHADES: Final = 9
_CELL: Final = 22
_LEFT: Final = 34
_TOP: Final = 16


def series_block(context: PageContext, facts: SeriesFacts, day: date, query: PanelQuery) -> View:
    """Return a series as known on a day.

    None of the ``spans`` is longer than what was measured, but for *All*; ``marks`` and ``recent``
    days are the newest first.
    """
    of = series_days(context, facts, day, query.statistic)
    measured = (day - of.observations[0].site_date).days + 1 if of.observations else 0
    first = day - timedelta(days=HEAT_DAYS - 1)
    bounds = day_bounds(first, day, context.timezone_of(facts.subject))
    lake = open_lake(context.settings.lake)
    hours = hours_of_week(hour_values(lake, facts.series_id, *bounds))
    is_sub_daily = query.grain in {Resolution.hourly, Resolution.interval}
    return View(
        facts=facts,
        statistic=query.statistic,
        unit=unit_words(display_units.scale(facts.unit).unit),
        grain=query.grain,
        span=query.span,
        spans=[*(span for span in SPANS if span[0] <= measured), (ALL_DAYS, "All")],
        figure=query.figure.value,
        has_stated=stating(of, query.rule) is not None,
        chart=chart_of(context, of, query),
        periods=period_pairs(of.figures(query.statistic), day),
        heat=heat_svg(hours, facts.unit),
        shifts=[
            (shift.name, quantity(mean, facts.unit))
            for shift in context.settings.site.shifts
            if (mean := mean_of_shift(hours, shift.hours)) is not None
        ],
        parts=parts_view(context, facts, day) if query.grain is Resolution.parts else None,
        sub_daily=sub_daily_rows(sub_daily_values(context, facts, day, query.grain))
        if is_sub_daily
        else [],
        marks=of.marks[::-1],
        forecast=_forecast(context, of, query.statistic),
        recent=of.observations[-RECENT_DAYS:][::-1],
    )


def _forecast(context: PageContext, of: SeriesDays, statistic: Statistic) -> list[tuple[str, str]]:
    """Return why the first expected date is what it is, and what the forecast rests on."""
    dated = [
        crossing
        for crossing in of.crossings
        if crossing.expected_date and crossing.state is CrossingState.will_cross
    ]
    why = []
    if dated:
        first = min(dated, key=lambda crossing: crossing.expected_date or date.max)
        why = why_date(of.forecast, first, find_site_correction(context.engine, of.day))
    accuracy = recent_accuracy(context.engine, of.facts.series_id, statistic, of.day)
    return [*why, *forecast_text(of.forecast, of.facts.forecast, accuracy)]


def heat_svg(hours: Mapping[tuple[int, int], float], unit: str) -> Markup:
    """Return a row a day and a column an hour; empty without any hour. Not measured is blank."""
    if not hours:
        return Markup("")
    top = max(hours.values())
    parts = [
        f'<text x="0" y="{_TOP + _CELL * place + 15}">{name}</text>'
        for place, name in enumerate(WEEK)
    ]
    parts += [
        f'<text x="{_LEFT + _CELL * hour}" y="11">{hour:02}</text>' for hour in range(0, HOURS, 3)
    ]
    for (day, hour), value in sorted(hours.items()):
        shade = round(SHADES * value / top) if top > 0 else 0
        words = f"{WEEK[day]} {hour:02}:00: {quantity(value, unit)}"
        parts.append(
            f'<rect class="heat-{max(shade, 0)}" x="{_LEFT + _CELL * hour}" '
            f'y="{_TOP + _CELL * day}" width="{_CELL - 1}" height="{_CELL - 1}">'
            f"<title>{escape(words)}</title></rect>"
        )
    size = f"0 0 {_LEFT + _CELL * HOURS} {_TOP + _CELL * len(WEEK)}"
    day, hour = max(hours, key=lambda key: hours[key])
    words = f"Highest on {WEEK[day]} {hour:02}:00: {quantity(top, unit)}"
    return Markup(  # noqa: S704 - texts are escaped
        f'<svg class="heat-map" viewBox="{size}" role="img" aria-label="Hours of the week">'
        f'{"".join(parts)}</svg><p class="sub">{escape(words)}</p>'
    )


def series_view(
    context: PageContext,
    series_id: str,
    day: date | None,
    query: PanelQuery,
    statistic: Statistic | None = None,
) -> View | None:
    """Return one series as known on the day with the findings about it; ``None`` if unknown.

    Without a ``statistic`` that of the most urgent limit on it is shown.
    """
    facts = find_series(context.engine, series_id)
    if facts is None or day is None:
        return None
    every = fleet_lines_on(context, day, facts.subject)
    lines = [line for line in every if line.finding.series_id == series_id]
    shown = query._replace(statistic=statistic or default_statistic(lines, series_id))
    below = series_below(context.engine, facts.subject)
    own = [finding for finding in below if finding.subject == facts.subject]
    return View(
        block=series_block(context, facts, day, shown),
        lines=lines,
        resources=list(dict.fromkeys(resource_path(line.finding.key) for line in lines)),
        siblings=series_as_of(context.engine, own, day),
    )


def default_statistic(lines: Iterable[FleetLine], series_id: str) -> Statistic:
    """Return the statistic of the most urgent limit on the series, else the peak."""
    for line in lines:
        if line.crossing and line.crossing.series_id == series_id:
            return line.crossing.statistic
    return Statistic.peak


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
    return f"{course} ({', '.join(candidate.text for candidate in forecast.mix.candidates)})"


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
