"""Findings: the result of one rule for one subject on one day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from math import floor, isclose, log, log10
from typing import Final

from pydantic import BaseModel, Field, computed_field

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.input_source import InputSource, LossSource, MeasuredHoursSource, MeasuredSource
from mqcap.domain.metric import Direction, Statistic, series_id, split_series_id
from mqcap.domain.numbers import quantity
from mqcap.domain.subject import Subject
from mqcap.domain.typed_amount import TypedAmount


class Severity(StrEnum):
    """Urgency of a finding; ordered by ``rank``."""

    ok = "ok"
    suggestion = "suggestion"
    """Possible saving without any fault. Never in breach, never reported as a problem."""
    unknown = "unknown"
    watch = "watch"
    act = "act"

    @property
    def rank(self) -> int:
        """0 for ok up to 4 for act."""
        return _RANKS[self]

    @property
    def is_urgent(self) -> bool:
        """Whether it is Watch or Act."""
        return self.rank >= Severity.watch.rank


_RANKS: Final = {severity: rank for rank, severity in enumerate(Severity)}
_NEAR_RATIO: Final = 0.002
"""A level is shown as a rounder number that differs by no larger share (ours)."""


class Citation(BaseModel, frozen=True):
    """Document, edition and section that a number is taken from."""

    document: str
    edition: str = ""
    section: str = ""

    def __str__(self) -> str:
        edition = f" ({self.edition})" if self.edition else ""
        section = f', "{self.section}"' if self.section else ""
        return f"{self.document}{edition}{section}"


class InputValue(BaseModel, frozen=True):
    """Input of a rule with its source, so that the arithmetic can be redone on paper."""

    name: str
    value: float | int | str | BusiestHours | None
    unit: str = ""
    origin: InputSource | None = None
    """Source of the value; ``None`` when it is not known."""
    instead_of: InputSource | None = Field(default=None, exclude_if=lambda value: value is None)
    """Key of the settings whose value is not used, because this one was measured."""

    @computed_field  # type: ignore[prop-decorator]  # pydantic's own documented use
    @property
    def source(self) -> str:
        """The series and day, or the settings key, in words; empty without an origin."""
        if self.origin is None:
            return ""
        if self.instead_of is None:
            return self.origin.describe()
        return f"{self.origin.describe()} (instead of {self.instead_of.describe()})"


class Effect(StrEnum):
    """Effect of a change on its rule, evaluated again on the same data."""

    enough = "enough"
    """Together with the finding's other changes of this kind, the rule is satisfied."""
    relief = "relief"
    """It gives time or space, but does not by itself satisfy the rule."""
    measure = "measure"
    """A first step: no record shows how much is needed, so it is tried and measured."""


class Change(BaseModel, frozen=True):
    """Recommended change, ending in a figure that can be typed."""

    action: str
    amount: TypedAmount | None = None
    """The figure in parts; ``None`` when the change has none."""
    side_effects: str = ""
    effect: Effect = Effect.enough

    @computed_field  # type: ignore[prop-decorator]
    @property
    def typed(self) -> str:
        """The figure as it is typed, such as ``CYL(4883)``; empty when there is none."""
        return self.amount.text if self.amount is not None else ""


def summary_of(subject: str, statement: str) -> str:
    """Return the summary of a finding: its subject and the statement on it."""
    return f"{subject}: {statement}"


def level_words(severity: Severity, level: float | None, unit: str, direction: Direction) -> str:
    """Return where a severity begins, such as ``Watch below 30 h``; rounded by 0.2 % at most."""
    if not level:
        return ""
    step = 10.0 ** (floor(log10(abs(level))) - 1)
    near = round(level / step) * step
    shown = near if isclose(near, level, rel_tol=_NEAR_RATIO) else level
    side = "above" if direction is Direction.upward else "below"
    return f"{severity.value.capitalize()} {side} {quantity(shown, unit)}"


class Finding(BaseModel, frozen=True, populate_by_name=True, serialize_by_alias=True):
    """The result of one rule for one subject on one day.

    ``headroom_ratio`` is the distance to the limit as a share of it; negative means breached,
    ``None`` unknown, or that there is nothing to run out of.
    """

    rule_id: str
    subject: Subject
    site_date: date
    severity: Severity
    title: str
    """The rule's name in a few words; of a breach, the fault."""
    summary: str
    """Sentence with the subject, the figures and their units."""
    statement: str = ""
    """The summary without its subject; empty where only the summary is known."""
    observed: float | None = None
    limit_value: float | None = None
    unit: str = ""
    direction: Direction = Direction.upward
    breach: bool | None = None
    is_event: bool = False
    """True of a breach that the console reported: it happened, and is not only measured."""
    has_ended: bool = Field(default=False, exclude_if=lambda value: not value)
    """True of such an event where messages of the same day have ended all of its states."""
    headroom_ratio: float | None = None
    headroom_counts: bool = True
    """False for a setting that is either right or not: its headroom says nothing of fullness."""
    watch_level: float | None = Field(default=None, exclude_if=lambda value: value is None)
    """The figure past which it is Watch although within its limit, in ``unit``; ``None`` where no
    headroom is asked for, and in findings that were stored before it was."""
    act_level: float | None = Field(default=None, exclude_if=lambda value: value is None)
    """The figure past which it is Act although within its limit, in ``unit``; ``None`` where it is
    not Act, or over its limit, and in findings that were stored before it was."""
    series_id: str | None = None
    """The series whose forecast is compared with the limit; ``None`` for rules without one."""
    statistic: Statistic | None = None
    series_limit: float | None = None
    """The limit of that series in its own unit, where the observed figure is another one."""
    series_direction: Direction | None = None
    """On which side of it the series is in breach; ``None``: as the observed figure."""
    arithmetic: tuple[str, ...] = ()
    """Lines of calculation, each complete in itself."""
    advice: str = ""
    changes: tuple[Change, ...] = ()
    caveats: tuple[str, ...] = ()
    citation: Citation
    inputs: tuple[InputValue, ...] = ()
    missing: tuple[str, ...] = ()
    """Names of inputs that could not be found, each with how to supply it."""
    is_data_incomplete: bool = False
    """True when it is unknown only because records of the day are missing, not inputs."""
    superseded_by: str = Field(default="", alias="led_by")
    """A rule that reports the same cause of the same subject: only that one is notified. Stored
    under its earlier name ``led_by``."""

    @property
    def key(self) -> str:
        """Key of its problem: ``rule_id/subject``."""
        return series_id(self.rule_id, self.subject)

    def with_statement(self, statement: str) -> Finding:
        """Return the finding with this statement, and the summary that it gives."""
        summary = summary_of(self.subject, statement)
        return self.model_copy(update={"summary": summary, "statement": statement})

    def with_caveats(self, *caveats: str) -> Finding:
        """Return the finding with further caveats; an empty one is none."""
        own = (*self.caveats, *filter(None, caveats))
        return self if own == self.caveats else self.model_copy(update={"caveats": own})

    def as_unknown(self, statement: str, missing: str, advice: str = "") -> Finding:
        """Return the finding without severity; ``missing`` is what it would need."""
        return self.with_statement(statement).model_copy(
            update={
                "severity": Severity.unknown,
                "breach": None,
                "headroom_ratio": None,
                "advice": advice,
                "changes": (),
                "missing": (missing,),
            }
        )

    @property
    def watch_words(self) -> str:
        """From where on it is Watch: ``Watch below 30 h``; empty without such a level."""
        return level_words(Severity.watch, self.watch_level, self.unit, self.direction)

    @property
    def deciding_words(self) -> str:
        """The level of its severity where it is within its limit: ``Act above 400 channels``."""
        level, observed = self.watch_level, self.observed
        if level is None or observed is None or self.breach:
            return ""
        if not (observed > level if self.direction is Direction.upward else observed < level):
            return ""
        act = level_words(Severity.act, self.act_level, self.unit, self.direction)
        return act or self.watch_words

    @property
    def is_of_loss(self) -> bool:
        """Whether it is about what survivors would carry if its subject were lost."""
        return any(isinstance(value.origin, LossSource) for value in self.inputs)

    @property
    def measured_metrics(self) -> frozenset[str]:
        """Metrics behind the figure: the watched one, else those that inputs were measured in."""
        measured = frozenset(source.metric for source in self._measured_sources)
        if measured and self.series_id is not None:
            return frozenset({split_series_id(self.series_id)[0]})
        return measured

    @property
    def observed_source(self) -> MeasuredSource | None:
        """Source of the input measured in the finding's own series, busiest hours first."""
        own = [source for source in self._measured_sources if source.series_id == self.series_id]
        by_hour = (source for source in own if isinstance(source, MeasuredHoursSource))
        return next(by_hour, next(iter(own), None))

    @property
    def _measured_sources(self) -> tuple[MeasuredSource, ...]:
        origins = (value.origin for value in self.inputs)
        return tuple(origin for origin in origins if isinstance(origin, MeasuredSource))

    @property
    def crossing_direction(self) -> Direction:
        """The side of ``crossing_limit`` on which its series is in breach."""
        return self.series_direction or self.direction

    @property
    def crossing_limit(self) -> float | None:
        """The value that its series must not pass."""
        return self.limit_value if self.series_limit is None else self.series_limit


_POWERS: Final = (0.5, 2.0)
"""Outside of these the two known points are no time that a load shortens (ours)."""


@dataclass(frozen=True)
class StatedFigure:
    """A time that a rate shortens: ``limit`` at the rate ``series_limit``, and less above it."""

    limit: float
    unit: str
    series_limit: float
    power: float
    """1 where half of the rate lasts twice as long. The shape of the day makes it another one, so
    that the measured rate gives exactly the figure of the finding."""

    def of(self, value: float | None) -> float | None:
        """Return the time that a value of the series gives; ``None`` for none, or no load."""
        if value is None or value <= 0:
            return None
        return float(self.limit * (self.series_limit / value) ** self.power)


def stated_figure(finding: Finding) -> StatedFigure | None:
    """Return how a rule's time follows from the load of its series; ``None`` where it does not."""
    limit, at = finding.limit_value, finding.series_limit
    is_time = (
        finding.direction is Direction.downward and finding.crossing_direction is Direction.upward
    )
    if not limit or not at or not is_time:
        return None
    values = (
        float(shown.value)
        for shown in finding.inputs
        if isinstance(shown.origin, MeasuredSource)
        and shown.origin.series_id == finding.series_id
        and isinstance(shown.value, int | float)
    )
    measured, power = next(values, 0.0), 1.0
    if finding.observed and measured > 0 and not isclose(measured, at):
        power = log(finding.observed / limit) / log(at / measured)
    is_known = _POWERS[0] <= power <= _POWERS[1]
    return StatedFigure(limit, finding.unit, at, power if is_known else 1.0)
