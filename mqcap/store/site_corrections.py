"""Site corrections by evaluated day, and the stated probabilities that they rest on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Engine, Select, case, delete, extract, func, select

from mqcap.domain.crossing import CrossingState
from mqcap.domain.forecast import SAWTOOTH
from mqcap.domain.metric import Direction
from mqcap.domain.site_correction import SiteCorrection
from mqcap.store.database import writing
from mqcap.store.fetch import fetch_all, fetch_first, select_columns
from mqcap.store.tables import CrossingRow, ForecastRow, ObservationRow, SiteCorrectionRow
from mqcap.store.upsert import insert_rows

OUTCOME_DAYS: Final = (30, 60, 90)
"""Days ahead of the probabilities whose outcomes count (ours): later ones come too late."""
LOOK_BACK_DAYS: Final = 300
"""Age in days up to which outcomes count, and the month that it falls in (ours)."""


class MaturedProbability(NamedTuple):
    """A stated probability whose days are over, with the figure nearest to its limit since."""

    rule_id: str
    subject: str
    direction: Direction
    limit_value: float
    probability: float
    shift: float
    """Of the site correction that it was stated with."""
    furthest: float
    """The highest figure of its days; for a downward limit the lowest."""


def replace_site_correction(engine: Engine, correction: SiteCorrection) -> None:
    """Make this the correction of its day."""
    table = SiteCorrectionRow
    with writing(engine, table) as connection:
        connection.execute(delete(table).where(table.cutoff_date == correction.cutoff_date))
        insert_rows(connection, table, [correction.model_dump()])


def find_site_correction(engine: Engine, day: date) -> SiteCorrection | None:
    """Return the correction of an evaluated day; ``None`` without one."""
    table = SiteCorrectionRow
    return fetch_first(
        engine, SiteCorrection, select_columns(table).where(table.cutoff_date == day)
    )


def matured_probabilities(engine: Engine, day: date) -> Iterator[MaturedProbability]:
    """Yield stated probabilities whose last day is ``day`` or before, by day, reach and limit.

    Those of the first evaluated day of each calendar month, since those of the next nights are
    of the same days. Left out are 0 and 1 and those of sawteeth, which nothing corrects, limits
    that were passed already, and those without an observed day since.
    """
    table = SiteCorrectionRow
    origins = select(table.cutoff_date, table.shift).where(table.cutoff_date.in_(origin_dates(day)))
    for cutoff_date, shift in fetch_all(engine, origins.order_by(table.cutoff_date)):
        for days in OUTCOME_DAYS:
            last = cutoff_date + timedelta(days=days)
            if last <= day:
                for row in fetch_all(engine, _furthest(cutoff_date, days, last)):
                    rule_id, subject, direction, limit, probability, furthest = row
                    yield MaturedProbability(
                        rule_id, subject, Direction(direction), limit, probability, shift, furthest
                    )


def origin_dates(day: date) -> Select[Any]:
    """Return what selects the first day of each month that was evaluated with a correction.

    Of days whose shortest time was over on ``day``, and not older than ``LOOK_BACK_DAYS``.
    """
    column = SiteCorrectionRow.cutoff_date
    first = (day - timedelta(days=LOOK_BACK_DAYS)).replace(day=1)
    return (
        select(func.min(column))
        .where(column.between(first, day - timedelta(days=min(OUTCOME_DAYS))))
        .group_by(extract("year", column), extract("month", column))
    )


def _furthest(cutoff_date: date, days: int, last: date) -> Select[Any]:
    """Return what selects the probabilities of a day for so many days, with the figure since."""
    stated, seen, made = CrossingRow, ObservationRow, ForecastRow
    probability = getattr(stated, f"probability_{days}_days")
    figure = case(
        *((stated.statistic == name, getattr(seen, name)) for name in ("peak", "p95")),
        else_=seen.mean,
    )
    furthest = case(
        (stated.direction == Direction.upward, func.max(figure)), else_=func.min(figure)
    )
    keys = (stated.rule_id, stated.subject)
    facts = (stated.direction, stated.limit_value, probability)
    return (
        select(*keys, *facts, furthest)
        .join(seen, seen.series_id == stated.series_id)
        .join(
            made,
            (made.series_id == stated.series_id)
            & (made.statistic == stated.statistic)
            & (made.cutoff_date == stated.cutoff_date),
        )
        .where(
            stated.cutoff_date == cutoff_date,
            stated.state != CrossingState.breached,
            probability > 0,
            probability < 1,
            made.model != SAWTOOTH,
            seen.site_date > cutoff_date,
            seen.site_date <= last,
        )
        .group_by(*keys, *facts)
        .order_by(*keys)
    )
