"""A series as a part of a page: its chart with tabs, periods side by side, hours of the week."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from html import escape
from typing import Final

from markupsafe import Markup

from mq_capacity_page.pages.series.forecast_text import forecast_text, why_date
from mq_capacity_page.pages.series.marks import DayMark
from mq_capacity_page.pages.series.panel import (
    ALL_DAYS,
    SPANS,
    ChartPanel,
    PanelQuery,
    SeriesDays,
    chart_of,
    panel_of,
    series_days,
    stated_of,
)
from mq_capacity_page.pages.series.parts import parts_view
from mq_capacity_page.pages.series.sub_daily import (
    Resolution,
    SubDailyRow,
    sub_daily_rows,
    sub_daily_values,
)
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel
from mqcap.domain.crossing import CrossingState
from mqcap.domain.estate.calendar import WEEK
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import unit_words
from mqcap.lake.location import open_lake
from mqcap.lake.readers import day_bounds, hour_values
from mqcap.presentation import display_units
from mqcap.presentation.attribution_text import GrowthText
from mqcap.presentation.quantities import Quantity, quantity
from mqcap.queries.series_days import (
    HEAT_DAYS,
    PeriodPair,
    hours_of_week,
    mean_of_shift,
    period_pairs,
)
from mqcap.store.crossings import find_site_correction
from mqcap.store.models import Observation, SeriesFacts
from mqcap.store.scores import recent_accuracy

RECENT_DAYS = 14


class SeriesBlock(ViewModel):
    """A series on a day, as the reader asks for it."""

    facts: SeriesFacts
    statistic: Statistic
    unit: str
    """Of the figures compared, as the reader prefers it."""
    grain: Resolution
    span: int
    spans: Sequence[tuple[int, str]]
    figure: str
    has_stated: bool
    """Whether a rule states a time of it, such as hours of log."""
    panel: ChartPanel | None
    periods: Sequence[PeriodPair]
    heat: Markup
    """Hours of the week; empty where the lake has no hours of it."""
    shifts: Sequence[tuple[str, Quantity]]
    """Mean of each shift of the settings; empty without any."""
    parts: GrowthText | None
    sub_daily: Sequence[SubDailyRow]
    marks: Sequence[DayMark]
    """Newest first."""
    forecast: Sequence[tuple[str, str]]
    recent: Sequence[Observation]
    """The last measured days, newest first."""


def series_block(
    context: PageContext, facts: SeriesFacts, day: date, query: PanelQuery
) -> SeriesBlock:
    """Return a series as known on a day."""
    of = series_days(context, facts, day, query.statistic)
    stated = stated_of(of, query.rule)
    hours = _hours_of_week(context, facts, day)
    return SeriesBlock(
        facts=facts,
        statistic=query.statistic,
        unit=unit_words(display_units.scale(facts.unit).unit),
        grain=query.grain,
        span=query.span,
        spans=_spans(of),
        figure=query.figure.value,
        has_stated=stated is not None,
        panel=panel_of(chart_of(context, of, query)),
        periods=period_pairs(of.figures(query.statistic), day),
        heat=heat_svg(hours, facts.unit),
        shifts=[
            (shift.name, quantity(mean, facts.unit))
            for shift in context.settings.site.shifts
            if (mean := mean_of_shift(hours, shift.hours)) is not None
        ],
        parts=parts_view(context, facts, day) if query.grain is Resolution.parts else None,
        sub_daily=_sub_daily(context, facts, day, query.grain),
        marks=of.marks[::-1],
        forecast=_forecast(context, of, query.statistic),
        recent=of.observations[-RECENT_DAYS:][::-1],
    )


def _spans(of: SeriesDays) -> list[tuple[int, str]]:
    """Return the tabs that differ: none is longer than what was measured, but for *All*."""
    measured = (of.day - of.observations[0].site_date).days + 1 if of.observations else 0
    return [each for each in SPANS if each[0] <= measured] + [(ALL_DAYS, "All")]


def _hours_of_week(
    context: PageContext, facts: SeriesFacts, day: date
) -> dict[tuple[int, int], float]:
    first = day - timedelta(days=HEAT_DAYS - 1)
    begin, end = day_bounds(first, day, context.timezone_of(facts.subject))
    hours = hour_values(open_lake(context.settings.lake), facts.series_id, begin, end)
    return hours_of_week(hours)


def _sub_daily(
    context: PageContext, facts: SeriesFacts, day: date, grain: Resolution
) -> list[SubDailyRow]:
    if grain in {Resolution.daily, Resolution.parts}:
        return []
    return sub_daily_rows(sub_daily_values(context, facts, day, grain))


def _forecast(context: PageContext, of: SeriesDays, statistic: Statistic) -> list[tuple[str, str]]:
    """Return why the first expected date is what it is, and what the forecast rests on."""
    dated = [
        each
        for each in of.crossings
        if each.expected_date and each.state is CrossingState.will_cross
    ]
    first = min(dated, key=lambda each: each.expected_date or date.max, default=None)
    why = (
        why_date(of.forecast, first, find_site_correction(context.engine, of.day)) if first else []
    )
    accuracy = recent_accuracy(context.engine, of.facts.series_id, statistic, of.day)
    return [*why, *forecast_text(of.forecast, of.facts.forecast, accuracy)]


HOURS: Final = 24
SHADES: Final = 9
_CELL: Final = 22
_LEFT: Final = 34
_TOP: Final = 16


def heat_svg(hours: Mapping[tuple[int, int], float], unit: str) -> Markup:
    """Return a row a day and a column an hour; empty without any hour. Not measured is blank."""
    if not hours:
        return Markup("")
    top = max(hours.values())
    cells = []
    for (day, hour), value in sorted(hours.items()):
        shade = round(SHADES * value / top) if top > 0 else 0
        words = f"{WEEK[day]} {hour:02}:00: {quantity(value, unit)}"
        cells.append(
            f'<rect class="heat-{max(shade, 0)}" x="{_LEFT + _CELL * hour}" '
            f'y="{_TOP + _CELL * day}" width="{_CELL - 1}" height="{_CELL - 1}">'
            f"<title>{escape(words)}</title></rect>"
        )
    names = [
        f'<text x="0" y="{_TOP + _CELL * place + 15}">{name}</text>'
        for place, name in enumerate(WEEK)
    ]
    marks = [
        f'<text x="{_LEFT + _CELL * hour}" y="11">{hour:02}</text>' for hour in range(0, HOURS, 3)
    ]
    size = f"0 0 {_LEFT + _CELL * HOURS} {_TOP + _CELL * len(WEEK)}"
    busiest = max(hours, key=lambda key: hours[key])
    words = f"Highest on {WEEK[busiest[0]]} {busiest[1]:02}:00: {quantity(top, unit)}"
    return Markup(  # noqa: S704 - texts are escaped
        f'<svg class="heat-map" viewBox="{size}" role="img" aria-label="Hours of the week">'
        f'{"".join([*names, *marks, *cells])}</svg><p class="sub">{escape(words)}</p>'
    )
