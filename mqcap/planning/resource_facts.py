"""The part of a day's facts that the rules of one resource use, so that states are cheap."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from mqcap.domain.estate import Estate
from mqcap.domain.metric import SubjectKind, split_series_id
from mqcap.domain.subject import Subject
from mqcap.judging.deferred import part_of
from mqcap.judging.evaluate import DayFacts, ForecastKey
from mqcap.judging.hours import MeasuredSeries
from sizing.rulebook.registry import watched
from sizing.rulebook.site_rules import watched_site_series

_SHARED: Final = {SubjectKind.coupling_facility, SubjectKind.structure}


class FactsByOwner:
    """Facts of a day, divided by queue manager, and by sysplex for what is shared.

    Only forecasts that a rule compares with its limit are kept.
    """

    def __init__(self, facts: DayFacts) -> None:
        self._facts = facts
        self._series: dict[str, list[MeasuredSeries]] = defaultdict(list)
        self._forecasts: dict[str, list[ForecastKey]] = defaultdict(list)
        self._divided: dict[str, DayFacts] = {}
        owners: dict[MeasuredSeries, str] = {}
        for series, kind in facts.observed.kinds.items():
            owners[series] = _owner(series[1], kind)
            self._series[owners[series]].append(series)
        for series, key in _dated(facts):
            if series in owners:
                self._forecasts[owners[series]].append(key)

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
            observed=facts.observed.part(self._series.get(owner, ())),
            forecasts=part_of(facts.forecasts, self._forecasts.get(owner, ())),
            estate=_estate_of(facts.estate, Subject(owner).sysplex),
        )


def facts_of_sysplex(facts: DayFacts, sysplex: str) -> DayFacts:
    """Return the part of a day's facts that is about one sysplex, with forecasts as above."""
    own = (key for series, key in _dated(facts) if Subject(series[1]).sysplex == sysplex)
    return facts._replace(
        observed=facts.observed.of_subjects(lambda subject: Subject(subject).sysplex == sysplex),
        forecasts=part_of(facts.forecasts, own),
        estate=_estate_of(facts.estate, sysplex),
    )


def _dated(facts: DayFacts) -> Iterator[tuple[MeasuredSeries, ForecastKey]]:
    """Yield series and key of each forecast that a rule compares with its limit."""
    dated = watched() | watched_site_series(facts.estate.site_figures)
    for key in facts.forecasts:
        series = split_series_id(key[0])
        if (series[0], key[1]) in dated:
            yield series, key


def _estate_of(estate: Estate, sysplex: str) -> Estate:
    plexes = tuple(plex for plex in estate.sysplexes if plex.sysplex == sysplex)
    return estate.model_copy(update={"sysplexes": plexes})


def _owner(subject: str, kind: SubjectKind) -> str:
    return Subject(subject).sysplex if kind in _SHARED else Subject(subject).owner
