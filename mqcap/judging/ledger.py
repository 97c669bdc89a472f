"""The ledger of events and forecasts, from what the store remembers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final

from mqcap.domain.console.ledger import (
    APART_DAYS,
    LEAD_DAYS,
    Evaluated,
    ForecastBasis,
    Ledger,
    Stated,
    events_of,
    ledger_of,
)
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.numbers import counted
from mqcap.store.console_states import read_states
from mqcap.store.crossings import crossings_before, dated_crossings
from mqcap.store.database import Store
from mqcap.store.step_runs import first_runs
from sizing.rulebook.registry import all_rules

EVALUATION: Final = "size"
"""Step whose runs say when a day was evaluated."""
LIVE_WITHIN_DAYS: Final = 3
"""A day evaluated so many days later is live still (ours): a weekend, a repair."""
_STALE: Final = timedelta(days=APART_DAYS + 1)
_LOOK_BACK: Final = timedelta(days=35)
"""How long before the time the last evaluated day of its first event may be (ours)."""
_LEAD: Final = timedelta(days=LEAD_DAYS - 1)
"""Crossings of days before the one so long before an event are early enough."""


def read_ledger(engine: Store, first: date, day: date) -> Ledger:
    """Return the events from ``first`` to ``day``, and the forecasts made in that time and due."""
    began = [state for state in read_states(engine, first, day) if state.site_date >= first]
    events = events_of(began)
    before = {
        event_date: Evaluated(crossings[0].cutoff_date, list(_stated(crossings)))
        for event_date in {event.site_date for event in events}
        if (crossings := crossings_before(engine, event_date - _LEAD))
        and crossings[0].cutoff_date >= event_date - _LEAD - _STALE
    }
    made = first_runs(engine, EVALUATION, first - _LOOK_BACK, day)
    held_out = {day for day, at in made.items() if (at.date() - day).days > LIVE_WITHIN_DAYS}
    dated = _stated(dated_crossings(engine, first, day))
    return ledger_of(events, before, dated, day, held_out)


def ledger_lines(ledger: Ledger) -> list[str]:
    """Return the ledger in sentences: counts, then what was missed; empty without any entry."""
    if not ledger.events and not ledger.forecasts:
        return []
    lines = [
        line
        for name, basis in (("Live", ForecastBasis.live), ("Hold-out", ForecastBasis.hold_out))
        for line in _counts(name, ledger.of(basis))
    ]
    if unscored := ledger.of(ForecastBasis.none).events:
        lines.append(
            f"{counted(len(unscored), 'event')} on the console without an evaluated day "
            f"{LEAD_DAYS} days before: not compared."
        )
    return lines + [
        f"Not forecast: {event.label}, {event.state} on {event.site_date} ({event.message_id})."
        for event in ledger.missed_events
    ]


def _counts(name: str, ledger: Ledger) -> list[str]:
    if not ledger.events and not ledger.forecasts:
        return []
    happened = (
        f"{name}: {counted(len(ledger.events), 'event')} on the console: "
        f"{len(ledger.forecast_events)} forecast at least {LEAD_DAYS} days before, "
        f"{len(ledger.missed_events)} not."
    )
    due = (
        f"{name}: {counted(len(ledger.forecasts), 'forecast')} due: "
        f"{len(ledger.forecasts) - len(ledger.unfulfilled)} came, "
        f"{len(ledger.unfulfilled)} did not."
    )
    return [happened, due]


def _stated(crossings: Iterable[Crossing]) -> Iterator[Stated]:
    rules = all_rules()
    for crossing in crossings:
        rule = rules.get(crossing.rule_id)
        if rule is None:
            continue
        path = rule.resource_of(crossing.subject).path
        if crossing.state is CrossingState.breached:
            yield Stated(path, crossing.cutoff_date, None)
        elif crossing.expected_date is not None:
            yield Stated(path, crossing.cutoff_date, crossing.expected_date)
