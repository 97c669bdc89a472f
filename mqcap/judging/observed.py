"""What was measured up to a day: daily values by series, busiest hours, versions and states."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, KeysView, Mapping, Sequence
from copy import copy
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final, NamedTuple

from mqcap.domain.console.states import ConsoleState
from mqcap.domain.estate import Estate
from mqcap.domain.finding import InputValue
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.subject import Subject
from mqcap.judging.deferred import DeferredMapping, part_of
from mqcap.judging.hours import MeasuredHours, MeasuredSeries
from mqcap.store.models import WindowDay
from mqcap.unit_costs.learnt import UnitCosts
from sizing.rulebook.entry import Rule


class MeasuredDays:
    """The days of one series, oldest first; shared, so that a window or an input is found once."""

    def __init__(self, days: Sequence[WindowDay]) -> None:
        self.inputs: Final[dict[Hashable, InputValue | None]] = {}
        """Inputs made of these days, by everything else that they depend on."""
        self._since: Final[dict[date, Sequence[WindowDay]]] = {date.min: days}
        self._highest: Final[dict[tuple[date, Statistic], float]] = {}

    @property
    def days(self) -> Sequence[WindowDay]:
        """All days."""
        return self.since(date.min)

    def since(self, first: date) -> Sequence[WindowDay]:
        """Return the days from the first one on."""
        if first not in self._since:
            self._since[first] = self._found(first)
        return self._since[first]

    def highest(self, first: date, statistic: Statistic) -> float:
        """Return the highest figure of the days from the first one on; 0 without any."""
        key = (first, statistic)
        if key not in self._highest:
            figures = (day.value(statistic) for day in self.since(first))
            self._highest[key] = max(figures, default=0.0)
        return self._highest[key]

    def changed(self, change: Callable[[WindowDay], WindowDay]) -> MeasuredDays:
        """Return the days under a change of each, made for a window when it is read."""
        return _ChangedDays(self, change)

    def _found(self, first: date) -> Sequence[WindowDay]:
        return [day for day in self.days if day.site_date >= first]


class _ChangedDays(MeasuredDays):
    def __init__(self, of: MeasuredDays, change: Callable[[WindowDay], WindowDay]) -> None:
        super().__init__(())
        self._since.clear()
        self._of: Final = of
        self._change: Final = change

    def _found(self, first: date) -> Sequence[WindowDay]:
        return [self._change(day) for day in self._of.since(first)]


class KnownInputs(NamedTuple):
    """Inputs of a rule for a subject, and the rule and the estate that they were found with."""

    rule: Rule
    estate: Estate
    values: tuple[InputValue, ...]


class Observed:
    """The measured days up to one day, by metric and subject, and the busiest hours of them."""

    def __init__(
        self,
        days: Iterable[WindowDay],
        last: date,
        window_days: int,
        hours: Mapping[MeasuredSeries, MeasuredHours] = MappingProxyType({}),
        versions: Mapping[str, str] = MappingProxyType({}),
        states: Sequence[ConsoleState] = (),
    ) -> None:
        self.hours: DeferredMapping[MeasuredSeries, MeasuredHours] = DeferredMapping(hours)
        self.last = last
        self.states = states
        self.versions = versions
        self.unit_costs: UnitCosts | None = None
        self.window_days = window_days
        self.inputs: dict[tuple[str, str], KnownInputs] = {}
        """Inputs of rules that were found in these days, by rule and subject; not of copies."""
        series: dict[MeasuredSeries, list[WindowDay]] = {}
        for day in days:
            series.setdefault((day.metric, day.subject), []).append(day)
        self.kinds: Mapping[MeasuredSeries, SubjectKind] = {
            key: own[0].subject_kind for key, own in series.items()
        }
        """Kind of the subject of each series with a measured day."""
        self._series: DeferredMapping[MeasuredSeries, MeasuredDays] = DeferredMapping(
            {key: MeasuredDays(own) for key, own in series.items()}
        )
        self._subjects = _by_kind(self.kinds)

    @property
    def series(self) -> KeysView[MeasuredSeries]:
        """Metric and subject of each series with a measured day."""
        return self._series.keys()

    def learning(self, unit_costs: UnitCosts) -> Observed:
        """Return them with the costs that are learnt from them; without, documents decide."""
        result = self._copy()
        result.unit_costs = unit_costs
        return result

    def _copy(self) -> Observed:
        result = copy(self)
        result.inputs = {}
        return result

    def part(self, series: Iterable[MeasuredSeries]) -> Observed:
        """Return the days and hours of some series; versions, states and costs are shared."""
        kept = dict.fromkeys(series)
        kinds = {key: self.kinds[key] for key in kept if key in self.kinds}
        result = self._copy()
        result.__dict__ |= {
            "hours": part_of(self.hours, (key for key in kept if key in self.hours)),
            "kinds": kinds,
            "_series": part_of(self._series, (key for key in kept if key in self._series)),
            "_subjects": _by_kind(kinds),
        }
        return result

    def of_subjects(self, is_kept: Callable[[str], bool]) -> Observed:
        """Return the days and hours of some subjects; versions, states and costs are shared."""
        return self.part(key for key in (*self._series, *self.hours) if is_kept(key[1]))

    def subjects(self, kind: SubjectKind) -> set[str]:
        """Return subjects of that kind with at least one observation."""
        return set(self._subjects.get(kind, ()))

    def days(
        self, metric: str, subject: str, window_days: int | None = None
    ) -> Sequence[WindowDay]:
        """Return the measured days of one series in the window, oldest first."""
        measured = self.measured(metric, subject)
        return measured.since(self._first(window_days or self.window_days)) if measured else []

    def highest(self, metric: str, subject: str, statistic: Statistic) -> float:
        """Return the highest daily figure of one series in the window; 0 without a day."""
        measured = self.measured(metric, subject)
        return measured.highest(self._first(self.window_days), statistic) if measured else 0.0

    def _first(self, window_days: int) -> date:
        return self.last - timedelta(days=window_days - 1)

    def measured(self, metric: str, subject: str) -> MeasuredDays | None:
        """Return all measured days of one series; ``None`` without any."""
        read = self._series.read.get((metric, subject))  # often absent: an exception is slow
        return read() if read else None

    def replaced(
        self,
        days: Mapping[MeasuredSeries, Callable[[], MeasuredDays]],
        hours: Mapping[MeasuredSeries, Callable[[], MeasuredHours]] = MappingProxyType({}),
    ) -> Observed:
        """Return them with other days and hours of some series, computed when they are read."""
        result = self._copy()
        result.__dict__ |= {
            "hours": DeferredMapping(self.hours, hours),
            "_series": DeferredMapping(self._series, days),
        }
        return result

    def without(self, lost: str) -> Observed:
        """Return them without a subject and its parts; the rest is shared."""
        result = self.of_subjects(lambda own: not Subject(own).is_within(lost))
        result.versions = {name: version for name, version in self.versions.items() if name != lost}
        return result

    def whole_series(self, metric: str, subject: str) -> Sequence[WindowDay]:
        """Return all measured days of one series, before the window too, oldest first."""
        measured = self.measured(metric, subject)
        return measured.days if measured else []

    def every_day(self) -> list[WindowDay]:
        """Return all measured days of all series, by series."""
        return [day for measured in self._series.values() for day in measured.days]


def _by_kind(kinds: Mapping[MeasuredSeries, SubjectKind]) -> dict[SubjectKind, set[str]]:
    subjects: dict[SubjectKind, set[str]] = defaultdict(set)
    for (_, subject), kind in kinds.items():
        subjects[kind].add(subject)
    return subjects
