"""Section of limits with forecasts: growth, crossing dates and charts of the most urgent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.presentation import display_units
from mqcap.presentation.chart_pictures import draw
from mqcap.presentation.charts import ChartData, chart_title, scaled_point
from mqcap.presentation.crossing_text import crossing_sentence
from mqcap.presentation.fleet import FleetLine
from mqcap.reports.document import Picture, ReportKind, Section
from mqcap.reports.registry import ReportBasis, SectionEntry
from mqcap.reports.tables import limits_table
from mqcap.store.observations import read_observations

CHART_DAYS: Final = 180
"""Days of history in a chart."""
CHARTS: Final = {ReportKind.weekly: 4, ReportKind.monthly: 8}
"""Charts of a report at most."""


def limits(basis: ReportBasis) -> Section:
    """Return the limits to act on or to watch that have a forecast."""
    limited = [line for line in basis.urgent_lines if line.crossing is not None]
    return Section(
        heading="Limits, growth and dates",
        sentences=(
            (
                "Earliest, expected and latest are the days by which the limit has been passed "
                "with a probability of 10, 50 and 90 % (a prediction interval of 80 %). In force "
                "by is the day of the plan of the resource; without a plan the earliest day less "
                "the lead time, before any change freeze."
            ),
        ),
        tables=(limits_table(limited, basis.forecasts, basis.plans),),
        pictures=_pictures(basis, limited),
    )


def _pictures(basis: ReportBasis, lines: Sequence[FleetLine]) -> tuple[Picture, ...]:
    """Return one chart per series, for the most urgent lines that were measured."""
    drawn: dict[str, Picture] = {}
    for line in lines:
        crossing = line.crossing
        if len(drawn) >= CHARTS[basis.kind] or crossing is None or crossing.series_id in drawn:
            continue
        data = _chart(basis, crossing)
        if data is not None:
            sentence = f"{line.finding.subject}: {crossing_sentence(crossing)}"
            drawn[crossing.series_id] = Picture(png=draw(data), words=sentence)
    return tuple(drawn.values())


def _chart(basis: ReportBasis, crossing: Crossing) -> ChartData | None:
    """Return the chart of a limit in the unit of the tables; ``None`` without measured days."""
    first = basis.day - timedelta(days=CHART_DAYS)
    days = read_observations(basis.engine, crossing.series_id, first, basis.day)
    measured = [(each.site_date, getattr(each, crossing.statistic)) for each in days]
    if not measured:
        return None
    will_cross = crossing.state is CrossingState.will_cross
    forecast = basis.forecasts.get((crossing.series_id, crossing.statistic))
    factor, unit = display_units.current().scale(crossing.unit)
    return ChartData(
        title=chart_title(crossing),
        unit=unit,
        site_date=basis.day,
        history=tuple(
            (each.site_date, getattr(each, crossing.statistic) * factor) for each in days
        ),
        points=tuple(scaled_point(each, factor) for each in forecast.points) if forecast else (),
        limit_value=crossing.limit_value * factor,
        earliest_date=crossing.earliest_date if will_cross else None,
        latest_date=crossing.latest_date if will_cross else None,
    )


SECTION: Final = SectionEntry(30, frozenset({ReportKind.weekly, ReportKind.monthly}), limits)
