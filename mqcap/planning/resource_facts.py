"""The part of a day's facts that the rules of one resource use, so that states are cheap."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from mqcap.domain.metric import SERIES_SEPARATOR, SubjectKind, split_series_id, sysplex_of
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.inputs import Observed
from mqcap.store.models import WindowDay

_SHARED: Final = {SubjectKind.coupling_facility, SubjectKind.structure}


class FactsByOwner:
    """Facts of a day, divided once by queue manager, and by sysplex for what is shared."""

    def __init__(self, facts: DayFacts) -> None:
        self._facts = facts
        self._days: dict[str, list[WindowDay]] = defaultdict(list)
        for day in facts.observed.every_day():
            self._days[_owner(day.subject, day.subject_kind)].append(day)

    def of(self, subject: str, kind: SubjectKind) -> DayFacts:
        """Return the facts of the queue manager of a subject, or of all facilities of its sysplex.

        The estate is that of the sysplex.
        """
        facts = self._facts
        days = self._days.get(_owner(subject, kind), [])
        series = {(day.metric, day.subject) for day in days}
        sysplex = sysplex_of(subject)
        plexes = tuple(plex for plex in facts.estate.sysplexes if plex.sysplex == sysplex)
        return facts._replace(
            observed=Observed(days, facts.observed.last, facts.observed.window_days),
            forecasts={
                key: forecast
                for key, forecast in facts.forecasts.items()
                if split_series_id(forecast.series_id) in series
            },
            estate=facts.estate.model_copy(update={"sysplexes": plexes}),
        )


def _owner(subject: str, kind: SubjectKind) -> str:
    if kind in _SHARED:
        return sysplex_of(subject)
    return SERIES_SEPARATOR.join(subject.split(SERIES_SEPARATOR)[:2])
