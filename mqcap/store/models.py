"""Models that the store takes and returns where the domain has no class."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from pydantic import AwareDatetime, BaseModel

from mqcap.domain.finding import Severity
from mqcap.domain.metric import Direction, Statistic, SubjectKind
from mqcap.domain.subject import Subject


class StoredModel(BaseModel, frozen=True, from_attributes=True):
    """Base: frozen, and validated from rows by attribute."""


class SourceFileFacts(StoredModel):
    """A file as delivered; fields of decoding are ``None`` until it is decoded."""

    sha256: str
    source: str
    name: str
    received_date: date
    landed_at_utc: AwareDatetime
    """Instant of the first landing; an upsert of a known file keeps it."""
    bytes_count: int
    framing: str | None = None
    record_count: int | None = None
    decoded_bytes: int | None = None
    skipped_bytes: int | None = None
    quarantined_bytes: int | None = None
    first_interval_utc: AwareDatetime | None = None
    last_interval_utc: AwareDatetime | None = None
    problem: str | None = None


class SeriesFacts(StoredModel):
    """Metric of a subject. The store sets the two dates; writers leave them out."""

    series_id: str
    metric: str
    subject: Subject
    subject_kind: SubjectKind
    unit: str
    description: str = ""
    forecast: bool = False
    ceiling: float | None = None
    direction: Direction = Direction.upward
    first_site_date: date | None = None
    last_site_date: date | None = None


class SeriesName(NamedTuple):
    """What names a series, and the kind of its subject; cheaper to read than all its facts."""

    series_id: str
    metric: str
    subject: str
    subject_kind: SubjectKind


class Observation(StoredModel):
    """The measured day of one series, in the series' unit."""

    series_id: str
    site_date: date
    mean: float
    p95: float
    peak: float
    total: float | None = None
    """Sum over the day where the metric has one (bytes), else ``None``."""
    busiest_hour_utc: AwareDatetime
    covered_hours: float


class TrainingRow(NamedTuple):
    """Day of a daily series, as input of a forecast."""

    series_id: str
    statistic: str
    site_date: date
    value: float
    ceiling: float | None


class WindowDay(NamedTuple):
    """Measured day of a series, with the attributes of the series that a rule needs."""

    metric: str
    subject: str
    subject_kind: SubjectKind
    unit: str
    site_date: date
    mean: float
    p95: float
    peak: float
    limit_ratio: float | None = None
    """Limit of the day over the newest one, by which a share of it was multiplied; ``None``: the
    figures are as they were measured."""
    covered_hours: float | None = None
    """Measured time of the day; ``None``: not known."""

    def value(self, statistic: Statistic) -> float:
        """Return the day's figure of that statistic."""
        return float(getattr(self, statistic))

    def with_figures(self, mean: float, p95: float, peak: float) -> WindowDay:
        """Return the day with other figures; made so often that ``_replace`` is too slow."""
        metric, subject, kind, unit, day, _, _, _, ratio, hours = self
        return WindowDay(metric, subject, kind, unit, day, mean, p95, peak, ratio, hours)


class FindingSummary(NamedTuple):
    """Severity, headroom, expected crossing date and unit of a finding, without its document."""

    severity: Severity
    headroom_ratio: float | None
    expected_date: date | None
    """``None`` without a crossing, or when the limit is not expected to be passed."""
    unit: str = ""
    """Of the observed figure and the limit; empty where the finding has none."""


class Annotation(StoredModel):
    """A person's note about a subject and some of its days."""

    subject: Subject
    rule_id: str = ""
    """Empty: about the subject, not about one rule."""
    first_date: date
    last_date: date
    note: str
    who: str
    noted_at_utc: AwareDatetime


class SavedScenario(StoredModel):
    """A what-if scenario that was saved under a name: the fields of its form."""

    name: str
    subject: Subject
    parameters: dict[str, str]
    who: str
    saved_at_utc: AwareDatetime


class StepRun(StoredModel):
    """Step that has ended well: its day, its versions, and its counts."""

    step: str
    ended_at_utc: AwareDatetime
    site_date: date
    """The day of the run; steps that work on whatever has arrived name the run's day too."""
    versions: dict[str, Any]
    counts: dict[str, Any]

    @property
    def ran_with(self) -> list[tuple[str, Any]]:
        """Versions and hashes of code, rules and settings by name."""
        return sorted(self.versions.items())
