"""The ledger of events and forecasts, from what the store remembers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final

from mqcap.domain.console.ledger import LEAD_DAYS, Ledger, Stated, events_of, ledger_of
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.numbers import counted
from mqcap.store.console_states import read_states
from mqcap.store.crossings import crossings_before, dated_crossings
from mqcap.store.database import Store
from sizing.rulebook.registry import all_rules

_LEAD: Final = timedelta(days=LEAD_DAYS - 1)
"""Crossings of days before the one so long before an event are early enough."""


def read_ledger(engine: Store, first: date, day: date) -> Ledger:
    """Return the events from ``first`` to ``day``, and the forecasts made in that time and due."""
    began = [state for state in read_states(engine, first, day) if state.site_date >= first]
    events = events_of(began)
    before = {
        event_date: list(_stated(crossings_before(engine, event_date - _LEAD)))
        for event_date in {event.site_date for event in events}
    }
    return ledger_of(events, before, _stated(dated_crossings(engine, first, day)), day)


def ledger_lines(ledger: Ledger) -> list[str]:
    """Return the ledger in sentences: counts, then what was missed; empty without any entry."""
    if not ledger.events and not ledger.forecasts:
        return []
    happened = (
        f"{counted(len(ledger.events), 'event')} on the console: "
        f"{len(ledger.forecast_events)} forecast at least {LEAD_DAYS} days before, "
        f"{len(ledger.missed_events)} not."
    )
    due = (
        f"{counted(len(ledger.forecasts), 'forecast')} due: "
        f"{len(ledger.forecasts) - len(ledger.unfulfilled)} came, "
        f"{len(ledger.unfulfilled)} did not."
    )
    return [happened, due] + [
        f"Not forecast: {event.label}, {event.state} on {event.site_date} ({event.message_id})."
        for event in ledger.missed_events
    ]


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
