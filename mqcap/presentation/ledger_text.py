"""The ledger and the records of limits in sentences: what was due, came, was not foreseen."""

import math
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final

from mqcap.domain.console.ledger import (
    LEAD_DAYS,
    TOLERANCE_DAYS,
    Foreseen,
    Ledger,
    LedgerEvent,
    LedgerForecast,
    LimitRecord,
)
from mqcap.domain.console.states import where_written
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.numbers import counted, percent, probability
from mqcap.domain.score import SiteCorrection

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
    """Return counts, due forecasts with their outcome, and events over a limit or not foreseen."""
    lines = count_lines(ledger)
    lines += [
        f"{basis_label(forecast.basis)}on {forecast.stated_on} {forecast.rule_id} of "
        f"{forecast.label} was expected to pass its limit on {forecast.expected_date}: "
        f"{outcome_text(forecast)}."
        for forecast in ledger.forecasts[-LISTED_MAX:]
    ]
    rest = len(ledger.forecasts) - LISTED_MAX
    if rest > 0:
        lines.append(f"Due before: {counted(rest, 'other forecast')}.")
    lines += [
        f"Over a limit already: {_event(event)}; {event.rule_id} on {event.stated_on}."
        for event in ledger.where(Foreseen.over_already)
    ]
    return lines + [f"Not foreseen: {_event(event)}." for event in ledger.where(Foreseen.missed)]


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
        return f"did not come by {forecast.expected_date + timedelta(days=TOLERANCE_DAYS)}"
    days = (forecast.came_on - forecast.expected_date).days
    apart = f"{counted(abs(days), 'day')} {'later' if days > 0 else 'earlier'}"
    return f"{', '.join(ways)}; came {apart if days else 'on the expected day'}"


def _counts(name: str, ledger: Ledger) -> list[str]:
    lines = []
    if ledger.events:
        lines.append(
            f"{name}{counted(len(ledger.events), 'event')} {_where(ledger.events)}: "
            f"{len(ledger.where(Foreseen.forecast))} forecast at least {LEAD_DAYS} days before, "
            f"{len(ledger.where(Foreseen.over_already))} over a limit already when that was first "
            "reported, "
            f"{len(ledger.where(Foreseen.missed))} not foreseen."
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


def _where(events: Iterable[LedgerEvent]) -> str:
    """Return where the messages of events are, as an adverbial."""
    return " and ".join(sorted({where_written(event.message_id) for event in events}, reverse=True))


def _event(event: LedgerEvent) -> str:
    return f"{event.label}, {event.state} on {event.site_date} ({event.message_id})"


def record_lines(records: Sequence[LimitRecord]) -> list[str]:
    """Return a sentence for each limit of which something was due, likely or came.

    The others are counted in one more; empty without any record.
    """
    lines = [
        f"{basis_label(record.basis)}{record.rule_id}: {dates_text(record)}; "
        f"{probabilities_text(record)}."
        for record in records
        if not record.is_quiet
    ]
    quiet = {record.rule_id for record in records if record.is_quiet}
    quiet -= {record.rule_id for record in records if not record.is_quiet}
    if quiet:
        lines.append(
            f"{counted(len(quiet), 'other rule')}: no date was due, nothing was likelier than 1 % "
            "on average, nothing came."
        )
    return lines


def dates_text(record: LimitRecord) -> str:
    """Return how its dates have done."""
    if not record.due_count:
        return "no date was due"
    came = f"{counted(record.due_count, 'date')} due, {record.came_count} came"
    if record.error_days is None:
        return f"{came} within {TOLERANCE_DAYS} days after it"
    off = counted(round(record.error_days), "day")
    return f"{came}, {off} off" if record.came_count == 1 else f"{came}, half within {off}"


def probabilities_text(record: LimitRecord) -> str:
    """Return how its probabilities have done."""
    if not record.probability_count:
        return "no stated probability is over"
    came = percent(round(record.came_ratio or 0.0, 2))
    return (
        f"{counted(record.probability_count, 'probability', 'probabilities')} of "
        f"{probability(record.stated_ratio)} on average, {came} came true"
    )


def correction_line(correction: SiteCorrection, limits_min: int) -> str:
    """Return the shift and how many outcomes it rests on, or that there are too few."""
    limits = counted(correction.limit_count, "limit")
    if correction.limit_count < limits_min:
        return (
            f"Own outcomes: {limits} with a probability whose days are over; {limits_min} are "
            "needed to correct probabilities by them."
        )
    return (
        f"Own outcomes: {counted(correction.case_count, 'probability', 'probabilities')} of "
        f"{limits} whose days are over; {shift_text(correction)}."
    )


def shift_text(correction: SiteCorrection) -> str:
    """Return level and slope of probabilities with what becomes of 10, 50 and 90 %."""
    if not correction.is_any:
        return "probabilities stay as they are"
    became = (
        probability(1 / (1 + math.exp(-(correction.shift + correction.slope * odds))))
        for odds in (-math.log(9), 0.0, math.log(9))
    )
    return (
        f"log odds times {correction.slope:.2f} {correction.shift:+.2f}: "
        f"10, 50 and 90 % become {', '.join(became)}"
    )
