"""The rows that the evaluation of a day reads, and those that it writes."""

from __future__ import annotations

from datetime import date

from sqlalchemy import JSON, Text, cast, func, inspect, select

from mqcap.store.crossings import origin_dates
from mqcap.store.fetch import AnySelect
from mqcap.store.tables import (
    Base,
    ConsoleStateRow,
    CrossingRow,
    FeedDayRow,
    FindingRow,
    ForecastPointRow,
    ForecastRow,
    HoldOutCrossingRow,
    LossRow,
    ObservationRow,
    PlanRow,
    SeriesRow,
    SiteCorrectionRow,
)

_WRITTEN_LATER = {"data_note", "first_site_date", "last_site_date"}
"""Columns that the evaluation writes itself, and spans that new days change and no rule reads."""


def rows_read(first: date, day: date) -> list[AnySelect]:
    """Return what selects the rows that findings, crossings, plans and losses of ``day`` rest on.

    ``first`` is the first day that is looked back to.
    """
    return [
        _whole(SeriesRow),
        _observations(first, day),
        _whole(ConsoleStateRow).where(ConsoleStateRow.site_date <= day),
        _whole(FeedDayRow).where(FeedDayRow.site_date >= first, FeedDayRow.site_date < day),
        *forecast_rows(day),
        *_outcome_rows(day),
        *(
            _whole(table).where(
                table.cutoff_date
                == select(func.max(table.cutoff_date))
                .where(table.cutoff_date < day)
                .scalar_subquery()
            )
            for table in (CrossingRow, HoldOutCrossingRow)
        ),
        _whole(PlanRow).where(
            PlanRow.site_date
            == select(func.max(PlanRow.site_date)).where(PlanRow.site_date < day).scalar_subquery()
        ),
    ]


def rows_written(day: date) -> list[AnySelect]:
    """Return what selects the rows that the evaluation of ``day`` has written."""
    forecast = ForecastRow
    return [
        _whole(FindingRow).where(FindingRow.site_date == day),
        _whole(CrossingRow).where(CrossingRow.cutoff_date == day),
        _whole(SiteCorrectionRow).where(SiteCorrectionRow.cutoff_date == day),
        _whole(PlanRow).where(PlanRow.site_date == day),
        _whole(LossRow).where(LossRow.site_date == day),
        _whole(FeedDayRow).where(FeedDayRow.site_date == day),
        select(forecast.series_id, forecast.statistic, forecast.data_note)
        .where(forecast.cutoff_date == day)
        .order_by(forecast.series_id, forecast.statistic),
    ]


def _outcome_rows(day: date) -> list[AnySelect]:
    """Return what selects the rows of past days that the site correction of ``day`` rests on."""
    origins, made = origin_dates(day).scalar_subquery(), ForecastRow
    return [
        _whole(SiteCorrectionRow).where(SiteCorrectionRow.cutoff_date.in_(origins)),
        _whole(CrossingRow).where(CrossingRow.cutoff_date.in_(origins)),
        select(made.series_id, made.statistic, made.cutoff_date, made.model)
        .where(made.cutoff_date.in_(origins))
        .order_by(made.series_id, made.statistic, made.cutoff_date),
    ]


def forecast_rows(day: date) -> list[AnySelect]:
    """Return what selects the forecasts of a day without their notes on data."""
    return [
        _whole(ForecastRow).where(ForecastRow.cutoff_date == day),
        _whole(ForecastPointRow).where(ForecastPointRow.cutoff_date == day),
    ]


def _observations(first: date, day: date) -> AnySelect:
    """Return what selects the figures of the measured days, in the order that their index has."""
    table = ObservationRow
    return (
        select(table.series_id, table.site_date, table.mean, table.p95, table.peak, table.total)
        .where(table.site_date.between(first, day))
        .order_by(table.site_date, table.series_id)
    )


def _whole(table: type[Base]) -> AnySelect:
    """Return what selects the columns of a table in the order of its key, documents as text."""
    columns = [
        cast(column, Text) if isinstance(column.type, JSON) else column
        for column in table.__table__.columns
        if column.name not in _WRITTEN_LATER
    ]
    return select(*columns).order_by(*inspect(table).primary_key)
