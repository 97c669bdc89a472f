"""What if: judge a scenario with the same rules, and answer with the difference."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from forecasting.crossing import crossing_of
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Citation, Finding, Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.judging.evaluate import DayFacts, Verdict, facts_of_day, judge_facts
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.whatif.effects import Computed, Effect
from mqcap.whatif.overlay import World, overlay
from mqcap.whatif.scenario import Scenario
from sizing.rulebook.assessment import ROUNDING
from sizing.rulebook.registry import all_rules

Key = tuple[str, str]
"""Rule and subject."""
_FIGURES: Final = 6
"""Fields of an outcome before its arithmetic."""


class Outcome(NamedTuple):
    """What one rule says of one subject in one world."""

    severity: Severity
    observed: float | None
    limit: float | None
    headroom_ratio: float | None
    state: CrossingState | None
    expected_date: date | None
    arithmetic: tuple[str, ...] = ()
    change: str = ""
    """The first change that the rule advises, ending in the figure that is typed."""


class Difference(NamedTuple):
    """One rule and subject whose answer changes; ``None`` where the rule does not apply."""

    rule_id: str
    subject: str
    unit: str
    citation: Citation
    before: Outcome | None
    after: tuple[Outcome | None, ...]
    """One for each corner of the scenario."""
    series_id: str | None = None
    """The series that the limit is laid over."""


class Answer(NamedTuple):
    """All that changes, and how much does not."""

    day: date
    scenario: Scenario
    differences: tuple[Difference, ...]
    unchanged_count: int
    effects: tuple[tuple[Effect, ...], ...]
    """What is done to the series, for each corner."""
    computed: tuple[tuple[Computed, ...], ...]
    """Figures that no series shows, for each corner."""
    forecasts: tuple[dict[tuple[str, Statistic], Forecast], ...] = ()
    """By series and statistic, for each corner."""


class Baseline:
    """One day as it is: what every scenario of it is held against."""

    def __init__(self, known: DayFacts) -> None:
        """Judge the day once."""
        self._known = known
        self._before = _by_key(judge_facts(known))

    def answer(self, scenario: Scenario) -> Answer:
        """The difference that a scenario makes, at each corner of its ranges.

        Raises:
            ConfigurationError: the scenario names what is not known, or sets what cannot be.
        """
        return _answer(self._known, self._before, scenario)


def baseline_on(settings: Settings, engine: Store, day: date) -> Baseline:
    """The day as it is."""
    return Baseline(facts_of_day(settings, engine, day))


def _answer(known: DayFacts, before: dict[Key, Verdict], scenario: Scenario) -> Answer:
    corners = list(scenario.corners())
    worlds = [overlay(known, corner) for corner in corners]
    judged = [
        _judged(known, before, world, corner) for world, corner in zip(worlds, corners, strict=True)
    ]
    keys = sorted(set(before).union(*judged))
    found = [_difference(key, before, judged) for key in keys]
    changed = tuple(one for one in found if any(_differs(one.before, after) for after in one.after))
    return Answer(
        known.observed.last,
        scenario,
        changed,
        len(found) - len(changed),
        tuple(world.effects for world in worlds),
        tuple(world.computed for world in worlds),
        tuple(world.known.forecasts for world in worlds),
    )


def _differs(before: Outcome | None, after: Outcome | None) -> bool:
    """Whether a figure, date or severity is another one; the words of the sum do not count.

    Nor does what only the last digits of a quotient have: numerator and denominator grew alike.
    """
    if before is None or after is None:
        return before is not after
    pairs = zip(before[:_FIGURES], after[:_FIGURES], strict=True)
    return not all(_is_same(old, new) for old, new in pairs)


def _is_same(old: object, new: object) -> bool:
    if isinstance(old, float) and isinstance(new, float):
        return math.isclose(old, new, rel_tol=ROUNDING, abs_tol=ROUNDING)
    return old == new


def _judged(
    known: DayFacts, before: dict[Key, Verdict], world: World, corner: Scenario
) -> dict[Key, Verdict]:
    verdicts = _by_key(judge_facts(world.known))
    if corner.start is None or corner.start <= known.observed.last:
        return verdicts
    return {
        key: _dated(verdict, before.get(key), world.known, corner.start)
        for key, verdict in verdicts.items()
    }


def _dated(verdict: Verdict, before: Verdict | None, shifted: DayFacts, start: date) -> Verdict:
    """The verdict with the dates of a change that is still to come.

    Up to the start the old limit and values hold; what passes the limit before it stays.
    """
    crossing, old = verdict.crossing, before.crossing if before else None
    if crossing is None or crossing == old:
        return verdict
    if old is not None and _passed_before(old, start):
        return verdict._replace(crossing=old)
    return verdict._replace(crossing=_from_start(crossing, shifted, start))


def _passed_before(crossing: Crossing, start: date) -> bool:
    expected = crossing.expected_date
    return expected is not None and expected < start


def _from_start(crossing: Crossing, shifted: DayFacts, start: date) -> Crossing:
    forecast: Forecast | None = shifted.forecasts.get((crossing.series_id, crossing.statistic))
    rule = all_rules()[crossing.rule_id]
    if forecast is None:
        return crossing
    points, after_horizon = (
        tuple(point for point in days if point.site_date >= start)
        for days in (forecast.points, forecast.after_horizon)
    )
    return crossing_of(
        forecast.model_copy(update={"points": points, "after_horizon": after_horizon}),
        [],
        limit=crossing.limit_value,
        direction=crossing.direction,
        strict=rule.strict,
        rule_id=crossing.rule_id,
        unit=crossing.unit,
        subject=crossing.subject,
    )


def _by_key(verdicts: Iterable[Verdict]) -> dict[Key, Verdict]:
    return {(one.finding.rule_id, one.finding.subject): one for one in verdicts}


def _difference(
    key: Key, before: dict[Key, Verdict], worlds: Sequence[dict[Key, Verdict]]
) -> Difference:
    verdicts = [before.get(key), *(world.get(key) for world in worlds)]
    findings = [one.finding for one in verdicts if one is not None]
    first, *rest = [_outcome(one) if one is not None else None for one in verdicts]
    return Difference(
        *key,
        unit=next((one.unit for one in findings if one.unit), ""),
        citation=findings[0].citation,
        before=first,
        after=tuple(rest),
        series_id=next((one.series_id for one in findings if one.series_id), None),
    )


def _outcome(verdict: Verdict) -> Outcome:
    finding: Finding = verdict.finding
    crossing = verdict.crossing
    return Outcome(
        severity=finding.severity,
        observed=finding.observed,
        limit=finding.limit_value,
        headroom_ratio=finding.headroom_ratio,
        state=crossing.state if crossing else None,
        expected_date=crossing.expected_date if crossing else None,
        arithmetic=finding.arithmetic or finding.missing,
        change=_typed(finding),
    )


def _typed(finding: Finding) -> str:
    for change in finding.changes:
        return f"{change.action} [{change.typed}]" if change.typed else change.action
    return ""
