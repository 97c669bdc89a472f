"""Findings of what the console reported: what, when, where it is written, what was forecast."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import date, datetime
from operator import attrgetter
from statistics import median
from types import MappingProxyType
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from mqcap.domain.console.ledger import NO_MECHANISM
from mqcap.domain.console.states import (
    ARCHIVING_STOPPED,
    ConsoleState,
    log_outage,
    open_on,
    states_on,
    stops_and_full_logs,
)
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.input_source import EstateSource
from mqcap.domain.metric import Direction
from mqcap.domain.numbers import counted, duration, figure, percent
from mqcap.domain.resource import Resource, ResourceKind
from mqcap.judging.mandatory import MandatoryRules
from mqcap.judging.observed import Observed
from mqcap.presentation.dates import short_day
from mqcap.settings import Settings
from mqcap.store.crossings import crossings_before
from mqcap.store.database import Store
from sizing.rulebook.entry import Rule
from sizing.rulebook.registry import all_rules
from sizing.rules.plain import ADVICE_WHEN_OVER

NAMED_STATES: Final = 3
"""Kinds of states, and times of each, that a sentence names; the others are counted (ours)."""
EARLIER_DAYS_NAMED: Final = 3
"""Earlier days that a sentence names, the last ones; the others are counted (ours)."""
ARCHIVE_TIME: Final = "log_archive_min"
TOLERANCE_RATIO: Final = 0.25
"""A typed archive time that differs by more from the measured one is reported (ours)."""
_ARCHIVE_INPUT: Final = "archive_time_min"
_LAST_LOG: Final = "CSQJ110E"
"""Its percentage is that of the last data set: every other one is full."""


def with_console_states(
    finding: Finding,
    rule: Rule,
    states: Sequence[ConsoleState],
    forecasts: ForecastBefore,
    zone: str,
) -> Finding:
    """Return a finding of the console in words; ``states`` of the window, the sysplex's zone."""
    if not rule.traits.is_event:
        return finding
    own = states_on(states, rule.traits.resource, finding.subject)
    today = open_on(own, finding.site_date)
    if not today:
        last = own[-1]
        return finding.with_statement(
            f"nothing reported that day; last {last.state} on {last.site_date} ({last.message_id}, "
            f"{last.file_name} line {last.line_number})."
        )
    severity = max((state.severity for state in today), key=lambda one: one.rank)
    worst = finding.severity if finding.severity.rank < severity.rank else severity
    by_message: dict[str, list[ConsoleState]] = defaultdict(list)
    for state in today:
        by_message[state.message_id].append(state)
    parts = [_words(alike, finding.site_date, zone) for alike in by_message.values()]
    rest = len(parts) - NAMED_STATES
    if rest > 0:
        parts = [*parts[:NAMED_STATES], counted(rest, "other state")]
    incident = incident_words(today, states, finding.site_date, zone)
    linked = linked_words(today, states, finding.site_date, zone)
    sentences = [
        *((incident,) if incident else (f"{'; '.join(parts)}.", linked)),
        earlier_words(today, own, finding.site_date),
        forecasts.words(rule.resource_of(finding.subject), [state.message_id for state in today]),
    ]
    lines = (
        f"{one.message_id} line {one.line_number} of {one.file_name}: {one.text}" for one in today
    )
    changed = finding.with_statement(" ".join(filter(None, sentences)))
    ended = [one for one in today if one.ended_utc and one.last_date <= finding.site_date]
    has_ended, advice = len(ended) == len(today), finding.advice
    if has_ended and (over := ADVICE_WHEN_OVER.get(finding.rule_id)):
        last = max(ended, key=attrgetter("ended_utc"))
        clock = _end(last, finding.site_date, zone)
        advice = f"It is over: archiving works again since {clock} ({last.ended_by}). {over}"
    return changed.model_copy(
        update={
            "advice": advice,
            "has_ended": has_ended,
            "severity": worst,
            "title": today[0].state[:1].upper() + today[0].state[1:],
            "observed": None,
            "limit_value": None,
            "arithmetic": (*finding.arithmetic, *lines),
        }
    )


def with_archive_time(finding: Finding, observed: Observed) -> Finding:
    """Return a finding with a caveat where it used a typed archive time that the console denies."""
    typed = next((entry for entry in finding.inputs if entry.name == _ARCHIVE_INPUT), None)
    if typed is None or not isinstance(typed.origin, EstateSource):
        return finding
    days = observed.days(ARCHIVE_TIME, finding.subject)
    if not days or not isinstance(typed.value, float | int):
        return finding
    measured = median(day.peak for day in days)
    if abs(measured / typed.value - 1) <= TOLERANCE_RATIO:
        return finding
    return finding.with_caveats(
        f"{finding.subject}: archiving a log takes {figure(measured)} min by the console (CSQJ002I "
        "to CSQJ139I, median of the daily highest), archive_minutes of the estate is "
        f"{figure(typed.value)} (tolerated: {percent(TOLERANCE_RATIO)}, ours). Correct it, or "
        "leave it out: the measured time is used then."
    )


class ForecastBefore(NamedTuple):
    """What the last evaluated day before a day had forecast."""

    cutoff_date: date | None = None
    """``None``: no day was evaluated."""
    basis: ForecastBasis = ForecastBasis.none
    crossings: Mapping[str, Sequence[Crossing]] = MappingProxyType({})
    """By path of the resource."""
    mandatory: Container[str] = frozenset()
    """Ids of the rules that are mandatory for the site."""

    def words(self, resource: Resource, messages: Iterable[str] = ()) -> str:
        """Return what had been forecast for a resource, as a sentence.

        Rules that do not give the events of these messages are left out; mandatory ones come first.
        Of limits passed already the one of the shortest time to failure is named, of one series the
        last; of forecasts the earliest.
        """
        if self.cutoff_date is None:
            return "No day was evaluated before, so nothing was forecast."
        is_hold_out = self.basis is ForecastBasis.hold_out
        made = f"{'By the data up to' if is_hold_out else 'On'} {short_day(self.cutoff_date)}"
        others = {rule for message in messages for rule in NO_MECHANISM.get(message, ())}
        stated = [
            one
            for one in self.crossings.get(resource.path, ())
            if one.rule_id not in others
            and (
                one.state is CrossingState.breached
                or (one.state is CrossingState.will_cross and _day_of(one) is not None)
            )
        ]
        mandatory = [one for one in stated if one.rule_id in self.mandatory]
        chosen = mandatory or stated
        if passed := [one for one in chosen if one.state is CrossingState.breached]:
            since, rule_id = min(
                (one.breached_since or one.cutoff_date, one.rule_id) for one in _last_limits(passed)
            )
            return f"Over a limit since {short_day(since)} already: {_title(rule_id)}."
        if not chosen:
            return f"{made} no limit of {resource.label} was forecast to be passed."
        crossed, rule_id = min((_day_of(one) or date.max, one.rule_id) for one in chosen)
        day = short_day(crossed)
        return f"{made} it was forecast to pass a limit on {day}: {_title(rule_id)}."


def _title(rule_id: str) -> str:
    title = all_rules()[rule_id].title
    return f"{title[0].lower()}{title[1:]}"


def forecast_before(settings: Settings, engine: Store, day: date) -> ForecastBefore:
    """Return the crossings of the last evaluated day before a day; else of a rolling origin."""
    for basis in (ForecastBasis.live, ForecastBasis.hold_out):
        if crossings := crossings_before(engine, day, basis):
            return ForecastBefore(
                crossings[0].cutoff_date, basis, by_resource(crossings), MandatoryRules(settings)
            )
    return ForecastBefore()


def by_resource(crossings: Sequence[Crossing]) -> dict[str, list[Crossing]]:
    """Return crossings by the path of their resource; those of unknown rules are left out."""
    found: dict[str, list[Crossing]] = {}
    for crossing in crossings:
        rule = all_rules().get(crossing.rule_id)
        if rule is not None:
            found.setdefault(rule.resource_of(crossing.subject).path, []).append(crossing)
    return found


def _last_limits(passed: Sequence[Crossing]) -> Iterable[Crossing]:
    """Return of each series the crossing whose limit it passes last; of equals the first."""

    def height(crossing: Crossing) -> float:
        is_upward = crossing.direction is Direction.upward
        return crossing.limit_value if is_upward else -crossing.limit_value

    by_series: dict[tuple[str, Direction], Crossing] = {}
    for crossing in sorted(passed, key=height, reverse=True):
        by_series.setdefault((crossing.series_id, crossing.direction), crossing)
    return by_series.values()


def _day_of(crossing: Crossing) -> date | None:
    return crossing.expected_date or crossing.earliest_date


def _words(alike: Sequence[ConsoleState], day: date, zone: str) -> str:
    ordered = sorted(alike, key=lambda state: state.first_utc)
    times = [_time(state, day, zone) for state in ordered[-NAMED_STATES:]]
    rest = sum(state.message_count for state in ordered[:-NAMED_STATES])
    more = f", and {counted(rest, 'more message')}" if rest else ""
    return f"{alike[0].state} {', '.join(times)}{more}"


def _time(state: ConsoleState, day: date, zone: str) -> str:
    inside = [state.message_id]
    if state.message_count > 1:
        inside.append(f"{state.message_count} messages")
    if state.message_id == _LAST_LOG and state.amount is not None:
        inside.append(f"{figure(state.amount)} % of it used")
    if ended := _end(state, day, zone):
        inside.append(f"until {ended} by {state.ended_by}")
    return f"at {_begin(state, day, zone)} ({'; '.join(inside)})"


def _begin(state: ConsoleState, day: date, zone: str) -> str:
    return clock_words(state.first_utc, state.site_date, day, zone)


def _end(state: ConsoleState, day: date, zone: str) -> str:
    if state.ended_utc is None or state.last_date > day:
        return ""
    return clock_words(state.ended_utc, state.last_date, day, zone)


def clock_words(moment: datetime, begins: date, day: date, zone: str) -> str:
    """Return the time on the clock of the console, with the day where it is another."""
    clock = f"{moment.astimezone(ZoneInfo(zone)):%H:%M}"
    return clock if begins == day else f"{clock} on {begins}"


def incident_words(
    today: Sequence[ConsoleState], every: Sequence[ConsoleState], day: date, zone: str
) -> str:
    """Return cause, effect and how long the logs lasted between them; empty for other events."""
    if today[0].resource_kind is not ResourceKind.active_log:
        return ""
    outage = log_outage(today[0].subject, every, day)
    if outage is None:
        return ""
    cause, effect = outage
    ended = _end(effect, day, zone)
    until = f" to {ended}" if ended else ""
    return (
        f"{ARCHIVING_STOPPED[cause.message_id]} at {_begin(cause, day, zone)} "
        f"({cause.message_id}); the logs lasted {duration(outage.lasted_s)}: {effect.state} from "
        f"{_begin(effect, day, zone)}{until} ({effect.message_id})."
    )


def linked_words(
    today: Sequence[ConsoleState], every: Sequence[ConsoleState], day: date, zone: str
) -> str:
    """Return what archiving and active logs of a queue manager have to do with each other."""
    pairs = stops_and_full_logs(today[0].subject, every, day)
    if not pairs:
        return ""
    if today[0].resource_kind is ResourceKind.active_log:
        cause = min((cause for cause, _ in pairs), key=lambda state: state.first_utc)
        words = f"{ARCHIVING_STOPPED[cause.message_id]} from {_begin(cause, day, zone)}"
        return f"Before it, {words} ({cause.message_id})."
    if today[0].resource_kind is ResourceKind.archive:
        effect = pairs[0][1]
        at = _begin(effect, day, zone)
        return f"After it: {effect.state} at {at} ({effect.message_id})."
    return ""


def earlier_words(today: Sequence[ConsoleState], own: Sequence[ConsoleState], day: date) -> str:
    """Return the earlier days on which the same messages began a state; empty without any."""
    messages = {state.message_id for state in today}
    begun = {state.site_date for state in own if state.message_id in messages}
    days = sorted(date_ for date_ in begun if date_ < day)
    if not days:
        return ""
    named = [short_day(date_) for date_ in days[-EARLIER_DAYS_NAMED:]]
    rest = len(days) - EARLIER_DAYS_NAMED
    if rest > 0:
        named.insert(0, counted(rest, "earlier day"))
    *most, last = named
    return f"Also on {', '.join(most)} and {last}." if most else f"Also on {last}."
