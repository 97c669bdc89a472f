"""Forecasts by cutoff date: their heads, their points, and the days after the horizon.

The days after the horizon are packed into one column of the head, since only crossing dates are
computed from them: a list of expected, lower and upper value per day, in order.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    RowMapping,
    delete,
    select,
    update,
)

from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Statistic
from mqcap.store.database import writing
from mqcap.store.fetch import fetch_all, fetch_rows, select_columns
from mqcap.store.tables import ForecastPointRow, ForecastRow
from mqcap.store.upsert import KEYS_PER_STATEMENT, batches, insert_rows

_NOT_OF_A_FORECAST: Final = frozenset({"beyond"})
"""Columns of a head that are not fields of a forecast of the same name."""


def replace_forecasts(engine: Engine, cutoff_date: date, forecasts: Iterable[Forecast]) -> int:
    """Make these the only forecasts of a cutoff date. Returns the number of points."""
    with writing(engine, ForecastRow, ForecastPointRow) as connection:
        for table in (ForecastPointRow, ForecastRow):
            connection.execute(delete(table).where(table.cutoff_date == cutoff_date))
        return _insert(connection, list(forecasts))


def replace_data_notes(
    engine: Engine, cutoff_date: date, notes: Mapping[tuple[str, Statistic], str]
) -> int:
    """Make these the only notes on data of the forecasts of a cutoff date. Returns how many.

    ``notes`` are by series id and statistic.
    """
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
    table = ForecastRow
    matching = _read(
        engine, cutoff_date, table.series_id == series_id, table.statistic == statistic
    )
    return matching[0] if matching else None


def forecasts_with_keys(
    engine: Engine, cutoff_date: date, keys: Iterable[tuple[str, Statistic]]
) -> dict[tuple[str, Statistic], Forecast]:
    """Return the forecasts of a cutoff date of these series and statistics, by both."""
    wanted = set(keys)
    series = sorted({series_id for series_id, _ in wanted})
    found = (
        forecast
        for batch in batches(series, KEYS_PER_STATEMENT)
        for forecast in _read(engine, cutoff_date, ForecastRow.series_id.in_(batch))
    )
    every = {(forecast.series_id, forecast.statistic): forecast for forecast in found}
    return {key: forecast for key, forecast in every.items() if key in wanted}


def expected_of_series(
    engine: Engine, cutoff_date: date, keys: Iterable[tuple[str, Statistic]], last: date
) -> dict[tuple[str, Statistic], list[tuple[date, float]]]:
    """Return day and expected value up to ``last`` of some forecasts, in order, by series."""
    table, wanted = ForecastPointRow, sorted(set(keys))
    found: dict[tuple[str, Statistic], list[tuple[date, float]]] = {}
    for statistic in sorted({statistic for _, statistic in wanted}):
        names = [series_id for series_id, of in wanted if of is statistic]
        for batch in batches(names, KEYS_PER_STATEMENT):
            statement = select(table.series_id, table.site_date, table.expected).where(
                table.series_id.in_(batch),
                table.statistic == statistic,
                table.cutoff_date == cutoff_date,
                table.site_date <= last,
            )
            for name, day, value in fetch_all(engine, statement.order_by(table.site_date)):
                found.setdefault((name, statistic), []).append((day, value))
    return found


def read_forecasts(engine: Engine, cutoff_date: date) -> list[Forecast]:
    """Return all forecasts of a cutoff date, by series and statistic, with points in order."""
    return _read(engine, cutoff_date)


def _read(engine: Engine, cutoff_date: date, *conditions: ColumnElement[bool]) -> list[Forecast]:
    """Return the forecasts of a cutoff date that meet conditions on ``ForecastRow``."""
    table, point = ForecastRow, ForecastPointRow
    of_heads = (
        select(
            point.series_id,
            point.statistic,
            point.site_date,
            point.expected,
            point.lower,
            point.upper,
        )
        .join(
            table,
            (table.series_id == point.series_id)
            & (table.statistic == point.statistic)
            & (table.cutoff_date == point.cutoff_date),
        )
        .where(table.cutoff_date == cutoff_date, *conditions)
        .order_by(point.series_id, point.statistic, point.site_date)
    )
    heads = _heads(engine, cutoff_date, *conditions)
    points: dict[tuple[str, str], list[ForecastPoint]] = {}
    for series_id, statistic, day, expected, lower, upper in fetch_all(engine, of_heads):
        of_forecast = points.setdefault((series_id, statistic), [])
        of_forecast.append(ForecastPoint(day, expected, lower, upper))
    return [
        _forecast(head, points.get((head["series_id"], head["statistic"]), ())) for head in heads
    ]


def _heads(
    engine: Engine, cutoff_date: date, *conditions: ColumnElement[bool]
) -> Sequence[RowMapping]:
    """Return the rows of forecasts of a cutoff date that meet conditions, without their points."""
    table = ForecastRow
    of_day = select_columns(table).where(table.cutoff_date == cutoff_date, *conditions)
    return fetch_rows(engine, of_day.order_by(table.series_id, table.statistic))


def _forecast(head: RowMapping, points: Iterable[ForecastPoint]) -> Forecast:
    beyond = _unpack(head["cutoff_date"], head["horizon_days"], head["beyond"])
    facts = {name: value for name, value in head.items() if name not in _NOT_OF_A_FORECAST}
    return Forecast(**facts, after_horizon=beyond, points=tuple(points))


def _insert(connection: Connection, made: Sequence[Forecast]) -> int:
    """Insert heads and points; returns the number of points."""
    insert_rows(connection, ForecastRow, map(_head, made))
    return insert_rows(
        connection,
        ForecastPointRow,
        (
            {
                "series_id": forecast.series_id,
                "statistic": forecast.statistic,
                "cutoff_date": forecast.cutoff_date,
                "site_date": point.site_date,
                "expected": point.expected,
                "lower": point.lower,
                "upper": point.upper,
            }
            for forecast in made
            for point in forecast.points
        ),
    )


def _head(forecast: Forecast) -> dict[str, Any]:
    """Return the row of a forecast, with the days after the horizon packed."""
    packed = [[point.expected, point.lower, point.upper] for point in forecast.after_horizon]
    driver = forecast.driver.model_dump(mode="json") if forecast.driver else None
    mix = forecast.mix.model_dump(mode="json") if forecast.mix else None
    past = forecast.past.model_dump(mode="json") if forecast.past else None
    head = forecast.model_dump(exclude={"points", "after_horizon", "driver", "mix", "past"})
    return head | {"driver": driver, "mix": mix, "past": past, "beyond": packed}


def _unpack(
    cutoff_date: date, horizon_days: int, packed: Sequence[Sequence[float]] | None
) -> tuple[ForecastPoint, ...]:
    """Return the days after the horizon; none for forecasts of releases that stored none."""
    first = cutoff_date + timedelta(days=horizon_days + 1)
    return tuple(
        ForecastPoint(
            site_date=first + timedelta(days=ahead), expected=expected, lower=lower, upper=upper
        )
        for ahead, (expected, lower, upper) in enumerate(packed or ())
    )
