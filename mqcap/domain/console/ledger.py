"""The ledger of what happened and what was forecast: each event, and each forecast that was due.

An event is exhaustion or near exhaustion that the console reported; a forecast is the date on
which a rule of a resource was expected to pass its limit. A limit that was passed already when it
was first reported is no forecast: such an event is counted apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from enum import StrEnum
from statistics import median
from types import MappingProxyType
from typing import Final, NamedTuple

from pydantic import BaseModel

from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.score import RuleReliability
from mqcap.domain.subject import Subject

LEAD_DAYS: Final = 14
"""So long before an event a forecast must have been made to count."""
TOLERANCE_DAYS: Final = 14
"""An event may be so much later than the expected date of its forecast (ours)."""
APART_DAYS: Final = 7
"""States of a resource, or days of a forecast, that are at most so far apart are one (ours)."""


class Stated(NamedTuple):
    """What an evaluated day had to say of a resource."""

    resource: str
    cutoff_date: date
    expected_date: date | None
    """``None``: a limit was passed already."""
    label: str = ""
    """Of the resource."""
    rule_id: str = ""
    subject: str = ""
    """Of the rule; the resource may have several."""
    is_mandatory: bool = True
    """Whether a breach of the rule is Act; what a recommended rule states counts only without."""
    first: Stated | None = None
    """Of a limit that is passed: the forecast that had expected it; ``None``: none had."""

    @property
    def forecast(self) -> Stated | None:
        """The forecast of the limit: itself, or that which came before it was passed."""
        return self if self.expected_date is not None else self.first


class Foreseen(StrEnum):
    """What had been stated of an event."""

    forecast = "forecast"
    """Its limit was expected to be passed, ``LEAD_DAYS`` before or more."""
    over_already = "over already"
    """Its limit was passed already when it was first reported."""
    missed = "not foreseen"
    not_compared = "not compared"
    """No day was evaluated in time."""


class Evaluated(NamedTuple):
    """An evaluated day."""

    cutoff_date: date
    stated: Sequence[Stated]


class LedgerPart(BaseModel, frozen=True):
    """Base: immutable."""


_OF_ONE_LOG: Final = frozenset({"LOG-FILL-30MIN", "LOG-COUNT-MIN"})
NO_MECHANISM: Final = MappingProxyType({"CSQJ110E": _OF_ONE_LOG, "CSQJ111A": _OF_ONE_LOG})
"""By message of an event the rules of its resource whose arithmetic does not give it: how fast one
log fills does not say when all of them are full."""


class LedgerEvent(LedgerPart):
    """An event, and whether it was forecast."""

    resource: Subject
    label: str
    site_date: date
    state: str
    message_id: str
    basis: ForecastBasis = ForecastBasis.none
    rule_id: str = ""
    """The rule whose limit was forecast, or passed already; empty for none."""
    stated_on: date | None = None
    """Evaluated day, ``LEAD_DAYS`` before or more, that stated it; ``None``: none did."""
    expected_date: date | None = None
    """What that day had forecast; ``None`` where a limit was passed already, or for none."""

    @property
    def foreseen(self) -> Foreseen:
        """What had been stated of it."""
        if self.basis is ForecastBasis.none:
            return Foreseen.not_compared
        if self.stated_on is None:
            return Foreseen.missed
        return Foreseen.over_already if self.expected_date is None else Foreseen.forecast


class LedgerForecast(LedgerPart):
    """A forecast that was due, and whether it came."""

    basis: ForecastBasis
    resource: Subject
    label: str = ""
    rule_id: str = ""
    subject: str = ""
    stated_on: date
    expected_date: date
    reported_on: date | None = None
    """Day of the event on the console; ``None``: there was none while it was due."""
    message_id: str = ""
    """Message of that event."""
    measured_on: date | None = None
    """First day on which the measured figure of the rule passed the limit; ``None``: none did."""

    @property
    def came_on(self) -> date | None:
        """First day on which it came; ``None``: not up to ``TOLERANCE_DAYS`` after the date."""
        return min((day for day in (self.reported_on, self.measured_on) if day), default=None)

    @property
    def due_until(self) -> date:
        """Last day on which it could come."""
        return self.expected_date + timedelta(days=TOLERANCE_DAYS)


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
        return self._events(Foreseen.forecast)

    @property
    def standing_events(self) -> tuple[LedgerEvent, ...]:
        """Events of resources that were over a limit already when that was first reported."""
        return self._events(Foreseen.over_already)

    @property
    def missed_events(self) -> tuple[LedgerEvent, ...]:
        """Events that were not foreseen, though a day so long before was evaluated."""
        return self._events(Foreseen.missed)

    @property
    def unfulfilled(self) -> tuple[LedgerForecast, ...]:
        """Forecasts that did not come."""
        return tuple(forecast for forecast in self.forecasts if forecast.came_on is None)

    def _events(self, foreseen: Foreseen) -> tuple[LedgerEvent, ...]:
        return tuple(event for event in self.events if event.foreseen is foreseen)


class LimitRecord(BaseModel, frozen=True):
    """Dates that were due and probabilities whose days are over, of one rule and basis.

    ``error_days`` is the median distance of the dates that came from the day on which they came,
    ``None`` where none has come; ``stated_ratio`` is the mean of the probabilities and
    ``came_ratio`` the share of them that came true, ``None`` without any.
    """

    rule_id: str
    basis: ForecastBasis
    due_count: int = 0
    came_count: int = 0
    error_days: float | None = None
    probability_count: int = 0
    stated_ratio: float | None = None
    came_ratio: float | None = None

    @property
    def is_quiet(self) -> bool:
        """True where no date was due, nothing was likely, and nothing came."""
        return not self.due_count and not self.came_ratio and (self.stated_ratio or 0.0) < 0.01


def limit_records(ledger: Ledger, stated: Iterable[RuleReliability]) -> list[LimitRecord]:
    """Return the records by rule, live before hold-out, from due dates and probabilities."""
    dates: dict[tuple[str, ForecastBasis], list[LedgerForecast]] = defaultdict(list)
    for forecast in ledger.forecasts:
        dates[forecast.rule_id, forecast.basis].append(forecast)
    probabilities = {(one.rule_id, one.basis): one for one in stated}
    keys = sorted(
        {*dates, *probabilities}, key=lambda key: (key[0], key[1] is not ForecastBasis.live)
    )
    return [_record(*key, dates[key], probabilities.get(key)) for key in keys]


def _record(
    rule_id: str,
    basis: ForecastBasis,
    due: list[LedgerForecast],
    stated: RuleReliability | None,
) -> LimitRecord:
    errors = [
        abs((forecast.came_on - forecast.expected_date).days)
        for forecast in due
        if forecast.came_on is not None
    ]
    return LimitRecord(
        rule_id=rule_id,
        basis=basis,
        due_count=len(due),
        came_count=len(errors),
        error_days=median(errors) if errors else None,
        probability_count=stated.count if stated else 0,
        stated_ratio=stated.stated if stated else None,
        came_ratio=stated.came if stated else None,
    )
