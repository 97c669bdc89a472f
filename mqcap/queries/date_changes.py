"""Reasons why an expected date moved: differences between an earlier and a later forecast."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache, partial
from statistics import fmean
from typing import Final, NamedTuple

from mqcap.domain.crossing import Crossing, CrossingState, reach_days, reach_words
from mqcap.domain.forecast import (
    SAWTOOTH,
    SOLVED_MODELS,
    WEEK_DAYS,
    Forecast,
    ForecastPoint,
    growth_of,
)
from mqcap.domain.metric import Direction, Statistic
from mqcap.domain.numbers import counted, figure, percent
from mqcap.presentation import display_units, quantities
from mqcap.presentation.dates import short_day
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.quantities import quantity
from mqcap.settings import Settings
from mqcap.store.crossings import crossings_with_keys, find_site_correction
from mqcap.store.database import Store
from mqcap.store.findings import previous_findings_date
from mqcap.store.forecasts import find_forecast, forecasts_with_keys
from mqcap.store.models import Observation
from mqcap.store.observations import observations_of_series
from mqcap.store.problems import read_problems
from mqcap.store.upsert import batches

SHARE_RATIO: Final = 0.1
"""Change of a candidate's share from which it is a reason: one in eight nights of the sample has
one, of those with a move of more than 5 days three in ten (ours)."""

LINES_AT_A_TIME: Final = 500
"""Lines whose forecasts are in memory at the same time (ours)."""
SHIFT: Final = 0.05
"""Change of the site's shift, in log odds, from which it is a reason: 50 % becomes 51 % (ours)."""


class _Basis(NamedTuple):
    """What lies behind the dates of some lines and behind those of an earlier day."""

    earlier: Mapping[tuple[str, str], Crossing]
    forecasts: Mapping[date, Mapping[tuple[str, Statistic], Forecast]]
    measured: Mapping[str, Sequence[Observation]]
    """By series: the days between."""


def why_moved(engine: Store, before: date, lines: Iterable[FleetLine]) -> Iterator[str]:
    """Yield the reasons why the date of each line moved, compared with an earlier day."""
    shift_of = cache(partial(site_shift, engine))
    for batch in batches(lines, LINES_AT_A_TIME):
        crossings = [line.crossing for line in batch if line.crossing is not None]
        basis = _basis(engine, before, crossings)
        for line in batch:
            yield _why(line.crossing, basis, shift_of)


def _basis(engine: Store, before: date, crossings: Sequence[Crossing]) -> _Basis:
    earlier = crossings_with_keys(engine, before, ((c.rule_id, c.subject) for c in crossings))
    keys = [
        (crossing.series_id, crossing.statistic) for crossing in (*crossings, *earlier.values())
    ]
    days = {crossing.cutoff_date for crossing in (*crossings, *earlier.values())}
    return _Basis(
        earlier,
        {day: forecasts_with_keys(engine, day, keys) for day in days},
        observations_of_series(
            engine,
            (crossing.series_id for crossing in crossings),
            before + timedelta(days=1),
            max(days, default=before),
        ),
    )


def _why(now: Crossing | None, basis: _Basis, shift_of: Callable[[date], float]) -> str:
    was = basis.earlier.get((now.rule_id, now.subject)) if now else None
    if now is None or was is None:
        return "there is no earlier date"
    earlier, later = (
        basis.forecasts[crossing.cutoff_date].get((crossing.series_id, crossing.statistic))
        for crossing in (was, now)
    )
    measured = [
        (day.site_date, float(getattr(day, now.statistic)))
        for day in basis.measured.get(now.series_id, ())
        if day.site_date <= now.cutoff_date
    ]
    changes = reasons(was, now, earlier, later, measured)
    return "; ".join([*changes, *shift_changes(shift_of, was, now, later)])


def site_shift(engine: Store, cutoff_date: date) -> float:
    """Return what the site's own outcomes add to the log odds of the probabilities of a day."""
    correction = find_site_correction(engine, cutoff_date)
    return correction.shift if correction else 0.0


def shift_changes(
    shift_of: Callable[[date], float], was: Crossing, now: Crossing, later: Forecast | None
) -> Iterator[str]:
    """Yield in a clause that the site's outcomes correct otherwise; nothing corrects a sawtooth."""
    before, after = (shift_of(crossing.cutoff_date) for crossing in (was, now))
    is_corrected = later is not None and later.model != SAWTOOTH
    if is_corrected and round(abs(after - before), 6) >= SHIFT:
        yield f"shift by the site's own outcomes {after:+.2f}, before {before:+.2f} (log odds)"


def reasons(
    was: Crossing,
    now: Crossing,
    earlier: Forecast | None,
    later: Forecast | None,
    measured: Sequence[tuple[date, float]],
) -> list[str]:
    """Return each reason that holds; at least one.

    ``earlier`` and ``later`` are the forecasts behind both, ``None`` when no longer stored;
    ``measured`` has site date and value, in the stored unit, of the days between.
    """
    limit = [_limit_changed(was, now)] if was.limit_value != now.limit_value else []
    if earlier is None or later is None:
        return limit or ["the forecast of one of the days is no longer stored"]
    changes = [*limit, *_model_changes(earlier, later), *_mix_changes(earlier, later)]
    changes += _day_changes(was, now, earlier, later, measured)
    return changes or [_compared(was, earlier, later)]


def short_reason(
    was: Crossing, now: Crossing, earlier: Forecast | None, later: Forecast | None
) -> str:
    """Return the most important reason as a clause, for a line of an email."""
    if was.limit_value != now.limit_value:
        return _limit_changed(was, now)
    if earlier is None or later is None:
        return "the forecast of that day is no longer stored"
    changes = [*_model_changes(earlier, later)][:1] or [_curve_change(was, now, earlier, later)]
    return ", ".join([*changes, *_mix_changes(earlier, later)])


def _limit_changed(was: Crossing, now: Crossing) -> str:
    after, before = (quantity(crossing.limit_value, crossing.unit).full for crossing in (now, was))
    return f"the limit is {after}, not {before}"


def _curve_change(was: Crossing, now: Crossing, earlier: Forecast, later: Forecast) -> str:
    """Return which of level, growth and interval moved most around the day that was expected."""
    before = {point.site_date: point for point in earlier.points}
    pairs = [
        (before[point.site_date], point) for point in later.points if point.site_date in before
    ]
    if not pairs:
        return "the forecasts have no day in common"
    after = f"after {counted((now.cutoff_date - was.cutoff_date).days, 'new day')}"
    wanted = was.expected_date or now.expected_date or pairs[-1][0].site_date
    index = next((n for n, (old, _) in enumerate(pairs) if old.site_date >= wanted), len(pairs) - 1)
    around = pairs[max(0, index - WEEK_DAYS // 2) :][:WEEK_DAYS]
    moved = fmean(new.expected - old.expected for old, new in around)
    wider = fmean(
        _half_width(new, now.direction) - _half_width(old, now.direction) for old, new in around
    )
    level = fmean(new.expected - old.expected for old, new in pairs[:WEEK_DAYS])
    if abs(wider) > abs(moved):
        word = "wider" if wider > 0 else "narrower"
        return f"prediction interval {_difference(wider, now.unit)} {word} {after}"
    if 2 * level * moved >= moved**2 or len(pairs) < 2 * WEEK_DAYS:
        return f"level {_difference(level, now.unit)} {'higher' if level > 0 else 'lower'} {after}"
    grown = [growth_of([pair[side].expected for pair in pairs]) for side in (1, 0)]
    months = [quantities.growth(growth.a_month, now.unit).full for growth in grown if growth]
    return f"growth a month {months[0]} {after}, before {months[1]}"


def _difference(value: float, unit: str) -> str:
    """Return the size of a difference of two values; percentages differ by points."""
    return quantity(abs(value), "points" if unit == "%" else unit).full


def _half_width(point: ForecastPoint, direction: Direction) -> float:
    """Return the width of the prediction interval on the side of the limit."""
    if direction is Direction.upward:
        return point.upper - point.expected
    return point.expected - point.lower


def _model_changes(earlier: Forecast, later: Forecast) -> Iterator[str]:
    # the exact solver of Prophet gives Prophet's figures
    before, after = (
        SOLVED_MODELS.get(forecast.model, forecast.model) for forecast in (earlier, later)
    )
    if before != after:
        yield f"forecast by {later.model}, not {earlier.model}"
    if (earlier.horizon_days, earlier.interval_width) != (later.horizon_days, later.interval_width):
        yield "horizon or prediction interval was configured differently"


def _mix_changes(earlier: Forecast, later: Forecast) -> Iterator[str]:
    """Yield the candidate whose share changed most, from ``SHARE_RATIO`` on."""
    if earlier.mix is None or later.mix is None:
        return
    before = {candidate.name: candidate.share_ratio for candidate in earlier.mix.candidates}
    after = {candidate.name: candidate.share_ratio for candidate in later.mix.candidates}
    changed = {
        name: round(after.get(name, 0.0) - before.get(name, 0.0), 6) for name in after | before
    }
    most = max(changed, key=lambda name: abs(changed[name]))
    if abs(changed[most]) >= SHARE_RATIO:
        shares = (percent(round(day_shares.get(most, 0.0), 2)) for day_shares in (after, before))
        yield "weight of the {} {}, before {}".format(most, *shares)


def _day_changes(
    was: Crossing,
    now: Crossing,
    earlier: Forecast,
    later: Forecast,
    measured: Sequence[tuple[date, float]],
) -> Iterator[str]:
    """Yield days that are left out, and those outside the interval on the side of the move."""
    left_out = later.removed_count - earlier.removed_count
    if left_out:
        yield f"{abs(left_out)} {'more' if left_out > 0 else 'fewer'} days left out as outliers"
    points = {point.site_date: point for point in earlier.points}
    before, after = (crossing.expected_date or date.max for crossing in (was, now))
    is_upward = now.direction is Direction.upward
    sides = {True, False} if before == after else {(after < before) is is_upward}
    outside = [
        (day, value, point)
        for day, value in measured
        if (point := points.get(day))
        and not point.lower <= value <= point.upper
        and (value > point.upper) in sides
    ]
    if outside:
        day, value, point = outside[-1]
        yield (
            f"{len(outside)} of {len(measured)} new days outside the prediction interval: "
            f"{short_day(day)} measured {quantity(value, now.unit)}, "
            f"forecast {_interval(point, now.unit)}"
        )


def _compared(was: Crossing, earlier: Forecast, later: Forecast) -> str:
    """Return the values of both forecasts on the day that was expected."""
    curves = [
        {point.site_date: point for point in forecast.points} for forecast in (earlier, later)
    ]
    days = [day for day in (was.expected_date, was.earliest_date) if day is not None]
    both = next((day for day in days if all(day in curve for curve in curves)), None)
    if both is None:
        return "the new days changed growth or weekly pattern"
    before, after = (
        f"{quantity(curve[both].expected, was.unit)} ({_interval(curve[both], was.unit)})"
        for curve in curves
    )
    return f"with the new days {both} is expected at {after}, before at {before}"


def _interval(point: ForecastPoint, unit: str) -> str:
    factor = display_units.scale(unit).factor
    return f"{figure(point.lower * factor)} to {quantity(point.upper, unit)}"


_DATED = {CrossingState.will_cross, CrossingState.not_within_horizon}


class MovedSinceAlert:
    """Changes of expected dates since each problem was last notified, else since the day before."""

    def __init__(self, settings: Settings, engine: Store, day: date) -> None:
        self._engine = engine
        self._least_days = settings.alerts.worse_by_days
        self._before = previous_findings_date(engine, day)
        problems = read_problems(engine, self._before) if self._before else []
        self._notified_dates = {problem.key: problem.notified_date for problem in problems}

    def words(self, now: Crossing) -> str:
        """Return ``was 2026-12-28 as of 2026-10-08: `` and the reason.

        Empty for a smaller move than ``alerts.worse_by_days``, and with nothing to compare.
        """
        was = self._last_notified(now)
        if was is None or not self._is_far(was, now):
            return ""
        date_before = was.expected_date or f"not expected within {reach_words(was)}"
        later = self._forecast(now)
        reason = short_reason(was, now, self._forecast(was), later)
        shifted = shift_changes(partial(site_shift, self._engine), was, now, later)
        return f"was {date_before} as of {was.cutoff_date}: {', '.join([reason, *shifted])}"

    def _last_notified(self, now: Crossing) -> Crossing | None:
        """Return the crossing of the day compared with; ``None`` when there is none."""
        day = self._notified_dates.get(now.key) or self._before
        if day is None or now.state not in _DATED:
            return None
        key = (now.rule_id, now.subject)
        return crossings_with_keys(self._engine, day, [key]).get(key)

    def _is_far(self, was: Crossing, now: Crossing) -> bool:
        """Return true if the date moved by ``alerts.worse_by_days`` or more.

        Without an expected date the end of the horizon counts, and only a move away from it.
        """
        if was.state not in _DATED:
            return False
        days = [
            crossing.expected_date or crossing.cutoff_date + timedelta(days=reach_days(crossing))
            for crossing in (was, now)
        ]
        later = (days[1] - days[0]).days
        if was.expected_date is None:
            return -later >= self._least_days
        return (abs(later) if now.expected_date else later) >= self._least_days

    def _forecast(self, of: Crossing) -> Forecast | None:
        return find_forecast(self._engine, of.series_id, of.statistic, of.cutoff_date)
