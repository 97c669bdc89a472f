"""Reasons why an expected date moved: differences between an earlier and a later forecast."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from functools import cache, partial
from statistics import fmean
from typing import Final

from mqcap.domain.crossing import Crossing, CrossingState, reach_days, reach_words
from mqcap.domain.forecast import (
    SAWTOOTH,
    SOLVED_MODELS,
    WEEK_DAYS,
    Forecast,
    ForecastPoint,
    growth_of,
)
from mqcap.domain.metric import Direction
from mqcap.domain.numbers import counted, percent
from mqcap.presentation import quantities
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.quantities import quantity
from mqcap.settings import Settings
from mqcap.store.crossings import crossings_with_keys, find_site_correction
from mqcap.store.database import Store
from mqcap.store.findings import previous_findings_date
from mqcap.store.forecasts import find_forecast, forecasts_with_keys
from mqcap.store.problems import read_problems
from mqcap.store.upsert import batches

SHARE_RATIO: Final = 0.1
"""Change of a candidate's share from which it is a reason: one in eight nights of the sample has
one, of those with a move of more than 5 days three in ten (ours)."""
LINES_AT_A_TIME: Final = 500
"""Lines whose forecasts are in memory at the same time (ours)."""
SHIFT: Final = 0.05
"""Change of the site's shift, in log odds, from which it is a reason: 50 % becomes 51 % (ours)."""


def why_moved(engine: Store, before: date, lines: Iterable[FleetLine]) -> Iterator[str]:
    """Yield the reason why the date of each line moved, compared with an earlier day."""
    shift_of = cache(partial(_site_shift, engine))
    for batch in batches(lines, LINES_AT_A_TIME):
        crossings = [line.crossing for line in batch if line.crossing is not None]
        earlier = crossings_with_keys(engine, before, ((c.rule_id, c.subject) for c in crossings))
        both = [*crossings, *earlier.values()]
        keys = [(crossing.series_id, crossing.statistic) for crossing in both]
        forecasts = {
            day: forecasts_with_keys(engine, day, keys)
            for day in {crossing.cutoff_date for crossing in both}
        }
        for line in batch:
            now = line.crossing
            was = earlier.get((now.rule_id, now.subject)) if now else None
            if now is None or was is None:
                yield "there is no earlier date"
                continue
            earlier_made, made = (
                forecasts[of.cutoff_date].get((of.series_id, of.statistic)) for of in (was, now)
            )
            yield reason_moved(was, now, earlier_made, made, shift_of)


def _site_shift(engine: Store, cutoff_date: date) -> float:
    """Return what the site's own outcomes add to the log odds of the probabilities of a day."""
    correction = find_site_correction(engine, cutoff_date)
    return correction.shift if correction else 0.0


def reason_moved(
    was: Crossing,
    now: Crossing,
    earlier: Forecast | None,
    later: Forecast | None,
    shift_of: Callable[[date], float],
) -> str:
    """Return the most important reason in a clause, with other weights and another shift.

    ``earlier`` and ``later`` are the forecasts behind both, ``None`` when no longer stored;
    ``shift_of`` is what the site's own outcomes add to the log odds of a day.
    """
    if was.limit_value != now.limit_value:
        limits = (quantity(of.limit_value, of.unit).full for of in (now, was))
        changes = ["the limit is {}, not {}".format(*limits)]
    elif earlier is None or later is None:
        changes = ["the forecast of that day is no longer stored"]
    else:
        changes = [*_model_changes(earlier, later)][:1] or [_curve_change(was, now, earlier, later)]
        changes += _mix_changes(earlier, later)
    before, after = (shift_of(crossing.cutoff_date) for crossing in (was, now))
    is_corrected = later is not None and later.model != SAWTOOTH
    if is_corrected and round(abs(after - before), 6) >= SHIFT:
        changes.append(
            f"shift by the site's own outcomes {after:+.2f}, before {before:+.2f} (log odds)"
        )
    return ", ".join(changes)


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
        earlier, later = (
            find_forecast(self._engine, of.series_id, of.statistic, of.cutoff_date)
            for of in (was, now)
        )
        reason = reason_moved(was, now, earlier, later, partial(_site_shift, self._engine))
        return f"was {date_before} as of {was.cutoff_date}: {reason}"

    def _last_notified(self, now: Crossing) -> Crossing | None:
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
