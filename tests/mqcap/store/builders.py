"""Small values for tests of the store; each builder takes what the test is about."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.delivery import Delivery
from mqcap.domain.finding import Citation, Finding, Severity
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Direction, Statistic, SubjectKind, series_id
from mqcap.domain.problem import Mark, MarkKind, ProblemDay, ProblemState
from mqcap.domain.score import CrossingScore, ForecastScore
from mqcap.domain.ticket import Ticket
from mqcap.store.models import Annotation, Observation, Scenario, SeriesFacts, SourceFileFacts
from mqcap.store.step_runs import StepRun

DAY = date(2026, 3, 2)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
LOG_METRIC = "log_growth_mib_per_s"


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


def forecast(subject: str = "PLEX1/CSQ1", cutoff: date = DAY, **changed: Any) -> Forecast:
    values: dict[str, Any] = {
        "series_id": series_id(LOG_METRIC, subject),
        "statistic": Statistic.peak,
        "cutoff_date": cutoff,
        "model": "prophet",
        "horizon_days": 2,
        "trained_days": 400,
        "interval_width": 0.8,
        "points": tuple(
            ForecastPoint(
                site_date=cutoff + timedelta(days=ahead), expected=1.6, lower=1.1, upper=2.3
            )
            for ahead in (1, 2)
        ),
    }
    return Forecast(**(values | changed))


def finding(subject: str = "PLEX1/CSQ1", **changed: Any) -> Finding:
    values: dict[str, Any] = {
        "rule_id": "LOG-FILL-30MIN",
        "subject": subject,
        "site_date": DAY,
        "severity": Severity.act,
        "title": "Minutes to fill one active log",
        "summary": "One log of 1000 MiB fills in 11.1 minutes; at least 30 are wanted.",
        "observed": 11.1,
        "limit_value": 30.0,
        "unit": "min",
        "direction": Direction.downward,
        "breach": True,
        "headroom_ratio": -0.63,
        "series_id": series_id(LOG_METRIC, subject),
        "statistic": Statistic.peak,
        "arithmetic": ("1000 MiB / 1.5 MiB/s = 666.7 s = 11.1 min",),
        "citation": Citation(document="MP16", section="Active logs"),
    }
    return Finding(**(values | changed))


def crossing(subject: str = "PLEX1/CSQ1", **changed: Any) -> Crossing:
    values: dict[str, Any] = {
        "rule_id": "LOG-FILL-30MIN",
        "subject": subject,
        "cutoff_date": DAY,
        "series_id": series_id(LOG_METRIC, subject),
        "statistic": Statistic.peak,
        "direction": Direction.upward,
        "limit_value": 0.556,
        "unit": "MiB/s",
        "state": CrossingState.will_cross,
        "earliest_date": DAY + timedelta(days=10),
        "expected_date": DAY + timedelta(days=30),
    }
    return Crossing(**(values | changed))


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
        "due_date": DAY + timedelta(days=30),
        "first_seen_date": DAY,
        "last_seen_date": DAY,
        "external_ref": "MQCAP-1",
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


def problem(key: str = "LOG-FILL-30MIN/PLEX1/CSQ1", **changed: Any) -> ProblemDay:
    values: dict[str, Any] = {
        "key": key,
        "site_date": DAY,
        "state": ProblemState.new,
        "severity": Severity.act,
        "over": True,
        "cause": key,
        "first_seen_date": DAY,
        "raised_date": DAY,
        "recent": "1",
        "peak_hour_utc": NOON,
    }
    return ProblemDay(**(values | changed))


def mark(key: str = "LOG-FILL-30MIN/PLEX1/CSQ1", **changed: Any) -> Mark:
    values: dict[str, Any] = {
        "key": key,
        "kind": MarkKind.accepted_until,
        "noted_date": DAY,
        "until_date": DAY + timedelta(days=30),
        "note": "accepted risk until 2026-04-01",
        "who": "planner",
    }
    return Mark(**(values | changed))


def step_run(**changed: Any) -> StepRun:
    values: dict[str, Any] = {
        "step": "alert",
        "ended_at_utc": NOON,
        "site_date": DAY,
        "versions": {"mqcap": "0.1.0"},
        "counts": {"problems": 1},
    }
    return StepRun(**(values | changed))


def annotation() -> Annotation:
    return Annotation(
        subject="PLEX1/CSQ1", first_date=DAY, last_date=DAY, note="New logs.", who="anna",
        noted_at_utc=datetime(2026, 3, 2, 12, tzinfo=UTC),
    )  # fmt: skip


def scenario() -> Scenario:
    return Scenario(
        name="more logs", subject="PLEX1/CSQ1", parameters={"logs": "60"}, who="anna",
        saved_at_utc=datetime(2026, 3, 2, 12, tzinfo=UTC),
    )  # fmt: skip
