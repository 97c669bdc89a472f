"""The ledger of events and forecasts, from what the store remembers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final

from mqcap.domain.console.ledger import (
    APART_DAYS,
    LEAD_DAYS,
    Evaluated,
    Ledger,
    Stated,
    events_of,
    ledger_of,
)
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.numbers import counted
from mqcap.store.console_states import read_states
from mqcap.store.crossings import crossings_before, cutoff_dates, dated_crossings
from mqcap.store.database import Store
from mqcap.store.step_runs import first_runs
from sizing.rulebook.registry import all_rules

EVALUATION: Final = "size"
"""Step whose runs say when a day was evaluated."""
LIVE_WITHIN_DAYS: Final = 3
"""A day evaluated so many days later is live still (ours): a weekend, a repair."""
_STALE: Final = timedelta(days=APART_DAYS + 1)
_STALE_HOLD_OUT: Final = timedelta(days=31)
"""Rolling origins are 30 days apart; an older one says nothing of an event (ours)."""
_LOOK_BACK_HOLD_OUT: Final = timedelta(days=60)
_LOOK_BACK: Final = timedelta(days=35)
"""How long before the time the last evaluated day of its first event may be (ours)."""
_LEAD: Final = timedelta(days=LEAD_DAYS - 1)
"""Crossings of days before the one so long before an event are early enough."""


def read_ledger(engine: Store, first: date, day: date) -> Ledger:
    """Return the events from ``first`` to ``day``, and the forecasts made in that time and due."""
    began = [state for state in read_states(engine, first, day) if state.site_date >= first]
    events = events_of(began)
    before = {
        event_date: evaluated
        for event_date in {event.site_date for event in events}
        if (evaluated := _evaluated_before(engine, event_date)) is not None
    }
    origins = cutoff_dates(engine, first - _LOOK_BACK_HOLD_OUT, day, ForecastBasis.hold_out)
    origins -= cutoff_dates(engine, first - _LOOK_BACK_HOLD_OUT, day)
    later = evaluated_later(engine, first - _LOOK_BACK, day)
    dated = [*_stated(dated_crossings(engine, first, day))]
    held_out = dated_crossings(engine, first, day, ForecastBasis.hold_out)
    dated += _stated(crossing for crossing in held_out if crossing.cutoff_date in origins)
    return ledger_of(events, before, dated, day, later | origins)


def evaluated_later(engine: Store, first: date, last: date) -> set[date]:
    """Return the days that were evaluated so much later that their forecasts are hold-out."""
    made = first_runs(engine, EVALUATION, first, last)
    return {day for day, at in made.items() if (at.date() - day).days > LIVE_WITHIN_DAYS}


def basis_label(basis: ForecastBasis) -> str:
    """Return what a line about forecasts begins with."""
    return {ForecastBasis.live: "Live: ", ForecastBasis.hold_out: "Hold-out: "}.get(basis, "")


def _evaluated_before(engine: Store, event_date: date) -> Evaluated | None:
    """Return the last day evaluated in time; else the last rolling origin; ``None`` without one."""
    latest = event_date - _LEAD
    for basis, stale in ((ForecastBasis.live, _STALE), (ForecastBasis.hold_out, _STALE_HOLD_OUT)):
        crossings = crossings_before(engine, latest, basis)
        if crossings and crossings[0].cutoff_date >= latest - stale:
            return Evaluated(crossings[0].cutoff_date, list(_stated(crossings)))
    return None


def ledger_lines(ledger: Ledger) -> list[str]:
    """Return the ledger in sentences: counts, then what was missed; empty without any entry."""
    if not ledger.events and not ledger.forecasts:
        return []
    lines = [
        line
        for basis in (ForecastBasis.live, ForecastBasis.hold_out)
        for line in _counts(basis_label(basis), ledger.of(basis))
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
        f"{name}{counted(len(ledger.events), 'event')} on the console: "
        f"{len(ledger.forecast_events)} forecast at least {LEAD_DAYS} days before, "
        f"{len(ledger.missed_events)} not."
    )
    due = (
        f"{name}{counted(len(ledger.forecasts), 'forecast')} due: "
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
