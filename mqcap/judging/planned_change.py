"""Changes that last: the rule's own advice for the highest forecast figure.

A limit not passed yet needs no change today, but one before then; one passed needs more than the
figure of today, which growth overtakes within days.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from operator import attrgetter
from typing import Final

from forecasting.crossing import is_in_breach
from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.estate import Estate
from mqcap.domain.finding import Finding, InputValue
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.input_source import ForecastSource
from mqcap.domain.metric import Direction
from mqcap.domain.numbers import quantity
from mqcap.domain.subject import Subject
from mqcap.judging.hours import busiest_hours_of
from mqcap.judging.inputs import values_of
from mqcap.judging.observed import Observed
from mqcap.presentation.dates import short_day
from mqcap.settings import GradePolicy, Settings
from mqcap.store.database import Store
from mqcap.store.observations import read_window
from sizing.rulebook.entry import Rule, scaled_with
from sizing.rulebook.judge import GradingThresholds, judge
from sizing.rulebook.registry import all_rules, longest_look_back

_ALWAYS_OK: Final = GradePolicy(watch_below_headroom=0.0, watch_within_days=0, act_within_days=0)
"""No grading: only the changes of the second evaluation are used."""


def with_planned_change(
    rule: Rule, finding: Finding, crossing: Crossing, forecast: Forecast
) -> Finding:
    """Return the finding with the change that keeps the limit up to the end of the forecast.

    Where the rule emits no amount, its advice for the breach to come. Where the expected values
    stay within the limit and only single days are likely to pass it, the advice says that.

    The figure is the highest expected value up to the horizon; where only the bound of the
    prediction interval passes the limit, that bound. A share of a capacity is not cut at 100 %.
    Without a watched input or forecast, and when the limit is passed after the horizon at the
    earliest, the finding is returned as it is; so is a breach that the forecast does not exceed.
    """
    watched = rule.traits.watches
    if watched is None or not forecast.points:
        return finding
    first, last = crossing.earliest_date, forecast.points[-1].site_date
    value, point = _worst(forecast, crossing)
    of_watched = next((entry for entry in finding.inputs if entry.name == watched), None)
    is_passed = crossing.state is CrossingState.breached
    if is_passed:
        now = of_watched.value if of_watched else None
        if not (
            finding.changes
            and isinstance(now, float | int)
            and is_in_breach(value, now, direction=crossing.direction, strict=True)
        ):
            return finding
    elif first is None or first > last:
        return finding
    inputs = inputs_at(rule, finding.inputs, watched, value, point.site_date)
    planned = judge(rule, finding.subject, finding.site_date, inputs, _ALWAYS_OK)
    unit = of_watched.unit if is_passed and of_watched else crossing.unit
    side = "upper" if crossing.direction is Direction.upward else "lower"
    line = "expected" if _is_expected(forecast, crossing) else f"{side} bound"
    figure = (
        f"{quantity(value, unit)}, the forecast's highest ({line}) up to {last}, on "
        f"{point.site_date}."
    )
    if is_passed and planned.changes:
        why = f"The limit is passed; sized for {figure}"
    elif not is_passed and (planned.changes or planned.breach):
        done = "sized" if planned.changes else "evaluated"
        why = (
            f"To be done before {first}, the earliest day on which the limit is passed; {done} for "
            f"{figure}"
        )
    elif first is not None and not is_passed and finding.severity.is_urgent and not finding.changes:
        words = (
            "Nothing to change yet: the forecast stays clear of the limit, and only single days "
            f"are likely to pass it, from {short_day(first)} on."
        )
        return finding.model_copy(update={"advice": words})
    else:
        return finding
    of_forecast = (f"with the forecast of {point.site_date}:", *planned.arithmetic)
    return finding.model_copy(
        update={
            "advice": f"{why} {planned.advice}",
            "changes": planned.changes,
            "arithmetic": (*finding.arithmetic, *of_forecast),
        }
    )


def inputs_at(
    rule: Rule, values: Sequence[InputValue], watched: str, figure: float, day: date
) -> list[InputValue]:
    """Return the inputs of a rule with the watched one at a figure of a forecast day.

    By its ratio to the present value grow inputs that declare it (``ScalesWith``), and the busiest
    hours of the watched metric; a present value of 0 leaves them as they are.
    """
    scaling, origin = scaled_with(rule.inputs, watched), ForecastSource(site_date=day)
    now = next((entry.value for entry in values if entry.name == watched), None)
    ratio = figure / now if isinstance(now, float | int) and now > 0 else None

    def grown(entry: InputValue) -> InputValue:
        value = entry.value
        if entry.name == watched:
            value = figure
        elif ratio is not None and isinstance(value, BusiestHours):
            value = value.grown(ratio)
        elif ratio is not None and entry.name in scaling and isinstance(value, float | int):
            value *= ratio
        else:
            return entry
        return entry.model_copy(update={"value": value, "origin": origin})

    return [grown(entry) for entry in values]


def _is_expected(forecast: Forecast, crossing: Crossing) -> bool:
    if crossing.state is CrossingState.breached:
        return True
    expected = crossing.expected_date
    return expected is not None and expected <= forecast.points[-1].site_date


def _worst(forecast: Forecast, crossing: Crossing) -> tuple[float, ForecastPoint]:
    upward = crossing.direction is Direction.upward
    side = "upper" if upward else "lower"
    figure = attrgetter("expected" if _is_expected(forecast, crossing) else side)
    point = (max if upward else min)(forecast.points, key=figure)
    return figure(point), point


def limit_steps(settings: Settings, engine: Store, finding: Finding) -> list[tuple[date, float]]:
    """Return first day and value of later limits of a stored finding; empty where none moves it."""
    day = finding.site_date
    estate = settings.complete_estate()
    rule, subject = all_rules().get(finding.rule_id), Subject(finding.subject)
    manager = estate.queue_manager(subject.sysplex, subject.owner_name)
    if (
        rule is None
        or manager is None
        or all(change.first_day <= day for change in manager.planned)
    ):
        return []
    window_days = settings.rules.peak_days
    days_back = max(window_days, longest_look_back()) - 1
    measured = read_window(engine, day - timedelta(days=days_back), day)
    hours = busiest_hours_of(settings, day - timedelta(days=window_days - 1), day)
    observed = Observed(measured, day, window_days, hours)
    policy, estate = settings.grade_policy(finding.rule_id), estate.as_of(day)
    return planned_limits(rule, finding, observed, estate, policy, estate.changes_after(day))


def planned_limits(
    rule: Rule,
    finding: Finding,
    observed: Observed,
    estate: Estate,
    policy: GradingThresholds,
    changes: Sequence[date],
) -> list[tuple[date, float]]:
    """Return first day and value of each other limit by planned changes on the days ``changes``."""
    limits: list[tuple[date, float]] = []
    limit = finding.crossing_limit
    for day in changes:
        values = values_of(rule, finding.subject, observed, estate.as_of(day))
        later = judge(rule, finding.subject, observed.last, values, policy).crossing_limit
        if later is not None and later != limit:
            limits.append((day, later))
            limit = later
    return limits
