"""What if: judge a scenario with the same rules, and answer with the difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from rich import box
from rich.console import Group
from rich.table import Table

from domain.crossing import Crossing, CrossingState
from domain.finding import Finding, Severity
from forecasting.crossing import crossing_of
from pipeline.size import Known, Verdict, judge_known, known_on
from pipeline.whatif_overlay import overlay
from pipeline.whatif_scenario import Scenario
from settings import Settings
from sizing.registry import all_rules
from sizing.wording import figure
from store.database import Store

_AFTER: Final = "after the horizon"
_NOTES: Final = (
    "Severity and headroom: as though the scenario had been in force on the measured days.",
    "Dates: first day beyond the limit on the expected line, changed from the start on.",
    "First estimates (ours): added load counts at all hours, a CF spreads its busy time evenly",
    "over its engines, a channel takes 90 KB of 31-bit storage, a larger log is archived in",
    "proportionally more time.",
)
Key = tuple[str, str]
"""Rule and subject."""


class Outcome(NamedTuple):
    """What one rule says of one subject in one world."""

    severity: Severity
    observed: float | None
    limit: float | None
    headroom_ratio: float | None
    state: CrossingState | None
    expected_date: date | None


class Difference(NamedTuple):
    """One rule and subject whose answer changes; ``None`` where the rule does not apply."""

    rule_id: str
    subject: str
    unit: str
    before: Outcome | None
    after: tuple[Outcome | None, ...]
    """One for each corner of the scenario."""


class Answer(NamedTuple):
    """All that changes, and how much does not."""

    day: date
    scenario: Scenario
    differences: tuple[Difference, ...]
    unchanged_count: int


def whatif(settings: Settings, engine: Store, day: date, scenario: Scenario) -> Answer:
    """Judge the day as it is and with the scenario at each corner of its ranges.

    Raises:
        ConfigurationError: the scenario names what is not known, or sets what cannot be.
    """
    known = known_on(settings, engine, day)
    before = _by_key(judge_known(known))
    worlds = [_world(known, before, corner) for corner in scenario.corners()]
    keys = sorted(set(before).union(*worlds))
    found = [_difference(key, before, worlds) for key in keys]
    changed = tuple(one for one in found if any(one.before != after for after in one.after))
    return Answer(day, scenario, changed, len(found) - len(changed))


def table(answer: Answer) -> Group:
    """The answer for a terminal."""
    title = answer.scenario.title or "the scenario"
    since = answer.scenario.start or "now on"
    result = Table(
        title=f"What if: {title}, from {since}, seen on {answer.day}",
        caption=f"{answer.unchanged_count} further checks answer as before.",
        box=box.SIMPLE_HEAD,
        title_justify="left",
        caption_justify="left",
    )
    for heading in ("rule", "subject", "severity", "observed", "limit", "headroom %", "passes it"):
        result.add_column(heading, overflow="fold")
    for one in answer.differences:
        result.add_row(one.rule_id, one.subject, *_cells(one))
    return Group(result, *_NOTES) if answer.differences else Group(result)


def _world(known: Known, before: dict[Key, Verdict], corner: Scenario) -> dict[Key, Verdict]:
    shifted = overlay(known, corner)
    verdicts = _by_key(judge_known(shifted))
    if corner.start is None or corner.start <= known.observed.last:
        return verdicts
    return {
        key: _dated(verdict, before.get(key), shifted, corner.start)
        for key, verdict in verdicts.items()
    }


def _dated(verdict: Verdict, before: Verdict | None, shifted: Known, start: date) -> Verdict:
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


def _from_start(crossing: Crossing, shifted: Known, start: date) -> Crossing:
    forecast = shifted.forecasts.get((crossing.series_id, crossing.statistic))
    rule = all_rules()[crossing.rule_id]
    if forecast is None:
        return crossing
    points = tuple(point for point in forecast.points if point.site_date >= start)
    return crossing_of(
        forecast.model_copy(update={"points": points}),
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
    unit = next(one.finding.unit for one in verdicts if one is not None)
    first, *rest = [_outcome(one) if one is not None else None for one in verdicts]
    return Difference(*key, unit, first, tuple(rest))


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
    )


def _cells(one: Difference) -> Iterator[str]:
    if one.before is None or None in one.after:
        applies = "now applies" if one.before is None else "no longer applies"
        always = all(after is None for after in one.after) or one.before is None
        yield applies if always else f"{applies} at one end"
    else:
        yield _arrow(str(one.before.severity), _words(_present(one)))
    yield _figures(one, "observed")
    yield _figures(one, "limit")
    yield _figures(one, "headroom_ratio")
    dates = [_when(after) for after in _present(one)]
    yield _arrow(_when(one.before) if one.before else "-", _span(dates))


def _present(one: Difference) -> list[Outcome]:
    return [after for after in one.after if after is not None]


def _words(outcomes: Sequence[Outcome]) -> str:
    found = sorted({one.severity for one in outcomes}, key=lambda one: one.rank)
    return " to ".join(dict.fromkeys([str(found[0]), str(found[-1])]))


def _figures(one: Difference, name: str) -> str:
    before = getattr(one.before, name) if one.before else None
    after = [getattr(each, name) for each in _present(one)]
    numbers = [value for value in after if value is not None]
    shown = _shown(before, name)
    if not numbers:
        return _arrow(shown, "-")
    low, high = _shown(min(numbers), name), _shown(max(numbers), name)
    return _arrow(shown, low if low == high else f"{low} to {high}")


def _shown(value: float | None, name: str) -> str:
    if value is None:
        return "-"
    return f"{100 * value:.1f}" if name == "headroom_ratio" else figure(value)


def _when(outcome: Outcome) -> str:
    if outcome.expected_date is not None:
        return outcome.expected_date.isoformat()
    if outcome.state is CrossingState.breached:
        return "over now"
    within = {CrossingState.not_within_horizon, CrossingState.will_cross}
    return _AFTER if outcome.state in within else "-"


def _span(dates: Sequence[str]) -> str:
    """The first and the last of several answers; over now comes before any date."""
    order = sorted(
        set(dates), key=lambda text: (text == "-", text == _AFTER, text != "over now", text)
    )
    if not order:
        return "-"
    return order[0] if len(order) == 1 else f"{order[0]} to {order[-1]}"


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before} -> {after}"
