"""What one part of a scenario does: shifts of series, and figures that no series shows.

Every amount comes from a calculator of the rulebook or is marked as a first estimate of ours;
each keeps the line of arithmetic that made it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.numbers import figure
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.inputs import Observed
from mqcap.store.models import WindowDay
from sizing.rulebook.registry import get

PERCENT_MAX: Final = 100.0


class Bend(NamedTuple):
    """Above ``at`` a value grows only at ``slope``."""

    at: float
    slope: float

    def of(self, value: float) -> float:
        """The value, or what is left of its part above the bend."""
        return value if value <= self.at else self.at + (value - self.at) * self.slope


@dataclass(frozen=True)
class Shift:
    """What happens to the values of one series: factor, then addition, then bend."""

    factor: float = 1.0
    addition: float = 0.0
    bend: Bend | None = None

    def of(self, value: float, *, percent: bool) -> float:
        """The value under the scenario."""
        if self == Shift():
            return value
        shifted = max(value * self.factor + self.addition, 0.0)
        shifted = self.bend.of(shifted) if self.bend else shifted
        return min(shifted, PERCENT_MAX) if percent else shifted

    def then(self, other: Shift) -> Shift:
        """This shift and a further one; bends come last."""
        return Shift(
            self.factor * other.factor,
            self.addition * other.factor + other.addition,
            other.bend or self.bend,
        )


class Effect(NamedTuple):
    """The shift of one series, with the arithmetic behind it."""

    metric: str
    subject: str
    shift: Shift
    lines: tuple[str, ...] = ()


class Computed(NamedTuple):
    """A figure that no series shows, such as host CPU; ``before`` is ``None`` for new work."""

    subject: str
    name: str
    unit: str
    before: float | None
    after: float
    lines: tuple[str, ...]


class Outcomes(NamedTuple):
    """All that one part does."""

    effects: tuple[Effect, ...] = ()
    computed: tuple[Computed, ...] = ()


class Answered(NamedTuple):
    """The figures of a calculator and the line that says where they come from."""

    figures: dict[str, Any]
    line: str


def asked(identity: str, **values: Any) -> Answered:
    """Ask a calculator of the rulebook.

    Raises:
        ConfigurationError: it cannot be answered for these values.
    """
    entry = get(identity)
    figures = entry.answer(values)
    given = ", ".join(f"{name}={_short(value)}" for name, value in values.items())
    found = ", ".join(
        f"{name}={_short(value)}" for name, value in figures.items() if value is not None
    )
    return Answered(figures, f"{identity}({given}): {found} [{entry.citation}]")


def number(amount: float | tuple[float, float]) -> float:
    """A corner of a scenario has single numbers only."""
    return amount[0] if isinstance(amount, tuple) else amount


def last_day(known: DayFacts, metric: str, subject: str) -> WindowDay:
    """The newest measured day of a series.

    Raises:
        ConfigurationError: it is not measured.
    """
    days = known.observed.days(metric, subject)
    if not days:
        raise not_measured(known.observed, metric, subject)
    return days[-1]


def peak_of(known: DayFacts, metric: str, subject: str) -> float:
    """The highest daily peak of the window; raises ConfigurationError when not measured."""
    last_day(known, metric, subject)
    return max(day.peak for day in known.observed.days(metric, subject))


def total_of(known: DayFacts, subject: str, used: str, share: str) -> float | None:
    """The whole of which ``used`` is ``share`` per cent on the last day that has both."""
    sizes = {day.site_date: day.peak for day in known.observed.days(used, subject)}
    shares = {
        day.site_date: day.peak for day in known.observed.days(share, subject) if day.peak > 0
    }
    both = sorted(sizes.keys() & shares.keys())
    return 100 * sizes[both[-1]] / shares[both[-1]] if both else None


def engines_of(known: DayFacts, subject: str) -> float:
    """Engines of a CF today: as configured, else as last measured.

    Raises:
        ConfigurationError: neither is known.
    """
    sysplex, _, name = subject.partition("/")
    for plex in known.estate.sysplexes:
        for facility in plex.cfs:
            if (plex.sysplex, facility.name) == (sysplex, name) and facility.engines:
                return facility.engines
    days = known.observed.days("cf_engine_count", subject)
    if not days:
        raise ConfigurationError(
            f"the engines of {subject} are not known",
            expected="a measured coupling facility",
            remedy="Set engines of this CF in the estate.",
        )
    return days[-1].peak


def not_measured(observed: Observed, metric: str, subject: str) -> ConfigurationError:
    """The error for a series that is not there; it names those that are."""
    known = sorted({day.subject for day in observed.every_day() if day.metric == metric})
    return ConfigurationError(
        f"{metric} of {subject} is not measured", expected=f"one of: {' '.join(known) or 'none'}"
    )


def facility_of(structure: str) -> str:
    """``PLEX1/CF01`` of ``PLEX1/CF01/QSG1APPL1``."""
    return structure.rsplit("/", 1)[0]


def _short(value: Any) -> str:
    return (
        figure(value) if isinstance(value, int | float) and type(value) is not bool else f"{value}"
    )
