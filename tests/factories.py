"""Domain objects for tests.

Each factory fills every field with a plausible value of one log of one queue manager on ``DAY``;
a test names only the fields that it is about.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from mqcap.domain.console.states import ConsoleMessage, ConsoleState, MessageKind
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.delivery import Delivery
from mqcap.domain.feed import FeedDay, FeedKind, FeedState, Gap, GapCause
from mqcap.domain.finding import Change, Citation, Finding, InputValue, Severity
from mqcap.domain.forecast import (
    CandidateShare,
    DriverEffect,
    DriverPlan,
    Forecast,
    ForecastMix,
    ForecastPoint,
)
from mqcap.domain.input_source import EstateSource, MeasuredDaySource
from mqcap.domain.metric import Direction, Statistic, SubjectKind, series_id
from mqcap.domain.problem import Acknowledgement, AcknowledgementKind, ProblemDay, ProblemState
from mqcap.domain.resource import ResourceKind
from mqcap.domain.score import CrossingScore, ForecastScore
from mqcap.domain.ticket import Ticket
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.domain.unit_cost import BookValue, UnitCost, UnitCostKind
from mqcap.queries.resources import resource_path
from mqcap.store.models import (
    Annotation,
    Observation,
    SavedScenario,
    SeriesFacts,
    SourceFileFacts,
    StepRun,
)

DAY = date(2026, 3, 2)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
LOG_METRIC = "log_growth_mib_per_s"

Line = tuple[float, float, float]
"""The lower bound, the expected value and the upper bound of one day."""
TWO_DAYS: Final[tuple[Line, ...]] = ((1.1, 1.6, 2.3),) * 2


def unit_cost(**changed: Any) -> UnitCost:
    """Storage of a channel above a base: certain enough to be used."""
    values: dict[str, Any] = {
        "kind": UnitCostKind.chinit_31bit_kib_per_channel,
        "subject": "PLEX1/CSQ1/CHINIT",
        "unit": "KiB",
        "value": 100.0,
        "lower": 90.0,
        "upper": 120.0,
        "confidence": 0.8,
        "base": 600.0,
        "base_unit": "MiB",
        "correlation": 0.684,
        "sample_count": 400,
        "sample_of": "day",
        "first_date": DAY - timedelta(days=399),
        "last_date": DAY,
        "least_sample": 60,
        "half_width_max_ratio": 0.25,
        "caveats": ("Storage is a sawtooth.",),
        "book": BookValue(
            value=90, unit="KiB", rule="CHI-FOOTPRINT-MCA", citation='MP16 (14), "Channels"'
        ),
    }
    return UnitCost(**(values | changed))


def mix(*share_ratios: float) -> ForecastMix:
    """Straight and bending linear trends of those shares, the first fitted by Prophet."""
    fits = (("straight", "prophet"), ("bending", "prophet_exact"))
    return ForecastMix(
        candidates=tuple(
            CandidateShare(name=f"{trend} linear trend", fitted_by=fit, share_ratio=ratio)
            for (trend, fit), ratio in zip(fits, share_ratios or (0.6, 0.4), strict=True)
        ),
    )


def driver_effect(**changed: Any) -> DriverEffect:
    """Payments, which a forecast uses with a plan."""
    values: dict[str, Any] = {
        "name": "payments",
        "is_used": True,
        "elasticity": 0.7147,
        "smape_pct": 1.594,
        "smape_without_pct": 3.919,
        "plans": (DriverPlan(first=DAY + timedelta(days=30), pct=30),),
    }
    return DriverEffect(**(values | changed))


def source_file(**changed: Any) -> SourceFileFacts:
    values: dict[str, Any] = {
        "sha256": "a" * 64,
        "source": "smf",
        "name": "SYS1.D260302.smf",
        "received_date": DAY,
        "landed_at_utc": NOON,
        "bytes_count": 4_096,
    }
    return SourceFileFacts(**(values | changed))


def console_message(message_id: str = "CSQJ111A", **changed: Any) -> ConsoleMessage:
    values: dict[str, Any] = {
        "message_id": message_id,
        "at_utc": NOON,
        "resource_kind": ResourceKind.active_log,
        "subject": "PLEX1/CSQ1",
        "owner": "PLEX1/CSQ1",
        "text": f"{message_id} !CSQ1 OUT OF SPACE IN ACTIVE LOG DATA SETS",
        "file_name": "syslog.txt",
        "line_number": 17,
    }
    return ConsoleMessage(**(values | changed))


def console_state(message_id: str = "CSQJ111A", **changed: Any) -> ConsoleState:
    values: dict[str, Any] = {
        "message_id": message_id,
        "subject": "PLEX1/CSQ1",
        "resource_kind": ResourceKind.active_log,
        "kind": MessageKind.exhausted,
        "severity": Severity.act,
        "state": "out of active log space",
        "site_date": DAY,
        "last_date": DAY,
        "first_utc": NOON,
        "last_utc": NOON,
        "message_count": 1,
        "text": f"{message_id} !CSQ1 OUT OF SPACE IN ACTIVE LOG DATA SETS",
        "file_name": "syslog.txt",
        "line_number": 17,
    }
    return ConsoleState(**(values | changed))


def series_facts(subject: str = "PLEX1/CSQ1", **changed: Any) -> SeriesFacts:
    values: dict[str, Any] = {
        "series_id": series_id(LOG_METRIC, subject),
        "metric": LOG_METRIC,
        "subject": subject,
        "subject_kind": SubjectKind.queue_manager,
        "unit": "MiB/s",
        "description": "Growth of the log",
        "forecast": True,
    }
    return SeriesFacts(**(values | changed))


def observation(subject: str = "PLEX1/CSQ1", day: date = DAY, **changed: Any) -> Observation:
    values: dict[str, Any] = {
        "series_id": series_id(LOG_METRIC, subject),
        "site_date": day,
        "mean": 0.5,
        "p95": 0.9,
        "peak": 1.5,
        "total": 45_298_483_200.0,
        "busiest_hour_utc": NOON,
        "covered_hours": 24.0,
    }
    return Observation(**(values | changed))


def points(cutoff: date, lines: Iterable[Line]) -> tuple[ForecastPoint, ...]:
    """Return one point for each line, from the day after the cutoff on."""
    return tuple(
        ForecastPoint(
            site_date=cutoff + timedelta(days=ahead), lower=lower, expected=expected, upper=upper
        )
        for ahead, (lower, expected, upper) in enumerate(lines, 1)
    )


def forecast(
    subject: str = "PLEX1/CSQ1", lines: Iterable[Line] = TWO_DAYS, **changed: Any
) -> Forecast:
    """Return a forecast with one day for each line (lower, expected, upper)."""
    made = points(changed.get("cutoff_date", DAY), lines)
    values: dict[str, Any] = {
        "series_id": series_id(LOG_METRIC, subject),
        "statistic": Statistic.peak,
        "cutoff_date": DAY,
        "model": "prophet",
        "horizon_days": len(made),
        "trained_days": 400,
        "interval_width": 0.8,
        "points": made,
    }
    return Forecast(**(values | changed))


def finding(subject: str = "PLEX1/CSQ1", **changed: Any) -> Finding:
    values: dict[str, Any] = {
        "rule_id": "LOG-FILL-30MIN",
        "subject": subject,
        "site_date": DAY,
        "severity": Severity.act,
        "title": "Log growth that fills one log in 30 minutes",
        "summary": f"{subject}: 1.2 MiB/s at peak fills one log of 1,000 MiB in 13.9 minutes.",
        "observed": 1.2,
        "limit_value": 0.556,
        "unit": "MiB/s",
        "direction": Direction.upward,
        "breach": True,
        "headroom_ratio": -1.158,
        "series_id": series_id("log_growth_mib_per_s", subject),
        "statistic": Statistic.peak,
        "arithmetic": (
            "1,000 MiB / 1,800 s = 0.5556 MiB/s",
            "1.2 MiB/s x 1,800 s = 2,160 MiB",
        ),
        "advice": "Make the active logs larger first; then add more.",
        "changes": (
            Change(
                action="Allocate each active log with 2,160 MiB.",
                amount=TypedAmount.of(TypedKind.cylinders, 3_073),
                side_effects="Dual logging doubles the space.",
            ),
        ),
        "caveats": ("Log compression is not considered.",),
        "inputs": (
            InputValue(
                name="log_growth_mib_per_s",
                value=1.2,
                unit="MiB/s",
                origin=MeasuredDaySource(
                    metric="log_growth_mib_per_s",
                    subject="PLEX1/CSQ1",
                    statistic=Statistic.peak,
                    site_date=date(2026, 2, 27),
                ),
            ),
            InputValue(
                name="log_size_mib",
                value=1000,
                unit="MiB",
                origin=EstateSource(place="PLEX1/CSQ1", key="active_log_size_mib"),
            ),
        ),
        "citation": Citation(document="MP16", section="Active logs"),
    }
    return Finding(**(values | changed))


def crossing(of: Finding | str = "PLEX1/CSQ1", **changed: Any) -> Crossing:
    """Return the crossing of a finding's limit, or of the default finding of a subject."""
    judged = finding(of) if isinstance(of, str) else of
    values: dict[str, Any] = {
        "rule_id": judged.rule_id,
        "subject": judged.subject,
        "cutoff_date": judged.site_date,
        "series_id": judged.series_id,
        "statistic": judged.statistic,
        "direction": judged.direction,
        "limit_value": judged.limit_value,
        "unit": judged.unit,
        "state": CrossingState.will_cross,
        "earliest_date": judged.site_date + timedelta(days=31),
        "expected_date": judged.site_date + timedelta(days=58),
        "latest_date": judged.site_date + timedelta(days=119),
    }
    return Crossing(**(values | changed))


def feed_day(subject: str = "PLEX1/CSQ1", **changed: Any) -> FeedDay:
    """Return a day on which three hours of a queue manager's statistics are missing."""
    missing = Gap(
        start_utc=datetime(2026, 3, 2, 9, tzinfo=UTC),
        end_utc=datetime(2026, 3, 2, 12, tzinfo=UTC),
        cause=GapCause.unexplained,
    )
    values: dict[str, Any] = {
        "kind": FeedKind.statistics,
        "subject": subject,
        "site_date": DAY,
        "state": FeedState.partial,
        "interval_seconds": 1800.0,
        "interval_from": "days seen",
        "expected_seconds": 86_400.0,
        "received_seconds": 75_600.0,
        "expected_count": 48,
        "received_count": 42,
        "gaps": (missing,),
        "summary": f"{subject}: 3 h of 24 h are missing, 09:00 to 12:00 UTC.",
        "remedy": "Ask for the dump again.",
    }
    return FeedDay(**(values | changed))


def differing_sources(subject: str = "PLEX1/CSQ1") -> FeedDay:
    """Return a day on which the log of a queue manager is another by 116 than by 115.1."""
    return feed_day(
        subject,
        kind=FeedKind.comparison,
        member="log_tasks",
        state=FeedState.differs,
        received_seconds=86_400.0,
        gaps=(),
        summary=f"{subject}: log write rate is 1 MiB/s by 115.1 and 0.5 MiB/s by 116, 50 % less.",
        remedy="",
    )


def forecast_score(subject: str = "PLEX1/CSQ1", **changed: Any) -> ForecastScore:
    values: dict[str, Any] = {
        "series_id": series_id(LOG_METRIC, subject),
        "statistic": Statistic.peak,
        "cutoff_date": DAY,
        "interval_width": 0.8,
        "scored_to": DAY + timedelta(days=10),
        "scored_days": 10,
        "inside_days": 8,
        "smape_pct": 12.5,
        "mean_error": 0.1,
    }
    return ForecastScore(**(values | changed))


def crossing_score(subject: str = "PLEX1/CSQ1", **changed: Any) -> CrossingScore:
    values: dict[str, Any] = {
        "rule_id": "LOG-FILL-30MIN",
        "subject": subject,
        "cutoff_date": DAY,
        "horizon_days": 30,
        "probability": 0.7,
        "came": True,
    }
    return CrossingScore(**(values | changed))


def ticket(**changed: Any) -> Ticket:
    values: dict[str, Any] = {
        "dedupe_key": "LOG-FILL-30MIN/PLEX1/CSQ1",
        "severity": Severity.act,
        "title": "PLEX1/CSQ1: minutes to fill one active log",
        "body": "One log fills in 11.1 minutes.",
        "first_seen_date": DAY,
        "last_seen_date": DAY,
    }
    return Ticket(**(values | changed))


def delivery(**changed: Any) -> Delivery:
    values: dict[str, Any] = {
        "delivery_id": "d" * 64,
        "site_date": DAY,
        "channel": "mail",
        "recipient": "mq-capacity@example.com",
        "subject_line": "ACT PLEX1 CSQ1 log",
        "digest_sha256": "e" * 64,
        "content": "text",
    }
    return Delivery(**(values | changed))


def problem_day(key: str = "LOG-FILL-30MIN/PLEX1/CSQ1", **changed: Any) -> ProblemDay:
    values: dict[str, Any] = {
        "key": key,
        "site_date": DAY,
        "state": ProblemState.new,
        "severity": Severity.act,
        "over": True,
        "resource": resource_path(key),
        "first_seen_date": DAY,
        "raised_date": DAY,
        "recent": "1",
        "peak_hour_utc": NOON,
    }
    return ProblemDay(**(values | changed))


def acknowledgement(key: str = "LOG-FILL-30MIN/PLEX1/CSQ1", **changed: Any) -> Acknowledgement:
    values: dict[str, Any] = {
        "key": key,
        "kind": AcknowledgementKind.accepted_until,
        "noted_date": DAY,
        "until_date": DAY + timedelta(days=30),
        "note": "accepted risk until 2026-04-01",
        "who": "planner",
    }
    return Acknowledgement(**(values | changed))


def step_run(**changed: Any) -> StepRun:
    values: dict[str, Any] = {
        "step": "alert",
        "ended_at_utc": NOON,
        "site_date": DAY,
        "versions": {"mqcap": "0.1.0"},
        "counts": {"problems": 1},
    }
    return StepRun(**(values | changed))


def annotation(**changed: Any) -> Annotation:
    values: dict[str, Any] = {
        "subject": "PLEX1/CSQ1",
        "first_date": DAY,
        "last_date": DAY,
        "note": "New logs.",
        "who": "anna",
        "noted_at_utc": NOON,
    }
    return Annotation(**(values | changed))


def scenario(**changed: Any) -> SavedScenario:
    values: dict[str, Any] = {
        "name": "more logs",
        "subject": "PLEX1/CSQ1",
        "parameters": {"logs": "60"},
        "who": "anna",
        "saved_at_utc": NOON,
    }
    return SavedScenario(**(values | changed))
