"""Days for which the limits of rules are kept on the bound of the forecast."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from typing import NamedTuple

from forecasting.lines import lines_of
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import series_id
from mqcap.judging.bound import BoundPoint, bound_of
from mqcap.judging.evaluate import DayFacts, finding_of, with_limits_of_knowledge
from mqcap.judging.inputs import values_of
from sizing.rulebook.entry import Rule

RuleAndSubject = tuple[Rule, str]
FailsOn = Callable[[BoundPoint | None], bool]
"""Whether a rule is over its limit on a day of the bound; on the measured figures without one."""


class Kept(NamedTuple):
    """Period for which a state keeps a rule."""

    fails_from: date | None
    """First day on which the bound is over its limit; ``None``: as far as the forecast reaches."""
    is_forecast: bool


class StateDays(NamedTuple):
    """Days with the same configured values: planned changes of the estate begin new ones."""

    first: date
    last: date
    facts: DayFacts


def kept_on_bound(pair: RuleAndSubject, facts: DayFacts, first: date, least: date) -> Kept:
    """Return the first day with the bound over a limit, up to ``least`` or the last forecast."""
    forecast = forecast_of(pair, facts)
    days = lines_of(forecast).days if forecast is not None else ()
    last = days[-1] if days else None
    for segment in segments(facts, first, max(last or least, least)):
        if forecast is None or last is None:
            if failing_on(pair, segment.facts)(None):
                return Kept(segment.first, is_forecast=False)
            continue
        direction = pair[0].series_direction
        confidence = facts.settings.plan.confidence
        bound = bound_of(forecast, direction, confidence, segment.first, segment.last)
        worst, fails = bound.worst_up_to(), failing_on(pair, segment.facts)
        index = bisect_left(
            range(len(worst)), True, key=lambda place: fails(bound.at(int(worst[place])))
        )
        if index < len(bound.days):
            return Kept(bound.days[index], is_forecast=True)
    return Kept(None, is_forecast=last is not None)


def segments(facts: DayFacts, first: date, last: date) -> Iterator[StateDays]:
    """Yield the days from first to last, divided where planned changes of the estate begin."""
    days = [day for day in facts.estate.changes_after(first) if day <= last]
    begins = [first, *days]
    for begin, following in zip(begins, [*days, last + timedelta(days=1)], strict=True):
        estate = facts.estate.as_of(begin)
        yield StateDays(begin, following - timedelta(days=1), facts._replace(estate=estate))


def forecast_of(pair: RuleAndSubject, facts: DayFacts) -> Forecast | None:
    """Return the forecast of the figure that a rule watches; ``None`` without one."""
    series = pair[0].forecast_series
    if series is None:
        return None
    forecast = facts.forecasts.get((series_id(series.metric, pair[1]), series.statistic))
    return forecast if forecast is not None and forecast.refusal is None else None


def judged_on(pair: RuleAndSubject, facts: DayFacts, bound: BoundPoint | None) -> Finding | None:
    """Return the finding of a day of the bound, or as measured; ``None``: it does not apply."""
    finding = _judging_on(pair, facts)(bound)
    return with_limits_of_knowledge(finding, pair[0], facts) if finding is not None else None


def failing_on(pair: RuleAndSubject, facts: DayFacts) -> FailsOn:
    """Return what tells of any day of the bound whether a rule is over its limit; unknown is not.

    Limits of knowledge never make a finding worse: only one over its limit is held against them.
    """
    judged = _judging_on(pair, facts)

    def fails(bound: BoundPoint | None) -> bool:
        finding = judged(bound)
        if finding is None or not _is_over(finding):
            return False
        return _is_over(with_limits_of_knowledge(finding, pair[0], facts))

    return fails


def _judging_on(
    pair: RuleAndSubject, facts: DayFacts
) -> Callable[[BoundPoint | None], Finding | None]:
    rule, subject = pair
    values = values_of(rule, subject, facts.observed, facts.estate)
    if not rule.applies_to({value.name: value.value for value in values}, subject):
        return lambda _: None
    return partial(finding_of, rule, subject, values, facts)


def _is_over(finding: Finding) -> bool:
    return bool(finding.breach) and finding.severity is not Severity.unknown
