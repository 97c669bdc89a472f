"""The sections that reports are put together from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from mqcap.completeness.days import feeds_as_of
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.feed import data_findings
from mqcap.domain.finding import Severity
from mqcap.domain.numbers import percent, probability
from mqcap.presentation import dates, display_units, labels
from mqcap.presentation.charts import ChartData, draw, scaled_point
from mqcap.presentation.crossing_text import crossing_sentence
from mqcap.presentation.date_changes import why_moved
from mqcap.presentation.fleet import FleetLine
from mqcap.reports import tables
from mqcap.reports.day_over_day import changes, reasoned
from mqcap.reports.document import (
    Column,
    Picture,
    ReportKind,
    Section,
    Table,
    count_cell,
    percent_cell,
    quantity_cell,
    text_cell,
)
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.findings import next_findings_date, previous_findings_date, read_finding_summaries
from mqcap.store.observations import count_measured_series, read_observations
from mqcap.store.scores import class_scores, computed_scores, reliability

QUARTER: Final = timedelta(days=91)
SCORED_WITHIN: Final = timedelta(days=7)
"""So late the weekly run scores a stated chance; an earlier one would be in some reports only."""
CHART_DAYS: Final = 180
CHARTS: Final = {ReportKind.daily: 0, ReportKind.weekly: 4, ReportKind.monthly: 8}
_CHOSEN: Final = frozenset({Severity.act, Severity.watch})


class Made(NamedTuple):
    """What all sections are made from."""

    settings: Settings
    engine: Store
    day: date
    lines: Sequence[FleetLine]
    forecasts: tables.Forecasts


def urgent(made: Made) -> list[FleetLine]:
    """What is to act on or to watch."""
    return [line for line in made.lines if line.finding.severity in _CHOSEN]


def changed(made: Made, before: date | None) -> Section:
    """What is worse or better than on an earlier judged day."""
    if before is None:
        text = "No earlier day was judged, so there is nothing to compare with."
        return Section(heading="What changed", sentences=(text,))
    standings = read_finding_summaries(made.engine, before)
    why = why_moved(made.engine, before)
    found = reasoned(changes(made.lines, standings, made.settings.alerts.worse_by_days), why)
    heading = f"What changed since {dates.day_words(before)}"
    return Section(heading=heading, tables=(tables.differences_table(found),))


def plan(made: Made, kind: ReportKind) -> Section:
    """Limits over forecasts, with charts of the most urgent ones."""
    limited = [line for line in made.lines if line.crossing is not None]
    if kind is ReportKind.weekly:
        limited = [line for line in limited if line.finding.severity in _CHOSEN]
    return Section(
        heading="Limits, growth and dates",
        sentences=(
            (
                "Earliest, expected and latest are the days by which the limit has been passed "
                "with a probability of 10, 50 and 90 % (with a band of 80 %). Change by is the "
                "earliest one less the lead time, before any change freeze."
            ),
        ),
        tables=(tables.plan_table(limited, made.forecasts),),
        pictures=_pictures(made, limited, CHARTS[kind]),
    )


def assumptions(made: Made) -> Section:
    """What the plan takes for granted: lead times, freezes, planned changes, forecasts."""
    settings = made.settings
    planned = [
        f"{plex.sysplex}/{qmgr.name} from {change.first_day}: "
        + ", ".join(f"{key} = {value}" for key, value in change.values().items())
        + (f" ({change.note})" if change.note else "")
        for plex in settings.estate
        for qmgr in plex.qmgrs
        for change in qmgr.planned
        if change.first_day > made.day
    ]
    freezes = [
        f"Freeze {one.name or 'of changes'}: {one.first} to {one.last}."
        for one in settings.alerts.change_freezes
        if one.last >= made.day
    ]
    leads = ", ".join(
        f"{rule} {days} days" for rule, days in sorted(settings.alerts.lead_time_days.items())
    )
    refused = sum(one.refusal is not None for one in made.forecasts.values())
    removed = sum(one.removed_count for one in made.forecasts.values())
    return Section(
        heading="Assumptions",
        sentences=(
            f"Lead times: {leads or 'none stated'}.",
            *(freezes or ("No change freeze is stated.",)),
            *([f"Planned: {one}." for one in planned] or ["No change is planned in the estate."]),
            (
                f"Forecasts reach {settings.forecast.horizon_days} days; their band is meant to "
                f"hold {percent(settings.forecast.interval_width)} of days."
            ),
            (
                f"{len(made.forecasts)} forecasts, {refused} refused; {removed} days were left out "
                "as outliers or artefacts."
            ),
        ),
    )


def record(made: Made) -> Section:
    """Accuracy of forecasts and of stated probabilities over the last quarter."""
    first = made.day - QUARTER
    rows = tuple(
        (
            text_cell(labels.metric_label(one.metric), str(one.statistic)),
            count_cell(one.scored_days),
            percent_cell(one.coverage_ratio),
            percent_cell(one.interval_width),
            quantity_cell(one.smape_pct, "%"),
        )
        for one in class_scores(made.engine, computed_scores(first, made.day))
    )
    table = Table(
        name="Record",
        columns=(
            Column(heading="Forecast of", width=2.0),
            Column(heading="Days scored", right=True),
            Column(heading="Inside the band", right=True),
            Column(heading="Meant to be", right=True),
            Column(heading="Error (sMAPE)", right=True),
        ),
        rows=rows,
        blank="Nothing is scored yet: no forecast is older than its first measured day.",
    )
    promised = [
        f"Within {one.horizon_days} days: stated {probability(one.stated)}, "
        f"came {percent(one.came)} of {one.count}."
        for one in reliability(made.engine, first, made.day - SCORED_WITHIN)
    ]
    return Section(
        heading="How good past forecasts were (last quarter)",
        tables=(table,),
        sentences=tuple(promised),
    )


def data(made: Made) -> Section:
    """Which records of the day have not arrived."""
    feeds = feeds_as_of(made.settings, made.engine, made.day, made.day)
    missing = data_findings(feeds)
    lacking = [one for one in feeds if one.is_incomplete]
    measured = count_measured_series(made.engine, made.day)
    known = f"{measured} series were measured on this day."
    if not feeds:
        return Section(
            heading="Data", sentences=("Completeness was not judged for this day.", known)
        )
    table = Table(
        name="Data",
        columns=(
            Column(heading="Feed", width=1.2),
            Column(heading="State", width=0.8),
            Column(heading="Received", width=0.8, right=True),
            Column(heading="What is known", width=3.0),
        ),
        rows=tuple(
            (
                text_cell(one.member or one.subject, one.kind.replace("_", " ")),
                text_cell(one.state.replace("_", " ")),
                count_cell(one.received_count),
                text_cell(one.summary, one.remedy),
            )
            for one in lacking
        ),
        blank="Everything that was expected about this day has arrived.",
    )
    said = f"{len(feeds)} feeds; {len(missing)} findings about missing records."
    return Section(heading="Data", sentences=(said, known), tables=(table,))


def _pictures(made: Made, lines: Sequence[FleetLine], most: int) -> tuple[Picture, ...]:
    drawn: dict[str, Picture] = {}
    for line in lines:
        crossing = line.crossing
        if len(drawn) >= most or crossing is None or crossing.series_id in drawn:
            continue
        data = _chart(made, line.finding.subject, crossing)
        if data is not None:
            sentence = f"{line.finding.subject}: {crossing_sentence(crossing)}"
            drawn[crossing.series_id] = Picture(png=draw(data), words=sentence)
    return tuple(drawn.values())


def _chart(made: Made, subject: str, crossing: Crossing) -> ChartData | None:
    """What is drawn of a limit, in the unit of the tables; ``None`` when nothing was measured."""
    first = made.day - timedelta(days=CHART_DAYS)
    days = read_observations(made.engine, crossing.series_id, first, made.day)
    if not days:
        return None
    will_cross = crossing.state is CrossingState.will_cross
    forecast = made.forecasts.get((crossing.series_id, crossing.statistic))
    factor, unit = display_units.current().scale(crossing.unit)
    return ChartData(
        title=f"{subject}: daily {crossing.statistic}",
        unit=unit,
        site_date=made.day,
        history=tuple((one.site_date, getattr(one, crossing.statistic) * factor) for one in days),
        points=tuple(scaled_point(one, factor) for one in forecast.points) if forecast else (),
        limit_value=crossing.limit_value * factor,
        earliest_date=crossing.earliest_date if will_cross else None,
        latest_date=crossing.latest_date if will_cross else None,
    )


def judged_before(made: Made, last: date) -> date | None:
    """The last judged day up to ``last``, else the first one before the day."""
    found = previous_findings_date(made.engine, last + timedelta(days=1))
    if found is not None:
        return found
    first = next_findings_date(made.engine, last)
    return first if first is not None and first < made.day else None
