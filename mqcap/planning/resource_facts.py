"""The part of a day's facts that the rules of one resource use, so that states are cheap."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from mqcap.domain.estate import Estate
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import (
    Statistic,
    SubjectKind,
    owner_subject_of,
    split_series_id,
    sysplex_of,
)
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.hours import MeasuredHours, MeasuredSeries
from mqcap.store.models import WindowDay
from sizing.rulebook.registry import watched
from sizing.rulebook.site_rules import watched_site_series

_SHARED: Final = {SubjectKind.coupling_facility, SubjectKind.structure}


class FactsByOwner:
    """Facts of a day, divided once by queue manager, and by sysplex for what is shared.

    Only forecasts that a rule compares with its limit are kept.
    """

    def __init__(self, facts: DayFacts) -> None:
        self._facts = facts
        self._days: dict[str, list[WindowDay]] = defaultdict(list)
        self._forecasts: dict[str, dict[tuple[str, Statistic], Forecast]] = defaultdict(dict)
        self._hours: dict[str, dict[MeasuredSeries, MeasuredHours]] = defaultdict(dict)
        self._divided: dict[str, DayFacts] = {}
        owners: dict[MeasuredSeries, str] = {}
        for day in facts.observed.every_day():
            owner = _owner(day.subject, day.subject_kind)
            owners[day.metric, day.subject] = owner
            self._days[owner].append(day)
        dated = watched() | watched_site_series(facts.estate.site_figures)
        for key, forecast in facts.forecasts.items():
            series = split_series_id(forecast.series_id)
            if series in owners and (series[0], forecast.statistic) in dated:
                self._forecasts[owners[series]][key] = forecast
        for series, hours in facts.observed.hours.items():
            if series in owners:
                self._hours[owners[series]][series] = hours

    def of(self, subject: str, kind: SubjectKind) -> DayFacts:
        """Return the facts of the queue manager of a subject, or of all facilities of its sysplex.

        The estate is that of the sysplex.
        """
        owner = _owner(subject, kind)
        if owner not in self._divided:
            self._divided[owner] = self._part(owner)
        return self._divided[owner]

    def _part(self, owner: str) -> DayFacts:
        facts = self._facts
        return facts._replace(
            observed=facts.observed.part(self._days.get(owner, ()), self._hours.get(owner, {})),
            forecasts=self._forecasts.get(owner, {}),
            estate=_estate_of(facts.estate, sysplex_of(owner)),
        )


def facts_of_sysplex(facts: DayFacts, sysplex: str) -> DayFacts:
    """Return the part of a day's facts that is about one sysplex, with forecasts as above."""
    observed = facts.observed
    dated = watched() | watched_site_series(facts.estate.site_figures)
    return facts._replace(
        observed=observed.part(
            (day for day in observed.every_day() if sysplex_of(day.subject) == sysplex),
            {key: each for key, each in observed.hours.items() if sysplex_of(key[1]) == sysplex},
        ),
        forecasts={
            key: forecast
            for key, forecast in facts.forecasts.items()
            for metric, subject in [split_series_id(key[0])]
            if sysplex_of(subject) == sysplex and (metric, key[1]) in dated
        },
        estate=_estate_of(facts.estate, sysplex),
    )


def _estate_of(estate: Estate, sysplex: str) -> Estate:
    plexes = tuple(plex for plex in estate.sysplexes if plex.sysplex == sysplex)
    return estate.model_copy(update={"sysplexes": plexes})


def _owner(subject: str, kind: SubjectKind) -> str:
    if kind in _SHARED:
        return sysplex_of(subject)
    return owner_subject_of(subject)
