"""Numbers with units, dates and states in the words that a planner reads."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from pydantic import BaseModel, ConfigDict

from mqcap.domain.crossing import PROBABILITY_DAYS, Crossing, CrossingState, reach_words
from mqcap.domain.estate import SystemClass
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.presentation import display_units

ABSENT: Final = "\N{EN DASH}"
MINUS: Final = "\N{MINUS SIGN}"

SEVERITY_WORDS: Final = {
    Severity.act: "Act",
    Severity.watch: "Watch",
    Severity.unknown: "Unknown",
    Severity.suggestion: "Suggestion",
    Severity.ok: "OK",
}
SEVERITY_SIGNS: Final = {
    Severity.act: "▲",
    Severity.watch: "◆",
    Severity.unknown: "?",
    Severity.suggestion: "»",
    Severity.ok: "✓",
}
CLASS_WORDS: Final = {
    SystemClass.production: "Production",
    SystemClass.test: "Test",
    SystemClass.disaster_recovery: "Disaster recovery",
}
STATE_WORDS: Final = {
    CrossingState.breached: "over its limit",
    CrossingState.will_cross: "will pass its limit",
    CrossingState.not_within_horizon: "stays clear of its limit",
    CrossingState.unknown: "no date can be given",
}
KIND_WORDS: Final = {
    SubjectKind.queue_manager: "Queue manager",
    SubjectKind.channel_initiator: "Channel initiator",
    SubjectKind.buffer_pool: "Buffer pool",
    SubjectKind.page_set: "Page set",
    SubjectKind.coupling_facility: "Coupling facility",
    SubjectKind.structure: "Structure",
    SubjectKind.linux_host: "MQ on Linux",
    SubjectKind.ztpf_system: "z/TPF system",
}
METRIC_WORDS: Final = {
    "log_growth_mib_per_s": "Log growth",
    "log_buffer_wait_count": "Log buffer waits",
    "cf_busy_pct": "CF busy",
    "cf_engine_count": "CF engines",
    "cf_storage_used_pct": "CF storage used",
    "chinit_31bit_used_mib": "Chinit storage, 31-bit, used",
    "chinit_31bit_available_mib": "Chinit storage, 31-bit, available",
    "chinit_31bit_used_pct": "Chinit storage, 31-bit",
    "chinit_64bit_used_mib": "Chinit storage, 64-bit, used",
    "chinit_64bit_available_mib": "Chinit storage, 64-bit, available",
    "chinit_64bit_used_pct": "Chinit storage, 64-bit",
    "log_task_busy_pct": "Log writer busy",
    "log_checkpoints_per_h": "Checkpoints",
    "zhyperlink_busy_pct": "zHyperLink time",
    "zhyperlink_sync_pct": "zHyperLink synchronous",
    "chinit_dispatcher_busy_pct": "Busiest dispatcher",
    "chinit_ssltask_busy_pct": "Busiest TLS task",
    "chinit_adapters_used_count": "Adapters in use",
    "channel_batch_messages": "Messages per batch",
    "cf_redrive_pct": "CF re-drives",
    "smds_used_pct": "Shared message data set used",
    "structure_sync_us": "Structure service time",
    "private_queue_messages_per_s": "Busiest private queue",
}
RESOURCE_BY_PREFIX: Final = (
    ("log_", "Active log"),
    ("cf_storage", "CF storage"),
    ("cf_", "CF processor"),
    ("chinit_", "Chinit storage"),
    ("channel_", "Channels"),
    ("channels_", "Channels"),
    ("buffer_pool_", "Buffer pool"),
    ("page_set_", "Page set"),
    ("structure_", "CF structure"),
)
RESOURCE_BY_RULE: Final = (
    ("LOG-", "Active log"),
    ("CF-", "CF processor"),
    ("CH-", "Channels"),
    ("CHI-", "Chinit storage"),
    ("BP-", "Buffer pool"),
    ("PS-", "Page set"),
    ("CFS-", "CF structure"),
)
"""For findings without a series, such as those that lack an input."""
OTHER_RESOURCE: Final = "Other"


class Quantity(BaseModel):
    """A number as it is shown: text aligned right, unit beside it, more on a second line."""

    model_config = ConfigDict(frozen=True)

    text: str
    unit: str = ""
    note: str = ""

    def __str__(self) -> str:
        if self.unit == "%":
            return f"{self.text} %"
        return f"{self.text} {self.unit}".strip()


def number(value: float) -> str:
    """About three significant digits, never fewer than all whole ones: ``9,396``, ``0.062``."""
    size = abs(value)
    if size >= 100 or value == int(value):
        return f"{value:,.0f}"
    if size >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if size >= 0.1 else f"{value:.3g}"


def quantity(value: float | None, unit: str) -> Quantity:
    """A value in its unit; a log rate becomes MB/hour with MiB/s below, or as the reader chose."""
    if value is None:
        return Quantity(text=ABSENT)
    factor, name = display_units.current().scale(unit)
    text = number(value * factor)
    if unit != display_units.STORED_RATE:
        return Quantity(text=text, unit=name)
    beside = display_units.current().other_rate()
    other = f"{value:,.2f}" if beside.unit == unit else number(value * beside.factor)
    return Quantity(text=text, unit=name, note=f"{other} {beside.unit}")


def chart_scale(unit: str) -> tuple[float, str]:
    """Factor and unit in which a series is drawn."""
    return display_units.current().scale(unit)


def headroom(ratio: float | None) -> str:
    """Share of the limit that is left, as a whole percentage; negative means over it."""
    return ABSENT if ratio is None else f"{ratio * 100:.0f} %".replace("-", MINUS)


def share(ratio: float) -> str:
    """A probability or share as a whole percentage: ``94 %``."""
    return f"{ratio * 100:.0f} %"


def day_words(day: date) -> str:
    """``Mon 5 Jan 2026``."""
    return f"{day:%a} {day.day} {day:%b} {day.year}"


def short_day(day: date) -> str:
    """``5 Jan 2026``."""
    return f"{day.day} {day:%b} {day.year}"


def distance(day: date, origin: date) -> str:
    """``today``, ``in 23 days``, ``12 days ago``: seen from the site day shown."""
    days = (day - origin).days
    if days == 0:
        return "that day"
    unit = "day" if abs(days) == 1 else "days"
    return f"in {days} {unit}" if days > 0 else f"{-days} {unit} ago"


def instant(moment: datetime | None) -> str:
    """``2026-01-05 06:14 UTC``, on the reader's clock."""
    return ABSENT if moment is None else f"{display_units.current().at(moment):%Y-%m-%d %H:%M %Z}"


def span(begin: datetime, end: datetime) -> str:
    """``06:14 to 07:02 UTC``, on the reader's clock; the day is said elsewhere."""
    at = display_units.current().at
    return f"{at(begin):%H:%M} to {at(end):%H:%M %Z}"


def byte_count(count: int | None) -> str:
    """All digits, grouped: bytes are accounted for exactly."""
    return ABSENT if count is None else f"{count:,}"


def resource_of(metric: str | None, rule_id: str) -> str:
    """The kind of resource behind a metric, else behind the topic that a rule id begins with."""
    known = [(RESOURCE_BY_PREFIX, metric or ""), (RESOURCE_BY_RULE, rule_id)]
    words = (word for table, name in known for prefix, word in table if name.startswith(prefix))
    return next(words, OTHER_RESOURCE)


def metric_words(metric: str) -> str:
    """A metric's name without underscores and unit."""
    if metric in METRIC_WORDS:
        return METRIC_WORDS[metric]
    stem = metric
    for ending in ("_pct", "_count", "_mib", "_per_s"):
        stem = stem.removesuffix(ending)
    return stem.replace("_", " ").capitalize()


def crossing_sentence(crossing: Crossing) -> str:
    """What is known about the date, in one sentence."""
    limit = quantity(crossing.limit_value, crossing.unit)
    if crossing.state is CrossingState.breached:
        since = crossing.breached_since
        return f"Over {limit}" + (f" since {day_words(since)}." if since else ".")
    if crossing.state is CrossingState.will_cross:
        return f"Passes {limit}: {crossing_range(crossing)}{_chances(crossing)}."
    if crossing.state is CrossingState.not_within_horizon:
        return f"Not expected to pass {limit} within {reach_words(crossing)}."
    return f"No date: {crossing.reason or 'there is no forecast'}"


def _chances(crossing: Crossing) -> str:
    """The stated probabilities in words, shortest time first; empty when there are none."""
    stated = [
        f"{probability:.0%} within {days} days"
        for days in PROBABILITY_DAYS
        if (probability := getattr(crossing, f"probability_{days}_days")) is not None
    ]
    return f"; probability {', '.join(stated)}" if stated else ""


def crossing_range(crossing: Crossing) -> str:
    """Earliest, expected and latest date in words; a side that stays clear is said so."""
    parts = [
        f"{word} {day_words(day)}"
        for word, day in (
            ("earliest", crossing.earliest_date),
            ("expected", crossing.expected_date),
            ("latest", crossing.latest_date),
        )
        if day is not None
    ]
    if crossing.latest_date is None:
        parts.append(f"possibly not within {reach_words(crossing)}")
    return ", ".join(parts)
