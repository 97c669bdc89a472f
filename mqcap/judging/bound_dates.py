"""Days for which rules are kept on the bound of the forecast, below Watch or within their limit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from forecasting.lines import lines_of
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import series_id
from mqcap.judging.bound import Bound, BoundPoint, bound_of
from mqcap.judging.evaluate import DayFacts, finding_of, with_limits_of_knowledge
from mqcap.judging.inputs import values_of
from sizing.rulebook.entry import Rule

RuleAndSubject = tuple[Rule, str]
FailsOn = Callable[[BoundPoint | None], bool]
"""Whether a rule fails on a day of the bound; on the measured figures without one."""


class Standard(StrEnum):
    """Requirement of a rule on the upper bound of the forecast."""

    ok = "ok"
    """Below Watch, headroom included."""
    limit = "limit"
    """Not in breach: for rules that no state keeps below Watch on the bound."""


class Kept(NamedTuple):
    """Period for which a state keeps a rule."""

    fails_from: date | None
    """First day on which the upper bound fails it; ``None``: as far as the forecast reaches."""
    is_forecast: bool


class StateDays(NamedTuple):
    """Days with the same configured values: planned changes of the estate begin new ones."""

    first: date
    last: date
    facts: DayFacts


def kept_on_bound(
    pair: RuleAndSubject, facts: DayFacts, standard: Standard, first: date, least: date
) -> Kept:
    """Return the first day from ``first`` on which the bound fails a rule's standard.

    Days are looked at as far as the forecast reaches, up to ``least`` where it reaches less far.
    """
    forecast = forecast_of(pair, facts)
    days = lines_of(forecast).days if forecast is not None else ()
    last = days[-1] if days else None
    for segment in segments(facts, first, max(last or least, least)):
        if forecast is None or last is None:
            if failing_on(pair, segment.facts, standard)(None):
                return Kept(segment.first, is_forecast=False)
            continue
        direction = pair[0].series_direction
        confidence = facts.settings.plan.confidence
        bound = bound_of(forecast, direction, confidence, segment.first, segment.last)
        index = _first_failing(bound, failing_on(pair, segment.facts, standard))
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
    """Return the finding of a day of the bound; of the measured figures without one.

    ``None`` where the rule does not apply.
    """
    finding = _judging_on(pair, facts)(bound)
    return with_limits_of_knowledge(finding, pair[0], facts) if finding is not None else None


def failing_on(pair: RuleAndSubject, facts: DayFacts, standard: Standard) -> FailsOn:
    """Return the function that tells of any day of the bound whether a rule fails a standard.

    The inputs of the rule are read once. Limits of knowledge never make a finding worse, so that
    only one that fails is held against them.
    """
    judged = _judging_on(pair, facts)

    def fails(bound: BoundPoint | None) -> bool:
        finding = judged(bound)
        if finding is None or not fails_standard(finding, standard):
            return False
        return fails_standard(with_limits_of_knowledge(finding, pair[0], facts), standard)

    return fails


def _judging_on(
    pair: RuleAndSubject, facts: DayFacts
) -> Callable[[BoundPoint | None], Finding | None]:
    """Return the function for the rule's own finding of any day; ``None``: it does not apply."""
    rule, subject = pair
    values = values_of(rule, subject, facts.observed, facts.estate)
    if not rule.applies_to({value.name: value.value for value in values}, subject):
        return lambda _: None
    return partial(finding_of, rule, subject, values, facts)


def _first_failing(bound: Bound, fails: FailsOn) -> int:
    """Return the place of the first day that fails a standard; the number of days without one."""
    worst = bound.worst_up_to()
    return bisect_left(
        range(len(worst)), True, key=lambda place: fails(bound.at(int(worst[place])))
    )


def fails_standard(finding: Finding | None, standard: Standard) -> bool:
    """Return whether a finding fails a standard; what is unknown fails none."""
    if finding is None or finding.severity is Severity.unknown:
        return False
    return bool(finding.breach) if standard is Standard.limit else _is_bad(finding)


def _is_bad(finding: Finding) -> bool:
    return finding.severity.rank >= Severity.watch.rank
