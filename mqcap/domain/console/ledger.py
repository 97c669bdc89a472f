"""The ledger of what happened and what was forecast: each event, and each forecast that was due.

An event is exhaustion, or nearly, on the console. A limit that was passed already when it was first
reported is no forecast: such an event is counted apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from statistics import median
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

from pydantic import BaseModel

from mqcap.domain.console.states import ConsoleState, MessageKind
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.score import RuleReliability
from mqcap.domain.subject import Subject

LEAD_DAYS: Final = 14
"""So long before an event a forecast must have been made to count."""
TOLERANCE_DAYS: Final = 14
"""An event may be so much later than the expected date of its forecast (ours)."""
_TOLERANCE: Final = timedelta(days=TOLERANCE_DAYS)
APART_DAYS: Final = 7
"""States of a resource, or days of a forecast, that are at most so far apart are one (ours)."""


class Stated(NamedTuple):
    """What an evaluated day had to say of a resource."""

    resource: str
    cutoff_date: date
    expected_date: date | None
    """``None``: a limit was passed already."""
    label: str = ""
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


_OF_ONE_LOG: Final = frozenset({"LOG-FILL-30MIN", "LOG-COUNT-MIN"})
NO_MECHANISM: Final = MappingProxyType({"CSQJ110E": _OF_ONE_LOG, "CSQJ111A": _OF_ONE_LOG})
"""By message of an event the rules of its resource whose arithmetic does not give it: how fast one
log fills does not say when all of them are full."""


class LedgerEvent(BaseModel, frozen=True):
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


class LedgerForecast(BaseModel, frozen=True):
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
    measured_on: date | None = None
    """First day on which the measured figure of the rule passed the limit; ``None``: none did."""

    @property
    def came_on(self) -> date | None:
        """First day on which it came; ``None``: not up to ``TOLERANCE_DAYS`` after the date."""
        return min((day for day in (self.reported_on, self.measured_on) if day), default=None)


class Ledger(BaseModel, frozen=True):
    """Events and due forecasts of a time, by day."""

    events: tuple[LedgerEvent, ...] = ()
    forecasts: tuple[LedgerForecast, ...] = ()

    def of(self, basis: ForecastBasis) -> Ledger:
        """Return the events and forecasts of one basis."""
        return Ledger(
            events=tuple(event for event in self.events if event.basis is basis),
            forecasts=tuple(forecast for forecast in self.forecasts if forecast.basis is basis),
        )

    def where(self, foreseen: Foreseen) -> tuple[LedgerEvent, ...]:
        """Return the events of which this had been stated."""
        return tuple(event for event in self.events if event.foreseen is foreseen)

    @property
    def unfulfilled(self) -> tuple[LedgerForecast, ...]:
        """Forecasts that did not come."""
        return tuple(forecast for forecast in self.forecasts if forecast.came_on is None)


Measured = Callable[[Stated], date | None]
"""Returns the first day on which the figure of a forecast passed its limit while it was due."""
T = TypeVar("T")


def _runs(every: Iterable[T], day_of: Callable[[T], date]) -> list[list[T]]:
    """Return what is in order of its days as runs, ``APART_DAYS`` at most from one to the next."""
    runs: list[list[T]] = []
    for one in every:
        if runs and (day_of(one) - day_of(runs[-1][-1])).days <= APART_DAYS:
            runs[-1].append(one)
        else:
            runs.append([one])
    return runs


def events_of(states: Iterable[ConsoleState]) -> list[LedgerEvent]:
    """Return the events by day and resource: states of ``APART_DAYS``, named after the gravest."""
    by_resource: dict[str, list[ConsoleState]] = defaultdict(list)
    for state in sorted(states, key=lambda one: one.first_utc):
        if state.kind in {MessageKind.exhausted, MessageKind.near_exhaustion}:
            by_resource[state.resource.path].append(state)
    events = [
        _event(run)
        for own in by_resource.values()
        for run in _runs(own, lambda state: state.site_date)
    ]
    return sorted(events, key=lambda event: (event.site_date, event.resource))


def _event(run: Sequence[ConsoleState]) -> LedgerEvent:
    worst = min(run, key=lambda one: (one.kind is not MessageKind.exhausted, one.first_utc))
    return LedgerEvent(
        resource=worst.resource.path,
        label=worst.resource.label,
        site_date=run[0].site_date,
        state=worst.state,
        message_id=worst.message_id,
    )


def ledger_of(
    events: Sequence[LedgerEvent],
    before: Mapping[date, Evaluated],
    dated: Iterable[Stated],
    day: date,
    held_out: Collection[date] = (),
    measured: Measured = lambda _: None,
) -> Ledger:
    """Return the ledger of events and forecasts as it is known on a day.

    An event was forecast when the last evaluated day ``LEAD_DAYS`` before expected a limit of its
    resource to be passed by ``TOLERANCE_DAYS`` after it, or had it passed as an earlier day had
    expected; of several statements ``_weight`` decides. A forecast is due ``TOLERANCE_DAYS`` after
    its date; the first of days within ``APART_DAYS`` counts. It came when an event of its resource,
    or a measured figure of its rule over the limit, follows until then.

    ``events`` are by day, ``before`` has the last day evaluated in time by the day of an event;
    forecasts of ``held_out`` days were made later.
    """
    known = [event for event in events if event.site_date <= day]
    due = (one for one in dated if one.expected_date and one.expected_date + _TOLERANCE < day)

    def basis(cutoff_date: date) -> ForecastBasis:
        return ForecastBasis.hold_out if cutoff_date in held_out else ForecastBasis.live

    return Ledger(
        events=tuple(
            event.model_copy(update={"basis": basis(of.cutoff_date)} | _forecast_of(event, of))
            if (of := before.get(event.site_date))
            else event
            for event in known
        ),
        forecasts=tuple(
            LedgerForecast(
                basis=basis(first.cutoff_date),
                resource=first.resource,
                label=first.label,
                rule_id=first.rule_id,
                subject=first.subject,
                stated_on=first.cutoff_date,
                expected_date=expected,
                measured_on=measured(first),
                **_outcome(known, first.resource, first.cutoff_date, expected),
            )
            for first in _firsts(due)
            if (expected := first.expected_date)
        ),
    )


def _forecast_of(event: LedgerEvent, evaluated: Evaluated) -> dict[str, Any]:
    """Return what an evaluated day had stated of an event, as its fields; empty for nothing."""
    meant = [
        stated
        for stated in evaluated.stated
        if stated.resource == event.resource
        and stated.rule_id not in NO_MECHANISM.get(event.message_id, ())
        and stated.cutoff_date <= event.site_date - timedelta(days=LEAD_DAYS)
        and (stated.expected_date is None or stated.expected_date <= event.site_date + _TOLERANCE)
    ]
    if not meant:
        return {}
    chosen = min(meant, key=_weight)
    of = chosen.forecast or chosen
    return {
        "rule_id": of.rule_id,
        "stated_on": of.cutoff_date,
        "expected_date": of.expected_date,
    }


def _weight(stated: Stated) -> tuple[bool, bool, date, str]:
    """Return the sort key of what counts: mandatory first, then passed without a forecast."""
    forecast = stated.forecast
    expected = forecast.expected_date if forecast is not None else None
    return (not stated.is_mandatory, forecast is not None, expected or date.min, stated.rule_id)


def _firsts(stated: Iterable[Stated]) -> list[Stated]:
    """Return the first statement of each forecast, by day, resource and rule."""
    by_rule: dict[tuple[str, str, str], list[Stated]] = defaultdict(list)
    for one in sorted(stated, key=lambda one: (one.cutoff_date, one.expected_date or date.max)):
        by_rule[one.resource, one.rule_id, one.subject].append(one)
    firsts = (run[0] for own in by_rule.values() for run in _runs(own, lambda one: one.cutoff_date))
    return sorted(firsts, key=lambda one: (one.cutoff_date, one.resource, one.rule_id, one.subject))


def _outcome(
    events: Iterable[LedgerEvent], resource: str, stated_on: date, expected_date: date
) -> dict[str, Any]:
    """Return the first event of a resource while a forecast was due, as fields of that."""
    for event in events:
        if event.resource == resource and stated_on < event.site_date <= expected_date + _TOLERANCE:
            return {"reported_on": event.site_date, "message_id": event.message_id}
    return {}


class LimitRecord(BaseModel, frozen=True):
    """Dates that were due and probabilities whose days are over, of one rule and basis.

    ``error_days`` is the median distance of a date from the day on which it came, ``stated_ratio``
    the mean of the probabilities, ``came_ratio`` how many came true; ``None`` without any.
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
    due: dict[tuple[str, ForecastBasis], list[LedgerForecast]] = defaultdict(list)
    for forecast in ledger.forecasts:
        due[forecast.rule_id, forecast.basis].append(forecast)
    probabilities = {(one.rule_id, one.basis): one for one in stated}
    records = []
    for key in sorted(
        {*due, *probabilities}, key=lambda key: (key[0], key[1] is not ForecastBasis.live)
    ):
        errors = [
            abs((forecast.came_on - forecast.expected_date).days)
            for forecast in due[key]
            if forecast.came_on
        ]
        of = probabilities.get(key)
        records.append(
            LimitRecord(
                rule_id=key[0],
                basis=key[1],
                due_count=len(due[key]),
                came_count=len(errors),
                error_days=median(errors) if errors else None,
                probability_count=of.count if of else 0,
                stated_ratio=of.stated if of else None,
                came_ratio=of.came if of else None,
            )
        )
    return records
