"""Why an expected date moved: what the later forecast knew that the earlier one did not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from statistics import fmean
from typing import Final

from mqcap.domain.crossing import Crossing
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.growth import WEEK_DAYS, growth_of
from mqcap.domain.metric import Direction
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.sentence_numbers import quantity
from mqcap.store.crossings import find_crossing
from mqcap.store.database import Store
from mqcap.store.forecasts import find_forecast
from mqcap.store.observations import read_observations

DIGITS: Final = 4
"""Significant digits of figures in the reasons."""


def why_moved(engine: Store, before: date) -> Callable[[FleetLine], str]:
    """For a line of a later day: why its date is not that of ``before``, in words."""

    def why(line: FleetLine) -> str:
        now = line.crossing
        was = find_crossing(engine, now.rule_id, now.subject, before) if now else None
        if now is None or was is None:
            return "no earlier date is known"
        made = [
            find_forecast(engine, one.series_id, one.statistic, one.cutoff_date)
            for one in (was, now)
        ]
        measured = [
            (one.site_date, float(getattr(one, now.statistic)))
            for one in read_observations(
                engine, now.series_id, was.cutoff_date + timedelta(days=1), now.cutoff_date
            )
        ]
        return "; ".join(reasons(was, now, made[0], made[1], measured))

    return why


def reasons(
    was: Crossing,
    now: Crossing,
    earlier: Forecast | None,
    later: Forecast | None,
    measured: Sequence[tuple[date, float]],
) -> list[str]:
    """Each reason that holds; at least one. ``measured`` are the days between the forecasts."""
    found = []
    if was.limit_value != now.limit_value:
        found.append(f"the limit is {_figure(now.limit_value)}, not {_figure(was.limit_value)}")
    if earlier is None or later is None:
        return found or ["the forecast of one of the days is not kept"]
    return [*found, *_of_forecasts(earlier, later, measured)] or [_shifted(was, earlier, later)]


def short_reason(
    was: Crossing, now: Crossing, earlier: Forecast | None, later: Forecast | None
) -> str:
    """The one reason that says most, in a clause: for a line of the mail."""
    if was.limit_value != now.limit_value:
        limits = [quantity(one.limit_value, one.unit) for one in (now, was)]
        return f"the limit is {limits[0]}, not {limits[1]}"
    if earlier is None or later is None:
        return "the forecast of that day is not kept"
    return next(_made_otherwise(earlier, later), "") or _changed_line(was, now, earlier, later)


def _changed_line(was: Crossing, now: Crossing, earlier: Forecast, later: Forecast) -> str:
    """Whether level, growth or band of the forecast moved most, on the day that was expected."""
    before = {one.site_date: one for one in earlier.points}
    both = [(before[one.site_date], one) for one in later.points if one.site_date in before]
    if not both:
        return "the forecasts have no day in common"
    days = (now.cutoff_date - was.cutoff_date).days
    after = f"after {days} new {'day' if days == 1 else 'days'}"
    wanted = was.expected_date or now.expected_date or both[-1][0].site_date
    index = next((n for n, (one, _) in enumerate(both) if one.site_date >= wanted), len(both) - 1)
    around = both[max(0, index - WEEK_DAYS // 2) :][:WEEK_DAYS]
    moved = fmean(new.expected - old.expected for old, new in around)
    wider = fmean(_half(new, now.direction) - _half(old, now.direction) for old, new in around)
    level = fmean(new.expected - old.expected for old, new in both[:WEEK_DAYS])
    unit = "points" if now.unit == "%" else now.unit
    if abs(wider) > abs(moved):
        return f"band {quantity(abs(wider), unit)} {'wider' if wider > 0 else 'narrower'} {after}"
    if 2 * level * moved >= moved**2 or len(both) < 2 * WEEK_DAYS:
        return f"level {quantity(abs(level), unit)} {'higher' if level > 0 else 'lower'} {after}"
    grown = [growth_of([pair[side].expected for pair in both]) for side in (1, 0)]
    told = [f"{one.a_month:+.{DIGITS - 1}g} {unit}".strip() for one in grown if one]
    return f"growth a month {told[0]} {after}, before {told[1]}"


def _half(point: ForecastPoint, direction: Direction) -> float:
    """Width of the band on the side of the limit."""
    if direction is Direction.upward:
        return point.upper - point.expected
    return point.expected - point.lower


def _made_otherwise(earlier: Forecast, later: Forecast) -> Iterator[str]:
    if _family(earlier) != _family(later):
        yield f"forecast by {later.model}, not {earlier.model}"
    if (earlier.horizon_days, earlier.interval_width) != (later.horizon_days, later.interval_width):
        yield "horizon or band was set anew"


def _family(made: Forecast) -> str:
    """The exact solver of Prophet's objective gives Prophet's figures."""
    return made.model.removesuffix("_exact")


def _of_forecasts(
    earlier: Forecast, later: Forecast, measured: Sequence[tuple[date, float]]
) -> Iterator[str]:
    yield from _made_otherwise(earlier, later)
    left_out = later.removed_count - earlier.removed_count
    if left_out:
        yield f"{abs(left_out)} {'more' if left_out > 0 else 'fewer'} days left out as outliers"
    expected = {one.site_date: one for one in earlier.points}
    outside = [
        (day, value, point)
        for day, value in measured
        if (point := expected.get(day)) and not point.lower <= value <= point.upper
    ]
    if outside:
        day, value, point = outside[-1]
        band = f"{_figure(point.lower)} to {_figure(point.upper)}"
        last = f"{day} measured {_figure(value)}, forecast {band}"
        yield f"{len(outside)} of {len(measured)} new days outside the band: {last}"


def _shifted(was: Crossing, earlier: Forecast, later: Forecast) -> str:
    """What both forecasts say about the day that was expected."""
    lines = [{one.site_date: one for one in made.points} for made in (earlier, later)]
    days = [day for day in (was.expected_date, was.earliest_date) if day is not None]
    both = next((day for day in days if all(day in line for line in lines)), None)
    if both is None:
        return "the new days changed growth or weekly pattern"
    before, after = (line[both] for line in lines)
    band = [f"{_figure(one.lower)} to {_figure(one.upper)}" for one in (before, after)]
    return (
        f"with the new days {both} is expected at {_figure(after.expected)} ({band[1]}), "
        f"before at {_figure(before.expected)} ({band[0]})"
    )


def _figure(value: float) -> str:
    return f"{value:.{DIGITS}g}"
