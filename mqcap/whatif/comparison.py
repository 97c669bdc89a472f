"""Comparison of a day as it is with the same day under a scenario, by the same rules."""

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import Any, Final, NamedTuple

from forecasting.crossing import crossing_of
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Change, Citation, Finding, Severity
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.domain.subject import Subject
from mqcap.domain.urgency import is_over
from mqcap.judging.bound_dates import forecast_of, kept_on_bound
from mqcap.judging.evaluate import DayFacts, Verdict, facts_of_day, judge_facts
from mqcap.losses.carried.lose import Carrying, LossOverlay
from mqcap.presentation.fleet import crossing_text, side
from mqcap.settings import Settings
from mqcap.settings.analysis import PlanSettings
from mqcap.store.database import Store
from mqcap.whatif.effects import DerivedFigure
from mqcap.whatif.overlay import Overlay, overlay
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.typed_settings import refuse_below_use
from sizing.rulebook.assessment import ROUNDING
from sizing.rulebook.registry import all_rules

Key = tuple[str, str]
_FIGURES: Final = 6
"""Fields of an outcome that are compared: those before its arithmetic."""


class BoundDays(NamedTuple):
    """Days at the bound of the forecast that plans are held against."""

    limit_from: date | None
    """First day over the limit; ``None``: as far as the forecast reaches, on none."""
    first: date
    """First day that was looked at: what comes on it has come on it or before."""


class RuleOutcome(NamedTuple):
    """Result of one rule for one subject, with or without the scenario."""

    severity: Severity
    observed: float | None
    limit: float | None
    headroom_ratio: float | None
    state: CrossingState | None
    expected_date: date | None
    arithmetic: tuple[str, ...] = ()
    change: str = ""
    """The first change that the rule advises, ending in the operand to be typed."""
    earliest_date: date | None = None
    latest_date: date | None = None
    undated: str = ""
    """Words of a crossing without an expected date, such as ``over the limit``."""
    limit_in_series: float | None = None
    """The limit in the unit of the rule's series, where it is laid over one."""
    bound: BoundDays | None = None
    """Days at the bound of the forecast that plans are held against; ``None`` without a forecast,
    and for results of which nothing is shown."""


class RuleDifference(NamedTuple):
    """Rule and subject whose result differs; ``None`` where the rule does not apply."""

    rule_id: str
    subject: str
    unit: str
    citation: Citation
    before: RuleOutcome | None
    after: tuple[RuleOutcome | None, ...]
    """One for each corner of the scenario."""
    series_id: str | None = None
    statistic: Statistic | None = None


class WhatIfResult(NamedTuple):
    """Result of a scenario: every difference, and the number of results that stay the same."""

    day: date
    scenario: Scenario
    differences: tuple[RuleDifference, ...]
    unchanged_count: int
    still: tuple[RuleDifference, ...] = ()
    """Every result, changed or not, that is Watch or Act at some corner."""
    corners: tuple[Overlay, ...] = ()
    """The data of the day at each corner; results about what is lost are in no other field."""
    confidence: float = PlanSettings().confidence
    """Share of the forecast distribution below the bound of ``BoundDays``."""

    @property
    def losses(self) -> tuple[LossOverlay, ...]:
        """What is lost: the same at every corner."""
        return self.corners[0].losses if self.corners else ()


class Baseline:
    """Day as it is, with which every scenario of that day is compared."""

    def __init__(self, facts: DayFacts) -> None:
        """Take the facts; all rules are evaluated when a scenario is first compared."""
        self.facts: Final = facts

    @cached_property
    def _before(self) -> dict[Key, Verdict]:
        return _by_key(judge_facts(self.facts))

    def compare(self, scenario: Scenario) -> WhatIfResult:
        """Return the differences that a scenario makes, at each corner of its ranges.

        A ConfigurationError for an unknown subject, an invalid value, or less than what is in use.
        """
        facts, before, start = self.facts, self._before, scenario.start or date.min
        corners = list(scenario.corners())
        overlays = [overlay(facts, corner) for corner in corners]
        for corner in corners:
            refuse_below_use(facts, corner)
        after = [_evaluated(facts, before, applied, start) for applied in overlays]
        lost = [loss.lost for applied in overlays for loss in applied.losses]
        keys = sorted(
            (rule_id, subject)
            for rule_id, subject in set(before).union(*after)
            if not any(Subject(subject).is_within(other) for other in lost)
        )
        results = [_difference(key, before, after) for key in keys]
        first = max(start, facts.observed.last + timedelta(days=1))

        def those(
            of: Callable[[RuleDifference, RuleOutcome | None], bool],
        ) -> tuple[RuleDifference, ...]:
            return tuple(
                _with_bounds(result, facts, overlays, first)
                for result in results
                if any(of(result, outcome) for outcome in result.after)
            )

        changed = those(lambda result, outcome: _differs(result.before, outcome))
        still = those(lambda _, outcome: outcome is not None and outcome.severity.is_urgent)
        return WhatIfResult(
            facts.observed.last,
            scenario,
            changed,
            len(results) - len(changed),
            still,
            tuple(overlays),
            facts.settings.plan.confidence,
        )


def baseline_on(settings: Settings, engine: Store, day: date) -> Baseline:
    """Return the baseline of a day in the store."""
    return Baseline(facts_of_day(settings, engine, day))


def _with_bounds(
    result: RuleDifference, facts: DayFacts, corners: Sequence[Overlay], first: date
) -> RuleDifference:
    pair = (all_rules()[result.rule_id], result.subject)

    def dated(outcome: RuleOutcome | None, of: DayFacts) -> RuleOutcome | None:
        forecast = forecast_of(pair, of) if outcome else None
        if outcome is None or forecast is None:
            return outcome
        last = forecast.every_day[-1].site_date if forecast.every_day else first
        fails_from = kept_on_bound(pair, of, first, last).fails_from
        return outcome._replace(bound=BoundDays(fails_from, first))

    after = (dated(outcome, of.facts) for outcome, of in zip(result.after, corners, strict=True))
    return result._replace(before=dated(result.before, facts), after=tuple(after))


def _differs(before: RuleOutcome | None, after: RuleOutcome | None) -> bool:
    """Return True when a figure, date or severity differs, by more than rounding."""
    if before is None or after is None:
        return before is not after
    return not all(map(_is_same, before[:_FIGURES], after[:_FIGURES]))


def _is_same(old: object, new: object) -> bool:
    if isinstance(old, float) and isinstance(new, float):
        return math.isclose(old, new, rel_tol=ROUNDING, abs_tol=ROUNDING)
    return old == new


def _evaluated(
    facts: DayFacts, before: dict[Key, Verdict], applied: Overlay, start: date
) -> dict[Key, Verdict]:
    verdicts = _by_key(judge_facts(applied.facts))
    if start <= facts.observed.last:
        return verdicts
    return {
        key: _dated(verdict, before.get(key), applied.facts, start)
        for key, verdict in verdicts.items()
    }


def _dated(verdict: Verdict, before: Verdict | None, shifted: DayFacts, start: date) -> Verdict:
    """Return the verdict with the crossing of a scenario that starts in the future.

    Until the start the old limit and values hold; a crossing before it stays as it is.
    """
    crossing, old = verdict.crossing, before.crossing if before else None
    if crossing is None or crossing == old:
        return verdict
    if old is not None and old.expected_date is not None and old.expected_date < start:
        return verdict._replace(crossing=old)
    return verdict._replace(crossing=_from_start(crossing, shifted, start))


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
        site=shifted.site_figures,
    )


def _by_key(verdicts: Iterable[Verdict]) -> dict[Key, Verdict]:
    return {(verdict.finding.rule_id, verdict.finding.subject): verdict for verdict in verdicts}


def _difference(
    key: Key, before: dict[Key, Verdict], corners: Sequence[dict[Key, Verdict]]
) -> RuleDifference:
    verdicts = [before.get(key), *(corner.get(key) for corner in corners)]
    findings = [verdict.finding for verdict in verdicts if verdict is not None]
    first, *rest = [_outcome(verdict) if verdict is not None else None for verdict in verdicts]
    return RuleDifference(
        *key,
        unit=next((finding.unit for finding in findings if finding.unit), ""),
        citation=findings[0].citation,
        before=first,
        after=tuple(rest),
        series_id=next((finding.series_id for finding in findings if finding.series_id), None),
        statistic=next((finding.statistic for finding in findings if finding.statistic), None),
    )


def _outcome(verdict: Verdict) -> RuleOutcome:
    finding, crossing = verdict.finding, verdict.crossing
    return RuleOutcome(
        severity=finding.severity,
        observed=finding.observed,
        limit=finding.limit_value,
        headroom_ratio=finding.headroom_ratio,
        state=crossing.state if crossing else None,
        expected_date=crossing.expected_date if crossing else None,
        arithmetic=finding.arithmetic or finding.missing,
        change=next((_typed(change) for change in finding.changes), ""),
        earliest_date=crossing.earliest_date if crossing else None,
        latest_date=crossing.latest_date if crossing else None,
        undated=_undated(finding, crossing) if crossing else "",
        limit_in_series=crossing.limit_value if crossing else None,
    )


def _undated(finding: Finding, crossing: Crossing) -> str:
    """Return the words of a crossing; a scenario is in breach, not since a day."""
    if is_over(finding, crossing):
        return f"{side(crossing, finding)} the limit"
    return crossing_text(crossing, finding).headline


def _typed(change: Change) -> str:
    return f"{change.action} [{change.typed}]" if change.typed else change.action


Document = dict[str, Any]


def as_document(result: WhatIfResult, carried: Iterable[Carrying] = ()) -> Document:
    """Return the differences, what stays in breach, and figures that no series measures.

    ``None`` as severity: the rule does not apply. Of several corners the worst severity, the
    earliest of the earliest and expected and the latest of the latest dates (``None``: not within
    the horizon) are given; ``corners`` has the figures of each. ``lost`` names who takes the load,
    and the best survivor of the losses that are ``carried`` by any one.
    """
    best = {cell.lost: cell.survivor for cell in carried}
    return {
        "title": result.scenario.title,
        "day": result.day.isoformat(),
        "start": _iso(result.scenario.start),
        "lost": [_lost(loss, best.get(loss.lost)) for loss in result.losses],
        "unchanged_count": result.unchanged_count,
        "differences": [_entry(difference) for difference in result.differences],
        "still": [_entry(finding) for finding in result.still],
        "computed": [[_figure(number) for number in corner.computed] for corner in result.corners],
    }


def _lost(loss: LossOverlay, best: str | None) -> Document:
    rebuilding = loss.rebuilding
    return {
        "subject": loss.lost,
        "survivors": list(loss.survivors),
        "best_survivor": best,
        "nowhere_to_go": list(rebuilding.homeless) if rebuilding else [],
        "assumptions": list(loss.assumptions),
    }


def _entry(difference: RuleDifference) -> Document:
    after = [outcome for outcome in difference.after if outcome is not None]
    worst = max((outcome.severity for outcome in after), key=lambda one: one.rank, default=None)
    return {
        "rule": difference.rule_id,
        "subject": difference.subject,
        "unit": difference.unit,
        "before": difference.before.severity.value if difference.before else None,
        "after": worst.value if worst else None,
        "crossing_earliest": _first(outcome.earliest_date for outcome in after),
        "crossing_expected": _first(outcome.expected_date for outcome in after),
        "crossing_latest": _last(outcome.latest_date for outcome in after),
        "today": _figures(difference.before),
        "corners": [_figures(outcome) for outcome in difference.after],
    }


def _figures(outcome: RuleOutcome | None) -> Document | None:
    if outcome is None:
        return None
    return {
        "severity": outcome.severity.value,
        "observed": _finite(outcome.observed),
        "limit": _finite(outcome.limit),
        "headroom_ratio": _finite(outcome.headroom_ratio),
        "crossing_state": outcome.state.value if outcome.state else None,
        "crossing_earliest": _iso(outcome.earliest_date),
        "crossing_expected": _iso(outcome.expected_date),
        "crossing_latest": _iso(outcome.latest_date),
        "limit_from_at_bound": _iso(outcome.bound.limit_from) if outcome.bound else None,
        "advice": outcome.change,
    }


def _figure(derived: DerivedFigure) -> Document:
    return {
        "subject": derived.subject,
        "name": derived.name,
        "unit": derived.unit,
        "before": _finite(derived.before),
        "after": _finite(derived.after),
    }


def _finite(value: float | None) -> float | None:
    """Return the value, ``None`` for one that JSON cannot hold."""
    return value if value is not None and math.isfinite(value) else None


def _first(days: Iterable[date | None]) -> str | None:
    return _iso(min(filter(None, days), default=None))


def _last(days: Iterable[date | None]) -> str | None:
    """Return the last of the days; ``None`` when one of them is later than is known."""
    known = list(days)
    return None if None in known else _iso(max(filter(None, known), default=None))


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
