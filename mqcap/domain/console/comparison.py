"""Events of the console compared with forecasts: what was foreseen, and what came."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from mqcap.domain.console.ledger import (
    APART_DAYS,
    LEAD_DAYS,
    NO_MECHANISM,
    TOLERANCE_DAYS,
    Evaluated,
    Ledger,
    LedgerEvent,
    LedgerForecast,
    Stated,
)
from mqcap.domain.console.message import MessageKind
from mqcap.domain.console.states import ConsoleState
from mqcap.domain.forecast import ForecastBasis

_KINDS: Final = frozenset({MessageKind.exhausted, MessageKind.near_exhaustion})
Measured = Callable[[Stated], date | None]
"""Returns the first day on which the figure of a forecast passed its limit while it was due."""


def events_of(states: Iterable[ConsoleState]) -> list[LedgerEvent]:
    """Return the events among states, by day and resource.

    States of one resource that begin at most ``APART_DAYS`` after the one before are one event,
    named after its gravest state.
    """
    by_resource: dict[str, list[ConsoleState]] = defaultdict(list)
    for state in sorted(states, key=lambda one: one.first_utc):
        if state.kind in _KINDS:
            by_resource[state.resource.path].append(state)
    events = []
    for own in by_resource.values():
        episode = [own[0]]
        for state in own[1:]:
            if (state.site_date - episode[-1].site_date).days > APART_DAYS:
                events.append(_event(episode))
                episode = []
            episode.append(state)
        events.append(_event(episode))
    return sorted(events, key=lambda event: (event.site_date, event.resource))


def not_measured(stated: Stated) -> date | None:  # noqa: ARG001 - the shape of ``Measured``
    """Return that no measured figure is known."""
    return None


def ledger_of(
    events: Sequence[LedgerEvent],
    before: Mapping[date, Evaluated],
    dated: Iterable[Stated],
    day: date,
    held_out: Collection[date] = (),
    measured: Measured = not_measured,
) -> Ledger:
    """Return the ledger of events and forecasts as it is known on a day.

    An event was forecast when the last evaluated day at least ``LEAD_DAYS`` before expected a
    limit of its resource to be passed by ``TOLERANCE_DAYS`` after it at the latest, or had it
    passed as an earlier day had expected. Mandatory rules decide where any of them states
    something, and of equals the limit that was passed already without a forecast.

    A forecast is due ``TOLERANCE_DAYS`` after its date; days of one rule that are at most
    ``APART_DAYS`` apart are one, whose first day counts. It came when an event of its resource, or
    a measured figure of its rule over the limit, follows until it is due.

    ``events`` are by day; ``before`` has the last day evaluated in time by the day of the event;
    ``dated`` are statements with an expected date; forecasts of ``held_out`` days were made later,
    from what was loaded.
    """
    tolerance = timedelta(days=TOLERANCE_DAYS)
    known = [event for event in events if event.site_date <= day]
    due = _episodes(
        stated
        for stated in dated
        if stated.expected_date is not None and stated.expected_date + tolerance < day
    )
    return Ledger(
        events=tuple(
            _with_forecast(event, before.get(event.site_date), held_out) for event in known
        ),
        forecasts=tuple(
            _with_outcome(
                LedgerForecast(
                    basis=_basis(first.cutoff_date, held_out),
                    resource=first.resource,
                    label=first.label,
                    rule_id=first.rule_id,
                    subject=first.subject,
                    stated_on=first.cutoff_date,
                    expected_date=first.expected_date,
                    measured_on=measured(first),
                ),
                known,
            )
            for first in due
            if first.expected_date is not None
        ),
    )


def _event(episode: Sequence[ConsoleState]) -> LedgerEvent:
    worst = min(episode, key=lambda one: (one.kind is not MessageKind.exhausted, one.first_utc))
    resource = worst.resource
    return LedgerEvent(
        resource=resource.path,
        label=resource.label,
        site_date=episode[0].site_date,
        state=worst.state,
        message_id=worst.message_id,
    )


def _basis(cutoff_date: date, held_out: Collection[date]) -> ForecastBasis:
    return ForecastBasis.hold_out if cutoff_date in held_out else ForecastBasis.live


def _with_forecast(
    event: LedgerEvent, before: Evaluated | None, held_out: Collection[date]
) -> LedgerEvent:
    if before is None:
        return event
    event = event.model_copy(update={"basis": _basis(before.cutoff_date, held_out)})
    latest = event.site_date + timedelta(days=TOLERANCE_DAYS)
    meant = [
        stated
        for stated in before.stated
        if stated.resource == event.resource
        and stated.rule_id not in NO_MECHANISM.get(event.message_id, ())
        and stated.cutoff_date <= event.site_date - timedelta(days=LEAD_DAYS)
        and (stated.expected_date is None or stated.expected_date <= latest)
    ]
    if not meant:
        return event
    chosen = min(meant, key=_weight)
    of = chosen.forecast or chosen
    return event.model_copy(
        update={
            "rule_id": of.rule_id,
            "stated_on": of.cutoff_date,
            "expected_date": of.expected_date,
        }
    )


def _weight(stated: Stated) -> tuple[bool, bool, date, str]:
    """Return the sort key of what counts: mandatory first, then passed without a forecast."""
    forecast = stated.forecast
    expected = forecast.expected_date if forecast is not None else None
    return (not stated.is_mandatory, forecast is not None, expected or date.min, stated.rule_id)


def _episodes(stated: Iterable[Stated]) -> list[Stated]:
    """Return the first statement of each forecast, by day, resource and rule."""
    by_rule: dict[tuple[str, str, str], list[Stated]] = defaultdict(list)
    for one in sorted(stated, key=lambda one: (one.cutoff_date, one.expected_date or date.max)):
        by_rule[one.resource, one.rule_id, one.subject].append(one)
    firsts = []
    for own in by_rule.values():
        previous = None
        for one in own:
            if previous is None or (one.cutoff_date - previous).days > APART_DAYS:
                firsts.append(one)
            previous = one.cutoff_date
    return sorted(firsts, key=lambda one: (one.cutoff_date, one.resource, one.rule_id, one.subject))


def _with_outcome(forecast: LedgerForecast, events: Sequence[LedgerEvent]) -> LedgerForecast:
    """Return the forecast with the first event of its resource that came while it was due."""
    came = next(
        (
            event
            for event in events
            if event.resource == forecast.resource
            and forecast.stated_on < event.site_date <= forecast.due_until
        ),
        None,
    )
    if came is None:
        return forecast
    return forecast.model_copy(
        update={"reported_on": came.site_date, "message_id": came.message_id}
    )
