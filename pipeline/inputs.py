"""Fill the inputs of a rule from observations and estate, by the marks on its fields."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta

from domain.estate import CouplingFacility, Estate, QueueManager
from domain.finding import InputValue
from domain.metric import Direction, Statistic, SubjectKind, series_id
from sizing.entry import Rule, marks_of
from sizing.marks import FromEstate, FromMetric, Mark
from store.window import WindowDay

PER_FACILITY = {SubjectKind.coupling_facility, SubjectKind.structure}


class Observed:
    """The measured days up to one day, found by metric and subject."""

    def __init__(self, days: Iterable[WindowDay], last: date, window_days: int) -> None:
        self.last = last
        self.window_days = window_days
        self._series: dict[tuple[str, str], list[WindowDay]] = defaultdict(list)
        self._subjects: dict[SubjectKind, set[str]] = defaultdict(set)
        for day in days:
            self._series[day.metric, day.subject].append(day)
            self._subjects[day.subject_kind].add(day.subject)

    def subjects(self, kind: SubjectKind) -> set[str]:
        """Subjects of that kind with at least one observation."""
        return set(self._subjects.get(kind, ()))

    def days(self, metric: str, subject: str, window_days: int | None = None) -> list[WindowDay]:
        """The measured days of one series in the window, oldest first."""
        first = self.last - timedelta(days=(window_days or self.window_days) - 1)
        return [day for day in self._series.get((metric, subject), ()) if day.site_date >= first]

    def every_day(self) -> list[WindowDay]:
        """All measured days of all series, by series."""
        return [day for days in self._series.values() for day in days]

    def worst(self, mark: FromMetric, subject: str, direction: Direction) -> WindowDay | None:
        """The day with the highest (downward limits: lowest) value; the last such day."""
        days = self.days(mark.metric, subject, mark.days)
        sign = 1 if direction is Direction.upward else -1
        return max(
            days, key=lambda day: (sign * day.value(mark.statistic), day.site_date), default=None
        )


def values_of(rule: Rule, subject: str, observed: Observed, estate: Estate) -> list[InputValue]:
    """The inputs that were found, each with its source; what is missing is left out."""
    values = []
    for name, marks in marks_of(rule.inputs).items():
        value = _first_found(name, marks, subject, rule, observed, estate)
        if value is not None:
            values.append(value)
    return values


def _first_found(
    name: str,
    marks: tuple[Mark, ...],
    subject: str,
    rule: Rule,
    observed: Observed,
    estate: Estate,
) -> InputValue | None:
    for mark in marks:
        value: InputValue | None = None
        if isinstance(mark, FromMetric):
            value = _measured(name, mark, subject, rule.direction, observed)
        elif isinstance(mark, FromEstate):
            value = _configured(name, mark, subject, rule.traits.subject_kind, estate)
        if value is not None:
            return value
    return None


def _measured(
    name: str, mark: FromMetric, subject: str, direction: Direction, observed: Observed
) -> InputValue | None:
    day = observed.worst(mark, subject, direction)
    if day is None:
        return None
    word = {Statistic.peak: "peak", Statistic.p95: "95th percentile", Statistic.mean: "mean"}
    source = f"{series_id(mark.metric, subject)}, {word[mark.statistic]} of {day.site_date}"
    return InputValue(name=name, value=day.value(mark.statistic), unit=day.unit, source=source)


def _configured(
    name: str, mark: FromEstate, subject: str, kind: SubjectKind, estate: Estate
) -> InputValue | None:
    entry = _estate_entry(subject, kind, estate)
    value = getattr(entry, mark.key, None)
    if value is None:
        return None
    place = "/".join(subject.split("/")[:2])
    source = f"settings, estate {place}: {mark.key}"
    if isinstance(value, bool):
        value = "yes" if value else "no"
    return InputValue(name=name, value=value, source=source)


def _estate_entry(
    subject: str, kind: SubjectKind, estate: Estate
) -> QueueManager | CouplingFacility | None:
    sysplex, name, *_ = subject.split("/")
    if kind not in PER_FACILITY:
        return estate.queue_manager(sysplex, name)
    facilities = [cf for plex in estate.sysplexes if plex.sysplex == sysplex for cf in plex.cfs]
    return next((cf for cf in facilities if cf.name == name), None)
