"""Source of the value of a rule's input, in parts; ``describe`` is its only text."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Annotated, ClassVar, Final, Literal, NamedTuple

from pydantic import AwareDatetime, BaseModel, Field

from mqcap.domain.metric import Statistic, series_id
from mqcap.domain.numbers import figure
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import UnitCostKind

_WORDS: Final = {
    Statistic.peak: "peak",
    Statistic.p95: "95th percentile",
    Statistic.mean: "mean",
}
_SHORT_WORDS: Final = {statistic: str(statistic) for statistic in Statistic}
_CHANGED: Final = "limit of that day / newest limit"


class WindowFigure(StrEnum):
    """Method by which the days of a window became one value."""

    median = "median"
    mean = "mean"
    day_count = "day_count"


class _Source(BaseModel, frozen=True):
    form: ClassVar[str]
    """The source as readers are shown it, of its fields."""

    def describe(self) -> str:
        return self.form.format(self=self)


class _Measured(_Source):
    form = "{self.series_id}, {self.when}"
    metric: str
    subject: Subject

    @property
    def series_id(self) -> str:
        return series_id(self.metric, self.subject)

    @property
    def when(self) -> str:
        """Statistic and days, such as ``95th percentile of 2026-01-05``."""
        return self._when(_WORDS)

    @property
    def short_when(self) -> str:
        """The same for narrow columns, such as ``p95 of 2026-01-05``."""
        return self._when(_SHORT_WORDS)

    def _when(self, words: Mapping[Statistic, str]) -> str:
        raise NotImplementedError


class MeasuredDaySource(_Measured):
    """Statistic of a measured site date."""

    kind: Literal["measured_day"] = "measured_day"
    statistic: Statistic
    site_date: date
    window_days: int | None = None
    """Length of the window of which it is the worst day; ``None`` for a day by itself."""
    limit_ratio: float | None = None
    """Limit of that day over the newest one, by which the measured share was multiplied; ``None``:
    the value is as it was measured."""

    def _when(self, words: Mapping[Statistic, str]) -> str:
        statistic = words[self.statistic]
        changed = "" if self.limit_ratio is None else f", x {figure(self.limit_ratio)} ({_CHANGED})"
        if self.window_days is None:
            return f"{statistic} of {self.site_date}{changed}"
        worst = "" if self.statistic is Statistic.peak else "worst "
        return f"{worst}{statistic} of {self.window_days} days, on {self.site_date}{changed}"


class MeasuredWindowSource(_Measured):
    """Value of all measured days of a window."""

    kind: Literal["measured_window"] = "measured_window"
    figure: WindowFigure
    statistic: Statistic | None = None
    """Daily statistic; ``None`` for a count of days."""
    first_date: date
    last_date: date

    def _when(self, words: Mapping[Statistic, str]) -> str:
        span = f"{self.first_date} to {self.last_date}"
        if self.statistic is None:
            return span
        return f"{self.figure} of the daily {words[self.statistic]}, {span}"


class BusiestStart(NamedTuple):
    """Start of the busiest hours, from a number of hours on up to the next such number."""

    from_hours: int
    start_utc: AwareDatetime


class MeasuredHoursSource(_Measured):
    """The busiest consecutive hours of a window."""

    kind: Literal["measured_hours"] = "measured_hours"
    first_date: date
    last_date: date
    hour_count: int
    starts: tuple[BusiestStart, ...]

    def _when(self, words: Mapping[Statistic, str]) -> str:
        window = f"busiest hours of {self.first_date} to {self.last_date}"
        return f"{window}, {self.hour_count} measured" if words is _WORDS else window


class EstateSource(_Source):
    """A key of the estate in the settings."""

    form = "settings, estate {self.place}: {self.key}"
    kind: Literal["estate"] = "estate"
    place: str
    """The entry, such as ``PLEX1/CSQ1``."""
    key: str


class RulebookSource(_Source):
    """A figure of the document behind the rule, used where the site has none of its own."""

    form = "{self.document}; the site's own figure is {self.key} of the estate"
    kind: Literal["rulebook"] = "rulebook"
    document: str
    key: str


class RecordSource(_Source):
    """A fact that the records of a subject state about it, such as its MQ version."""

    form = "records of {self.subject}: {self.fact}"
    kind: Literal["record"] = "record"
    subject: Subject
    fact: str


class ConsoleSource(_Source):
    """A console message."""

    form = "{self.message_id}, {self.file_name} line {self.line_number}"
    kind: Literal["console"] = "console"
    message_id: str
    at_utc: AwareDatetime
    file_name: str
    line_number: int


class LearntSource(_Source):
    """A cost of one unit of work, learnt from the site's own data."""

    kind: Literal["learnt"] = "learnt"
    cost: UnitCostKind
    subject: Subject
    lower: float
    """Confidence interval, in the unit of the value."""
    upper: float
    sample_text: str
    """Sample and its last day, such as ``400 days to 2026-11-21``."""

    def describe(self) -> str:
        """Return sample and interval."""
        interval = f"{figure(self.lower)} to {figure(self.upper)}"
        return f"learnt from {self.sample_text} of {self.subject}, {interval}"


class ForecastSource(_Source):
    """The forecast for a day to come."""

    form = "forecast for {self.site_date}"
    kind: Literal["forecast"] = "forecast"
    site_date: date


class LossSource(_Source):
    """A figure of a survivor, computed for the loss of a part."""

    form = "computed for the loss of {self.lost} (mqcap lose {self.lost})"
    kind: Literal["loss"] = "loss"
    lost: Subject


class TextSource(_Source):
    """Text alone: written by an older release and of no known form."""

    form = "{self.text}"
    kind: Literal["text"] = "text"
    text: str


MeasuredSource = MeasuredDaySource | MeasuredWindowSource | MeasuredHoursSource
InputSource = Annotated[
    MeasuredSource
    | EstateSource
    | RulebookSource
    | RecordSource
    | ConsoleSource
    | LearntSource
    | ForecastSource
    | LossSource
    | TextSource,
    Field(discriminator="kind"),
]
