"""The ledger of what happened and what was forecast: each event, and each forecast that was due.

An event is exhaustion or near exhaustion that the console reported; a forecast is the date on
which a rule of the same resource was expected to pass its limit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict

from mqcap.domain.console.message import MessageKind
from mqcap.domain.console.states import ConsoleState
from mqcap.domain.forecast import ForecastBasis

LEAD_DAYS: Final = 14
"""So long before an event a forecast must have been made to count."""
TOLERANCE_DAYS: Final = 14
"""An event may be so much later than the expected date of its forecast (ours)."""
APART_DAYS: Final = 7
"""States of a resource, or days of a forecast, that are at most so far apart are one (ours)."""
_KINDS: Final = frozenset({MessageKind.exhausted, MessageKind.near_exhaustion})


class Stated(NamedTuple):
    """What an evaluated day had to say of a resource."""

    resource: str
    cutoff_date: date
    expected_date: date | None
    """``None``: a limit was passed already."""


class Evaluated(NamedTuple):
    """An evaluated day."""

    cutoff_date: date
    stated: Sequence[Stated]


class LedgerPart(BaseModel):
    """Base: immutable."""

    model_config = ConfigDict(frozen=True)


class LedgerEvent(LedgerPart):
    """An event, and whether it was forecast."""

    resource: str
    label: str
    site_date: date
    state: str
    message_id: str
    basis: ForecastBasis = ForecastBasis.none
    stated_on: date | None = None
    """Evaluated day, ``LEAD_DAYS`` before or more, whose forecast it was; ``None``: of none."""
    expected_date: date | None = None
    """What that day had forecast; ``None`` where a limit was passed already, or for none."""


class LedgerForecast(LedgerPart):
    """A forecast that was due, and whether it came."""

    basis: ForecastBasis
    resource: str
    stated_on: date
    expected_date: date
    came_on: date | None = None
    """Day of the event; ``None``: there was none up to ``TOLERANCE_DAYS`` after the date."""


class Ledger(LedgerPart):
    """Events and due forecasts of a time, by day."""

    events: tuple[LedgerEvent, ...] = ()
    forecasts: tuple[LedgerForecast, ...] = ()

    def of(self, basis: ForecastBasis) -> Ledger:
        """Return the events and forecasts of one basis."""
        return Ledger(
            events=tuple(event for event in self.events if event.basis is basis),
            forecasts=tuple(forecast for forecast in self.forecasts if forecast.basis is basis),
        )

    @property
    def forecast_events(self) -> tuple[LedgerEvent, ...]:
        """Events that were forecast in time."""
        return tuple(event for event in self.events if event.stated_on is not None)

    @property
    def missed_events(self) -> tuple[LedgerEvent, ...]:
        """Events that were not forecast in time, though a day so long before was evaluated."""
        missed = (event for event in self.events if event.basis is not ForecastBasis.none)
        return tuple(event for event in missed if event.stated_on is None)

    @property
    def unfulfilled(self) -> tuple[LedgerForecast, ...]:
        """Forecasts that did not come."""
        return tuple(forecast for forecast in self.forecasts if forecast.came_on is None)


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


def ledger_of(
    events: Sequence[LedgerEvent],
    before: Mapping[date, Evaluated],
    dated: Iterable[Stated],
    day: date,
    held_out: Collection[date] = (),
) -> Ledger:
    """Return the ledger of events and forecasts as it is known on a day.

    An event was forecast when the last evaluated day at least ``LEAD_DAYS`` before had a limit of
    its resource passed, or expected to be passed by ``TOLERANCE_DAYS`` after it at the latest. A
    forecast is due ``TOLERANCE_DAYS`` after its date; days of it that are at most ``APART_DAYS``
    apart are one, whose first day counts. It came when an event follows until it is due.

    Args:
        events: By day.
        before: The last day evaluated in time, by the day of the event; absent without one.
        dated: Statements with an expected date; those that are not due yet do not count.
        day: Last day that is known.
        held_out: Evaluated days whose forecasts were made later, from what was loaded.
    """
    tolerance = timedelta(days=TOLERANCE_DAYS)
    known = [event for event in events if event.site_date <= day]
    return Ledger(
        events=tuple(
            _with_forecast(event, before.get(event.site_date), held_out) for event in known
        ),
        forecasts=tuple(
            LedgerForecast(
                basis=_basis(first.cutoff_date, held_out),
                resource=first.resource,
                stated_on=first.cutoff_date,
                expected_date=first.expected_date,
                came_on=_came_on(first, known),
            )
            for first in _episodes(
                stated
                for stated in dated
                if stated.expected_date is not None and stated.expected_date + tolerance < day
            )
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
        and stated.cutoff_date <= event.site_date - timedelta(days=LEAD_DAYS)
        and (stated.expected_date is None or stated.expected_date <= latest)
    ]
    if not meant:
        return event
    first = min(meant, key=lambda stated: stated.expected_date or date.min)
    return event.model_copy(
        update={"stated_on": first.cutoff_date, "expected_date": first.expected_date}
    )


def _episodes(stated: Iterable[Stated]) -> list[Stated]:
    """Return the first statement of each forecast, by day and resource."""
    by_resource: dict[str, list[Stated]] = defaultdict(list)
    for one in sorted(stated, key=lambda one: (one.cutoff_date, one.expected_date or date.max)):
        by_resource[one.resource].append(one)
    firsts = []
    for own in by_resource.values():
        previous = None
        for one in own:
            if previous is None or (one.cutoff_date - previous).days > APART_DAYS:
                firsts.append(one)
            previous = one.cutoff_date
    return sorted(firsts, key=lambda one: (one.cutoff_date, one.resource))


def _came_on(first: Stated, events: Sequence[LedgerEvent]) -> date | None:
    latest = (first.expected_date or date.max) + timedelta(days=TOLERANCE_DAYS)
    return next(
        (
            event.site_date
            for event in events
            if event.resource == first.resource and first.cutoff_date < event.site_date <= latest
        ),
        None,
    )
