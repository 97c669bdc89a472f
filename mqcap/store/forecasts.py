"""Forecasts by cutoff date: their heads, their points, and the days after the horizon.

These are packed into one column of the head, since only crossing dates are computed from them.
"""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Engine, delete, select, update

from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Statistic
from mqcap.store.database import writing
from mqcap.store.fetch import AnySelect, days_of_series, fetch_all, fetch_rows, select_columns
from mqcap.store.tables import ForecastPointRow, ForecastRow
from mqcap.store.upsert import insert_rows, key_batches

_POINT: Final = ("site_date", "expected", "lower", "upper")
IS_OF_HEAD: Final = (
    (ForecastRow.series_id == ForecastPointRow.series_id)
    & (ForecastRow.statistic == ForecastPointRow.statistic)
    & (ForecastRow.cutoff_date == ForecastPointRow.cutoff_date)
)
"""Condition that a point is one of a forecast."""
_DOCUMENTS: Final = {"driver", "mix", "past"}
"""Columns of a head that are JSON documents, or null."""


def replace_forecasts(engine: Engine, cutoff_date: date, forecasts: Iterable[Forecast]) -> int:
    """Make these the only forecasts of a cutoff date. Returns the number of points."""
    with writing(engine, ForecastRow, ForecastPointRow) as connection:
        for table in (ForecastPointRow, ForecastRow):
            connection.execute(delete(table).where(table.cutoff_date == cutoff_date))
        made = list(forecasts)
        insert_rows(connection, ForecastRow, map(_head, made))
        points = (
            key | {name: getattr(point, name) for name in _POINT}
            for forecast in made
            for key in [forecast.model_dump(include={"series_id", "statistic", "cutoff_date"})]
            for point in forecast.points
        )
        return insert_rows(connection, ForecastPointRow, points)


def replace_data_notes(
    engine: Engine, cutoff_date: date, notes: Mapping[tuple[str, Statistic], str]
) -> int:
    """Make these the only notes of a cutoff date, by series id and statistic. Returns how many."""
    table = ForecastRow
    of_day = update(table).where(table.cutoff_date == cutoff_date)
    with writing(engine, ForecastRow) as connection:
        connection.execute(of_day.values(data_note=None))
        for (series_id, statistic), note in sorted(notes.items()):
            of_series = of_day.where(table.series_id == series_id, table.statistic == statistic)
            connection.execute(of_series.values(data_note=note))
    return len(notes)


def find_forecast(
    engine: Engine, series_id: str, statistic: Statistic, cutoff_date: date
) -> Forecast | None:
    """Return one forecast with its points in order, or ``None`` when there is none."""
    key = (series_id, statistic)
    return forecasts_with_keys(engine, cutoff_date, [key]).get(key)


def forecasts_with_keys(
    engine: Engine, cutoff_date: date, keys: Iterable[tuple[str, Statistic]]
) -> dict[tuple[str, Statistic], Forecast]:
    """Return the forecasts of a cutoff date of these series and statistics, by both."""
    wanted = set(keys)
    return {
        (forecast.series_id, forecast.statistic): forecast
        for batch in key_batches(series_id for series_id, _ in wanted)
        for forecast in _read(engine, cutoff_date, ForecastRow.series_id.in_(batch))
        if (forecast.series_id, forecast.statistic) in wanted
    }


def expected_of_series(
    engine: Engine, cutoff_date: date, keys: Iterable[tuple[str, Statistic]], last: date
) -> dict[tuple[str, Statistic], list[tuple[date, float]]]:
    """Return day and expected value up to ``last`` of some forecasts, in order, by series."""
    table = ForecastPointRow
    of_days = (table.cutoff_date == cutoff_date, table.site_date <= last)

    def expected(statistic: Statistic) -> AnySelect:
        of_series = select(table.series_id, table.site_date, table.expected)
        return of_series.where(table.statistic == statistic, *of_days)

    return days_of_series(engine, table, keys, expected)


def read_forecasts(engine: Engine, cutoff_date: date) -> list[Forecast]:
    """Return all forecasts of a cutoff date, by series and statistic, with points in order."""
    return _read(engine, cutoff_date)


def _read(engine: Engine, cutoff_date: date, *conditions: ColumnElement[bool]) -> list[Forecast]:
    table, point = ForecastRow, ForecastPointRow
    wanted = (table.cutoff_date == cutoff_date, *conditions)
    of_heads = (
        select(point.series_id, point.statistic, *(getattr(point, name) for name in _POINT))
        .join(table, IS_OF_HEAD)
        .where(*wanted)
        .order_by(point.series_id, point.statistic, point.site_date)
    )
    order = (table.series_id, table.statistic)
    points: dict[tuple[str, str], list[ForecastPoint]] = {}
    for series_id, statistic, *values in fetch_all(engine, of_heads):
        points.setdefault((series_id, statistic), []).append(ForecastPoint(*values))
    found = []
    for head in map(dict, fetch_rows(engine, select_columns(table, *wanted, order=order))):
        first = head["cutoff_date"] + timedelta(days=head["horizon_days"] + 1)
        packed = enumerate(head.pop("beyond") or ())  # earlier releases stored none
        beyond = (ForecastPoint(first + timedelta(days=ahead), *line) for ahead, line in packed)
        own = points.get((head["series_id"], head["statistic"]), ())
        found.append(Forecast(**head, after_horizon=tuple(beyond), points=tuple(own)))
    return found


def _head(forecast: Forecast) -> dict[str, Any]:
    packed = [[point.expected, point.lower, point.upper] for point in forecast.after_horizon]
    documents = forecast.model_dump(mode="json", include=_DOCUMENTS)
    others = forecast.model_dump(exclude={"points", "after_horizon", *_DOCUMENTS})
    return others | dict.fromkeys(_DOCUMENTS) | documents | {"beyond": packed}
