"""Effects of one part of a scenario: changes of series, and figures that no series measures.

Every amount comes from a calculator of the rulebook or is marked as a first estimate of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from forecasting.arrays import FloatArray
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.subject import Subject
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.hours import MeasuredSeries
from mqcap.judging.observed import Observed
from mqcap.store.models import WindowDay
from sizing.rulebook.registry import get


class SlopeChange(NamedTuple):
    """Above ``at`` a value grows only with ``slope``."""

    at: float
    slope: float

    def of(self, value: float) -> float:
        """Return the value with its part above ``at`` reduced by the slope."""
        return value if value <= self.at else self.at + (value - self.at) * self.slope


@dataclass(frozen=True)
class SeriesChange:
    """Change of the values of one series: factor, addition, rescaling, then change of slope.

    ``rescale`` (a total before / after) also applies to additions, which are of the measured total.
    """

    factor: float = 1.0
    addition: float = 0.0
    slope: SlopeChange | None = None
    rescale: float = 1.0

    @property
    def changes_nothing(self) -> bool:
        """Whether each value stays what it is."""
        return self.factor == 1 and self.addition == 0 and self.slope is None and self.rescale == 1

    def of(self, value: float) -> float:
        """Return the value under the scenario, not below 0; a percentage may pass 100."""
        return value if self.changes_nothing else self.changed(value)

    def changed(self, value: float) -> float:
        """Return what ``of`` does, of a change that does not leave each value what it is."""
        changed = max(value * self.factor + self.addition, 0.0) * self.rescale
        return self.slope.of(changed) if self.slope else changed

    def of_each(self, values: FloatArray) -> FloatArray:
        """Return each of the values under the scenario, as ``of`` does."""
        changed = np.maximum(values * self.factor + self.addition, 0.0) * self.rescale
        if self.slope is None:
            return changed
        at = self.slope.at
        return np.where(changed <= at, changed, at + (changed - at) * self.slope.slope)

    def then(self, other: SeriesChange) -> SeriesChange:
        """Return this change followed by another one; rescaling and a change of slope come last."""
        return SeriesChange(
            self.factor * other.factor,
            self.addition * other.factor + other.addition,
            other.slope or self.slope,
            self.rescale * other.rescale,
        )


class SeriesEffect(NamedTuple):
    """Change of one series, with the arithmetic behind it."""

    metric: str
    subject: str
    change: SeriesChange
    lines: tuple[str, ...] = ()


def effect(metric: str, subject: str, *lines: str, **change: Any) -> SeriesEffect:
    """Return the effect of a change, by the fields of ``SeriesChange``, with its arithmetic."""
    return SeriesEffect(metric, subject, SeriesChange(**change), lines)


def effects_on(
    facts: DayFacts, metrics: Iterable[str], subject: str, *lines: str, **change: Any
) -> Iterator[SeriesEffect]:
    """Yield the effect on each of the metrics that is measured for a subject."""
    for metric in metrics:
        if facts.observed.days(metric, subject):
            yield effect(metric, subject, *lines, **change)


def replacing(
    metric: str, subject: str, before: float, after: float, remark: str = ""
) -> SeriesEffect:
    """Return the effect of a value that a scenario states instead of a measured one."""
    line = f"{figure(after)} instead of {figure(before)}, as stated in the scenario{remark}"
    return effect(metric, subject, line, factor=0.0, addition=after)


def combined(effects: Iterable[SeriesEffect]) -> dict[MeasuredSeries, SeriesChange]:
    """Return one change for each series, by metric and subject."""
    changes: dict[MeasuredSeries, SeriesChange] = {}
    for effect in effects:
        key = (effect.metric, effect.subject)
        changes[key] = changes.get(key, SeriesChange()).then(effect.change)
    return changes


class DerivedFigure(NamedTuple):
    """A figure that no series measures, such as host CPU; ``before`` is ``None`` for new work."""

    subject: str
    name: str
    unit: str
    before: float | None
    after: float
    lines: tuple[str, ...]


Outcomes = Iterator[SeriesEffect | DerivedFigure]


class CalculatorResult(NamedTuple):
    """Figures of a calculator, and a line with its inputs, results and citation."""

    figures: dict[str, Any]
    line: str


def calculate(identity: str, **values: Any) -> CalculatorResult:
    """Run a calculator of the rulebook; a ConfigurationError where it has no result."""
    entry = get(identity)
    figures = entry.answer(values)
    inputs = ", ".join(f"{name}={_short(value)}" for name, value in values.items())
    results = ", ".join(
        f"{name}={_short(value)}" for name, value in figures.items() if value is not None
    )
    return CalculatorResult(figures, f"{identity}({inputs}): {results} [{entry.citation}]")


def number(amount: float | tuple[float, float]) -> float:
    """Return the amount as one number: at a corner of a scenario a range has been resolved."""
    return amount[0] if isinstance(amount, tuple) else amount


def last_day(facts: DayFacts, metric: str, subject: str) -> WindowDay:
    """Return the newest measured day of a series; a ConfigurationError where it has none."""
    days = facts.observed.days(metric, subject)
    if not days:
        raise not_measured(facts.observed, metric, subject)
    return days[-1]


def peak_of(facts: DayFacts, metric: str, subject: str) -> float:
    """Return the highest daily peak of the window; a ConfigurationError where it has no day."""
    last_day(facts, metric, subject)
    return max(day.peak for day in facts.observed.days(metric, subject))


def total_of(facts: DayFacts, subject: str, used: str, share: str) -> float | None:
    """Return the total of which ``used`` is ``share`` per cent; ``None`` when no day has both."""
    sizes = {day.site_date: day.peak for day in facts.observed.days(used, subject)}
    for day in reversed(facts.observed.days(share, subject)):
        if day.peak > 0 and day.site_date in sizes:
            return 100 * sizes[day.site_date] / day.peak
    return None


def engines_of(facts: DayFacts, subject: str) -> float:
    """Return the number of engines of a CF; a ConfigurationError where it is not known."""
    engines = known_engines(facts, subject)
    if engines is None:
        raise ConfigurationError(
            f"the number of engines of {subject} is unknown",
            expected="a measured coupling facility",
            remedy="Set engines of this CF in the estate.",
        )
    return engines


def known_engines(facts: DayFacts, subject: str) -> float | None:
    """Return the engines of a CF: as configured, else as last measured; ``None``: not known."""
    configured = facts.estate.coupling_facility(*Subject(subject).names)
    if configured is not None and configured.engines:
        return configured.engines
    days = facts.observed.days("cf_engine_count", subject)
    return days[-1].peak if days else None


def not_measured(observed: Observed, metric: str, subject: str) -> ConfigurationError:
    """Return the error for a series that is not measured; it names the subjects that are."""
    subjects = sorted(subject for measured, subject in observed.series if measured == metric)
    return ConfigurationError(
        f"{metric} of {subject} is not measured", expected=f"one of: {' '.join(subjects) or 'none'}"
    )


def _short(value: Any) -> str:
    return (
        figure(value) if isinstance(value, int | float) and type(value) is not bool else f"{value}"
    )


USED: Final = ("structure_entries_used_pct", "structure_elements_used_pct")
_ROLE: Final = "structure_duplex_role"


def copies_of(observed: Observed, structure: str, also_in: str | None = None) -> tuple[str, ...]:
    """Return a structure and its measured other copies, such as ``PLEX1/CF02/QSG1APPL1``.

    Those that records call duplexed, and that in ``also_in``, a facility that a scenario names.
    """
    own_plex, _, own_name = Subject(structure).names
    copies = [structure]
    for subject in sorted(observed.subjects(SubjectKind.structure)):
        plex, _, name = Subject(subject).names
        days = observed.days(_ROLE, subject)
        is_copy = Subject(subject).whole == also_in or (days and days[-1].peak > 0)
        if subject != structure and (plex, name) == (own_plex, own_name) and is_copy:
            copies.append(subject)
    return tuple(copies)
