"""The ledger in sentences: counts, what was due, what was not foreseen."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from mqcap.domain.console.ledger import LEAD_DAYS, Ledger, LedgerEvent, LedgerForecast
from mqcap.domain.console.message import where_written
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.numbers import counted

LISTED_MAX: Final = 20
"""Due forecasts with a sentence of their own: the last ones; the others are counted (ours)."""
_COMPARED: Final = (ForecastBasis.live, ForecastBasis.hold_out)


BASIS_WORDS: Final = {
    ForecastBasis.live: "live",
    ForecastBasis.hold_out: "hold-out",
    ForecastBasis.none: "",
}


def basis_label(basis: ForecastBasis) -> str:
    """Return what a line about forecasts begins with."""
    words = BASIS_WORDS[basis]
    return f"{words.capitalize()}: " if words else ""


def ledger_lines(ledger: Ledger) -> list[str]:
    """Return the ledger in sentences; empty without any entry.

    Counts come first, then each due forecast with its outcome, then the events that were over a
    limit already and those that were not foreseen.
    """
    lines = count_lines(ledger)
    lines += [_due_line(forecast) for forecast in ledger.forecasts[-LISTED_MAX:]]
    rest = len(ledger.forecasts) - LISTED_MAX
    if rest > 0:
        lines.append(f"Due before: {counted(rest, 'other forecast')}.")
    lines += [
        f"Over a limit already: {_event(event)}; {event.rule_id} on {event.stated_on}."
        for event in ledger.standing_events
    ]
    return lines + [f"Not foreseen: {_event(event)}." for event in ledger.missed_events]


def count_lines(ledger: Ledger) -> list[str]:
    """Return the counts alone, live and hold-out apart; empty without any entry."""
    lines = [line for basis in _COMPARED for line in _counts(basis_label(basis), ledger.of(basis))]
    if unscored := ledger.of(ForecastBasis.none).events:
        lines.append(
            f"{counted(len(unscored), 'event')} {_where(unscored)} without an evaluated day "
            f"{LEAD_DAYS} days before: not compared."
        )
    return lines


def outcome_text(forecast: LedgerForecast) -> str:
    """Return how a due forecast came: as a measured figure, as a message, or not."""
    ways = []
    if forecast.measured_on:
        ways.append(f"measured over its limit on {forecast.measured_on}")
    if forecast.reported_on:
        ways.append(f"{forecast.message_id} on {forecast.reported_on}")
    if forecast.came_on is None:
        return f"did not come by {forecast.due_until}"
    return f"{', '.join(ways)}; {_apart(forecast.expected_date, forecast.came_on)}"


def _apart(expected: date, came: date) -> str:
    """Return how far the day lies from the expected one: ``came 31 days earlier``."""
    days = (came - expected).days
    if not days:
        return "came on the expected day"
    return f"came {counted(abs(days), 'day')} {'later' if days > 0 else 'earlier'}"


def _counts(name: str, ledger: Ledger) -> list[str]:
    lines = []
    if ledger.events:
        lines.append(
            f"{name}{counted(len(ledger.events), 'event')} {_where(ledger.events)}: "
            f"{len(ledger.forecast_events)} forecast at least {LEAD_DAYS} days before, "
            f"{len(ledger.standing_events)} over a limit already when that was first reported, "
            f"{len(ledger.missed_events)} not foreseen."
        )
    if ledger.forecasts:
        lines.append(
            f"{name}{counted(len(ledger.forecasts), 'forecast')} due: "
            f"{len(ledger.forecasts) - len(ledger.unfulfilled)} came "
            f"({sum(one.measured_on is not None for one in ledger.forecasts)} by measured figures, "
            f"{sum(one.reported_on is not None for one in ledger.forecasts)} by a message), "
            f"{len(ledger.unfulfilled)} did not."
        )
    return lines


def _due_line(forecast: LedgerForecast) -> str:
    return (
        f"{basis_label(forecast.basis)}on {forecast.stated_on} {forecast.rule_id} of "
        f"{forecast.label} was expected to pass its limit on {forecast.expected_date}: "
        f"{outcome_text(forecast)}."
    )


def _where(events: Iterable[LedgerEvent]) -> str:
    """Return where the messages of events are, as an adverbial."""
    return " and ".join(sorted({where_written(event.message_id) for event in events}, reverse=True))


def _event(event: LedgerEvent) -> str:
    return f"{event.label}, {event.state} on {event.site_date} ({event.message_id})"
