"""Crossings by cutoff date, those of rolling origins (``hold_out``) apart; site corrections."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from typing import Any, Final

from pydantic import BaseModel
from sqlalchemy import Connection, Engine, Select, case, delete, extract, func, select

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding
from mqcap.domain.forecast import SAWTOOTH, ForecastBasis
from mqcap.domain.metric import Direction
from mqcap.domain.score import SiteCorrection, StatedOutcome
from mqcap.store.database import writing
from mqcap.store.fetch import (
    distinct_dates,
    fetch_all,
    fetch_value,
    fetch_values,
    find_model,
    is_within,
    observed_figure,
    read_models,
)
from mqcap.store.problems import invalidate_problems
from mqcap.store.tables import (
    CrossingRow,
    ForecastRow,
    HoldOutCrossingRow,
    ObservationRow,
    ProblemDateRow,
    SiteCorrectionRow,
)
from mqcap.store.upsert import insert_rows, key_batches

_LIVE: Final = ForecastBasis.live
_Table = type[CrossingRow | HoldOutCrossingRow | SiteCorrectionRow]


def replace_crossings(engine: Engine, cutoff_date: date, crossings: Iterable[Crossing]) -> int:
    """Make these the only crossings of a day, whose problems become invalid. Returns how many."""
    with writing(engine, CrossingRow, ProblemDateRow) as connection:
        invalidate_problems(connection, cutoff_date)
        return _replace(connection, CrossingRow, cutoff_date, crossings)


def replace_hold_out(engine: Engine, cutoff_date: date, crossings: Iterable[Crossing]) -> int:
    """Make these the only crossings of a rolling origin. Returns how many."""
    with writing(engine, HoldOutCrossingRow) as connection:
        return _replace(connection, HoldOutCrossingRow, cutoff_date, crossings)


def _replace(
    connection: Connection, table: _Table, cutoff_date: date, models: Iterable[BaseModel]
) -> int:
    connection.execute(delete(table).where(table.cutoff_date == cutoff_date))
    return insert_rows(connection, table, (model.model_dump() for model in models))


def cutoff_dates(
    engine: Engine, first: date, last: date, basis: ForecastBasis = _LIVE
) -> set[date]:
    """Return the cutoff dates from ``first`` to ``last`` that have crossings."""
    column = _table(basis).cutoff_date
    return set(fetch_values(engine, distinct_dates(column, first, last)))


def read_crossings(
    engine: Engine, cutoff_date: date, basis: ForecastBasis = _LIVE
) -> list[Crossing]:
    """Return all crossings of a cutoff date, by rule and subject."""
    table = _table(basis)
    order = (table.rule_id, table.subject)
    return read_models(engine, Crossing, table, table.cutoff_date == cutoff_date, order=order)


def crossings_before(engine: Engine, day: date, basis: ForecastBasis = _LIVE) -> list[Crossing]:
    """Return the crossings of the last cutoff date before a day; empty without any."""
    column = _table(basis).cutoff_date
    last = fetch_value(engine, select(func.max(column)).where(column < day))
    return [] if last is None else read_crossings(engine, last, basis)


def dated_crossings(
    engine: Engine, first: date, last: date, basis: ForecastBasis = _LIVE
) -> list[Crossing]:
    """Return crossings stated from ``first`` to ``last`` that were expected by ``last``."""
    table = _table(basis)
    days = (table.cutoff_date.between(first, last), table.expected_date <= last)
    crosses = table.state == CrossingState.will_cross
    order = (table.cutoff_date, table.rule_id, table.subject)
    return read_models(engine, Crossing, table, *days, crosses, order=order)


def expected_before(
    engine: Engine,
    rule_id: str,
    subject: str,
    passed: date,
    tolerance: timedelta,
    basis: ForecastBasis = _LIVE,
) -> list[Crossing]:
    """Return crossings stated before a limit was passed, expected ``tolerance`` before or later."""
    table = _table(basis)
    own = (table.rule_id == rule_id, table.subject == subject)
    days = (table.cutoff_date < passed, table.expected_date >= passed - tolerance)
    crosses = table.state == CrossingState.will_cross
    order = (table.cutoff_date,)
    return read_models(engine, Crossing, table, *own, *days, crosses, order=order)


def crossings_below(engine: Engine, cutoff_date: date, subject: str) -> list[Crossing]:
    """Return the crossings of a day on a subject and on its parts, by rule and subject."""
    table = CrossingRow
    on_day, below = table.cutoff_date == cutoff_date, is_within(table.subject, subject)
    order = (table.rule_id, table.subject)
    return read_models(engine, Crossing, table, on_day, below, order=order)


def crossings_with_keys(
    engine: Engine, cutoff_date: date, keys: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], Crossing]:
    """Return the crossings of a day with these rules and subjects, by both."""
    table, wanted = CrossingRow, set(keys)
    of_day = (table.cutoff_date == cutoff_date, table.rule_id.in_({rule for rule, _ in wanted}))
    found = (
        crossing
        for batch in key_batches(subject for _, subject in wanted)
        for crossing in read_models(engine, Crossing, table, *of_day, table.subject.in_(batch))
    )
    return {key: one for one in found if (key := (one.rule_id, one.subject)) in wanted}


def crossing_of_finding(engine: Engine, finding: Finding) -> Crossing | None:
    """Return the crossing of a finding; ``None`` for rules that have no date."""
    key = (finding.rule_id, finding.subject)
    return crossings_with_keys(engine, finding.site_date, [key]).get(key)


def _table(basis: ForecastBasis) -> type[CrossingRow | HoldOutCrossingRow]:
    return HoldOutCrossingRow if basis is ForecastBasis.hold_out else CrossingRow


OUTCOME_DAYS: Final = (30, 60, 90)
"""Days ahead of the probabilities whose outcomes count (ours): later ones come too late."""
LOOK_BACK_DAYS: Final = 300
"""Age in days up to which outcomes count, and the month that it falls in (ours)."""


def replace_site_correction(engine: Engine, correction: SiteCorrection) -> None:
    """Make this the correction of its day."""
    with writing(engine, SiteCorrectionRow) as connection:
        _replace(connection, SiteCorrectionRow, correction.cutoff_date, [correction])


def find_site_correction(engine: Engine, day: date) -> SiteCorrection | None:
    """Return the correction of an evaluated day; ``None`` without one."""
    table = SiteCorrectionRow
    return find_model(engine, SiteCorrection, table, table.cutoff_date == day)


def matured_outcomes(
    engine: Engine, day: date, has_passed: Callable[[str, float, float, Direction], bool]
) -> Iterator[StatedOutcome]:
    """Yield stated probabilities whose last day is ``day`` or before, by day, reach and limit.

    ``has_passed`` takes rule, figure nearest to the limit, limit and direction. Only the first
    evaluated day of a month counts: those of the next nights are of the same days. Left out are 0
    and 1, sawteeth, which nothing corrects, limits passed already, and those not observed since.
    """
    table = SiteCorrectionRow
    origins = select(table.cutoff_date, table.shift, table.slope).where(
        table.cutoff_date.in_(origin_dates(day))
    )
    for cutoff_date, shift, slope in fetch_all(engine, origins.order_by(table.cutoff_date)):
        for days in OUTCOME_DAYS:
            last = cutoff_date + timedelta(days=days)
            if last <= day:
                for row in fetch_all(engine, _furthest(cutoff_date, days, last)):
                    rule_id, subject, direction, limit, probability, furthest = row
                    came = has_passed(rule_id, furthest, limit, Direction(direction))
                    yield StatedOutcome((rule_id, subject), probability, shift, came, slope)


def origin_dates(day: date) -> Select[Any]:
    """Return what selects the first corrected day of each month whose outcomes can count."""
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
    figure = observed_figure(stated.statistic)
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
