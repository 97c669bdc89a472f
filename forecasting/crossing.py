"""Crossing of a limit by a forecast: earliest, expected and latest day, and probabilities.

The event is one *day* over the limit, because limits are set on daily peaks: a month-end peak that
alone passes the limit is a crossing. The first such day has a distribution, from paths within the
prediction interval and from how far the series went before (``forecasting.probability``); dates are
its quantiles and probabilities are read off the same curve, so that they never contradict each
other. The curve is flat between weekly peaks and month-ends, so that its middle goes from one peak
to another by the least difference: the expected date of the night before is kept as long as it is
as good. A measured value over the limit outranks every forecast.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.first_day import first_day_probability
from forecasting.lines import lines_of
from forecasting.probability import AS_SHIPPED, LimitsAhead, OutcomeFigures, curve
from mqcap.domain.crossing import PROBABILITY_DAYS, Crossing, CrossingState
from mqcap.domain.forecast import SAWTOOTH, Forecast
from mqcap.domain.metric import Direction, split_series_id

TOLERANCE: Final = 1e-9
"""Shares of paths are compared with a probability up to rounding."""

KEPT_RATIO: Final = 0.25
"""Distance from one half of the probability by a date up to which it is kept: with it 4 % of dates
move by more than 5 days from a night to the next (ours)."""
KEPT_DAYS: Final = 7
"""Age in days up to which a crossing has a date to keep (ours)."""

LimitSteps = Sequence[tuple[date, float]]
"""First day of each planned limit and its value, in any order."""


class _Dates(NamedTuple):
    earliest: date | None
    expected: date | None
    latest: date | None


def crossing_of(  # noqa: PLR0913 - independent facts, all keyword-only
    forecast: Forecast,
    recent: Sequence[tuple[date, float]],
    *,
    limit: float,
    direction: Direction,
    strict: bool,
    rule_id: str,
    unit: str,
    subject: str | None = None,
    planned: LimitSteps = (),
    before: Crossing | None = None,
    site: OutcomeFigures = AS_SHIPPED,
) -> Crossing:
    """Return when the forecast series passes ``limit`` (in ``unit``, that of the series).

    ``planned`` holds later values of the limit, each from its day on. ``recent`` holds the measured
    days that count as "now", in any order; ``breached_since`` is the first of the others over the
    limit. With ``strict`` only values above (or below) the limit breach it. ``subject`` is that of
    the rule; by default of the series. ``before`` is the crossing of the same rule and subject on
    an earlier day: where it has the same series and limit and is at most ``KEPT_DAYS`` old, its
    expected date is kept while the probability by then is within ``KEPT_RATIO`` of one half.
    ``site`` corrects the log odds by what became of the site's own probabilities.
    """
    asked = Crossing(
        rule_id=rule_id,
        subject=subject if subject is not None else split_series_id(forecast.series_id)[1],
        cutoff_date=forecast.cutoff_date,
        series_id=forecast.series_id,
        statistic=forecast.statistic,
        direction=direction,
        limit_value=limit,
        unit=unit,
        state=CrossingState.unknown,
    )
    if (passed := _passed_already(asked, recent, strict=strict)) is not None:
        return passed
    if forecast.refusal is not None and not forecast.points:
        return asked.model_copy(update={"reason": forecast.refusal})
    days = lines_of(forecast).days
    limits = np.full(len(days), limit, dtype=np.float64)
    for first, value in sorted(planned):
        limits[bisect_left(days, first) :] = value
    probability = passing_probability(forecast, limits, direction, strict=strict, site=site)
    return _answered(asked, forecast, probability, before)


def is_in_breach(value: float, limit: float, *, direction: Direction, strict: bool) -> bool:
    """Return true if ``value`` breaches ``limit``; a NaN breaches nothing."""
    if value == limit:
        return not strict
    return value > limit if direction is Direction.upward else value < limit


def passing_probability(
    forecast: Forecast,
    limits: FloatArray,
    direction: Direction,
    *,
    strict: bool,
    site: OutcomeFigures = AS_SHIPPED,
) -> FloatArray:
    """Return the probability that a day from the first one up to each day is over its limit.

    ``limits`` has one value per day of ``forecast.every_day``, in the unit of the series. That of a
    sawtooth, which is emptied at a level or after a time, and of a forecast without its past is
    what the paths say.
    """
    simulated = first_day_probability(forecast, limits, direction, strict=strict)
    if forecast.model == SAWTOOTH or forecast.past is None or not simulated.size:
        return simulated
    lines = lines_of(forecast)
    first = (lines.days[0] - forecast.cutoff_date).days
    width = forecast.interval_width
    return curve(
        simulated, LimitsAhead(lines, first, limits, direction, forecast.past, width), site
    )


def _passed_already(
    asked: Crossing, recent: Sequence[tuple[date, float]], *, strict: bool
) -> Crossing | None:
    """Return the crossing of a limit that a measured day has passed; ``None`` without one."""
    breach_days = [
        day
        for day, value in recent
        if day <= asked.cutoff_date
        and is_in_breach(value, asked.limit_value, direction=asked.direction, strict=strict)
    ]
    if not breach_days:
        return None
    certain = {f"probability_{days}_days": 1.0 for days in PROBABILITY_DAYS}
    changes = {"state": CrossingState.breached, "breached_since": min(breach_days), **certain}
    return asked.model_copy(update=changes)


_SAME: Final = ("limit_value", "direction", "series_id", "statistic")
"""Of an earlier crossing that counts."""


def _answered(
    asked: Crossing, forecast: Forecast, probability: FloatArray, before: Crossing | None
) -> Crossing:
    """Return dates, on which the curve reaches a bound or one half, and its probabilities."""
    edge = (1 - forecast.interval_width) / 2
    curves = [probability >= share - TOLERANCE for share in (edge, 0.5, 1 - edge)]
    days = lines_of(forecast).days
    dates = _Dates(*(days[int(reached.argmax())] if reached.any() else None for reached in curves))
    if (
        before is not None
        and 0 < (asked.cutoff_date - before.cutoff_date).days <= KEPT_DAYS
        and all(getattr(before, name) == getattr(asked, name) for name in _SAME)
    ):
        dates = _with_kept(dates, before.expected_date, forecast, probability)
    crosses = dates.earliest is not None
    return asked.model_copy(
        update={
            "state": CrossingState.will_cross if crosses else CrossingState.not_within_horizon,
            **{f"{name}_date": day for name, day in dates._asdict().items()},
            **_probabilities(forecast, probability),
        }
    )


def _with_kept(
    dates: _Dates, kept: date | None, forecast: Forecast, probability: FloatArray
) -> _Dates:
    """Return the dates with the earlier expected one where it is about as probable as not."""
    if kept is None or dates.earliest is None:
        return dates
    ahead = (kept - lines_of(forecast).days[0]).days
    if not dates.earliest <= kept <= (dates.latest or kept) or ahead >= len(probability):
        return dates
    by_then = float(probability[ahead])
    until_then = float(probability[ahead - 1]) if ahead else 0.0
    reach = KEPT_RATIO + TOLERANCE
    is_kept = by_then >= 0.5 - reach and until_then <= 0.5 + reach
    return dates._replace(expected=kept) if is_kept else dates


def _probabilities(forecast: Forecast, probability: FloatArray) -> dict[str, float | None]:
    """``probability_30_days`` and so on; ``None`` after the last forecast day."""
    every = lines_of(forecast).days
    ends = (every[-1] - forecast.cutoff_date).days if every else 0
    by_name: dict[str, float | None] = {}
    for days in PROBABILITY_DAYS:
        forecast_days = bisect_right(every, forecast.cutoff_date + timedelta(days=days))
        value = round(float(probability[forecast_days - 1]), 4) if forecast_days else 0.0
        is_known = days <= max(ends, forecast.horizon_days)
        by_name[f"probability_{days}_days"] = value if is_known else None
    return by_name
