"""Room of the coupling facilities of a sysplex for queues that move to them (SYS-CF-CHECK)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final, NamedTuple

from mqcap.domain.metric import SERIES_SEPARATOR, series_id
from mqcap.domain.numbers import counted, figure
from mqcap.store.observations import read_observations
from mqcap.store.series import read_series
from mqcap.transports.channel_move import FacilityEffect, Transport
from mqcap.unit_costs.learning_data import LearningData
from sizing.cf_limits import busy_max_pct
from sizing.rulebook.registry import get

CF_CHECK: Final = "SYS-CF-CHECK"
BUSY: Final = "cf_busy_pct"
ENGINES: Final = "cf_engine_count"


class Facility(NamedTuple):
    """A coupling facility with measured load."""

    name: str
    busy_pct: float
    """Highest of the days that rules look at (``rules.peak_days``), with the moves counted."""
    engines: int
    counted_moves: int = 0
    """Channels whose move to it is counted in its load."""

    def with_move(self, effect: FacilityEffect) -> Facility:
        """Return it after a move; one to another facility changes nothing."""
        if effect.facility != self.name:
            return self
        return self._replace(busy_pct=effect.after_pct, counted_moves=self.counted_moves + 1)


def facilities(data: LearningData, sysplex: str) -> list[Facility]:
    """Return the facilities of a sysplex of which load and engines are known, by name."""
    subjects = sorted(
        series.subject
        for series in read_series(data.engine, BUSY)
        if series.subject.partition(SERIES_SEPARATOR)[0] == sysplex
    )
    found = (_facility(data, sysplex, subject.split(SERIES_SEPARATOR)[1]) for subject in subjects)
    return [each for each in found if each is not None]


def most_room(
    known: Iterable[Facility], transport: Transport, transactions_per_s: float
) -> FacilityEffect | None:
    """Return the facility that stays farthest below its limit after a move; ``None``: none known.

    Which structure, and so which facility, the queues would be in is a decision of the site.
    """
    effects = [_effect(each, transport, transactions_per_s) for each in known]
    return min(effects, key=lambda each: each.after_pct / each.limit_pct, default=None)


def _facility(data: LearningData, sysplex: str, name: str) -> Facility | None:
    first = data.day - timedelta(days=data.settings.rules.peak_days - 1)
    subject = SERIES_SEPARATOR.join((sysplex, name))
    busy, engines = (
        [
            float(day.peak)
            for day in read_observations(data.engine, series_id(metric, subject), first, data.day)
        ]
        for metric in (BUSY, ENGINES)
    )
    configured = data.estate.coupling_facility(sysplex, name)
    count = configured.engines if configured else None
    if count is None and engines:
        count = round(engines[-1])
    return Facility(name, max(busy), count) if busy and count else None


def _effect(facility: Facility, transport: Transport, transactions_per_s: float) -> FacilityEffect:
    checked = get(CF_CHECK).answer(
        {
            "busy_pct": facility.busy_pct,
            "engines": facility.engines,
            "transactions_per_s": transactions_per_s,
            "configuration": transport.value,
        }
    )
    return FacilityEffect(
        facility=facility.name,
        busy_pct=facility.busy_pct,
        counted_moves=facility.counted_moves,
        after_pct=checked["busy_pct"],
        limit_pct=busy_max_pct(facility.engines),
        breach=checked["breach"],
    )


def overload_text(effect: FacilityEffect) -> str:
    """Return why a facility cannot take the queues."""
    together = ""
    if effect.counted_moves:
        together = f" with {counted(effect.counted_moves, 'channel')} further up moved too"
    return (
        f"{effect.facility}, which has most room, would be {figure(effect.after_pct)} % busy in "
        f"the busiest interval{together}; the limit is {figure(effect.limit_pct)} % ({CF_CHECK})"
    )
