"""A store with judged days, and the settings of a site that notifies its planners."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from mqcap.domain.delivery import Delivery
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import SubjectKind, series_id
from mqcap.settings import Settings
from mqcap.store.crossings import replace_crossings
from mqcap.store.findings import replace_findings
from mqcap.store.locks import PROBLEMS_LOCK, exclusive
from mqcap.store.models import Observation, SeriesFacts
from mqcap.store.outbox import read_deliveries
from tests.factories import DAY, finding
from tests.mqcap.notifications.builders import breached

ONE_DAY = timedelta(days=1)


def site(folder: Path, **alerts: Any) -> Settings:
    given = {
        "mail_to": ("planners@example.com", "mq-team@example.com"),
        "mail_folder": folder / "mail",
        "page_url": "http://localhost/capacity",
        **alerts,
    }
    lake = str(folder / "lake")
    return Settings.model_validate({"alerts": given, "estate": [], "lake": lake})


def judge(engine: Engine, day: date, findings: Iterable[Finding]) -> None:
    result = [item.model_copy(update={"site_date": day}) for item in findings]
    with exclusive(engine, PROBLEMS_LOCK):  # as the step does
        replace_findings(engine, day, result)
        replace_crossings(engine, day, [breached(item, DAY) for item in result if item.breach])


def over(subject: str = "PLEX1/CSQ1", **changed: Any) -> Finding:
    return finding(subject, **changed)


def fine(subject: str = "PLEX1/CSQ1", **changed: Any) -> Finding:
    values: dict[str, Any] = {
        "severity": Severity.ok,
        "breach": False,
        "headroom_ratio": 0.6,
        "observed": 0.2,
    }
    return finding(subject, **(values | changed))


def site_with(settings: Settings, **alerts: Any) -> Settings:
    changed = settings.alerts.model_copy(update=alerts)
    return settings.model_copy(update={"alerts": changed})


def mails_of(engine: Engine, channel: str = "mail") -> list[Delivery]:
    return [delivery for delivery in read_deliveries(engine) if delivery.channel == channel]


def facts(subject: str) -> SeriesFacts:
    return SeriesFacts(
        series_id=series_id("log_growth_mib_per_s", subject),
        metric="log_growth_mib_per_s",
        subject=subject,
        subject_kind=SubjectKind.queue_manager,
        unit="MiB/s",
    )


def busiest(subject: str, day: date = DAY, hour: int = 14, peak: float = 1.2) -> Observation:
    return Observation(
        series_id=series_id("log_growth_mib_per_s", subject),
        site_date=day,
        mean=peak / 2,
        p95=peak,
        peak=peak,
        busiest_hour_utc=datetime(day.year, day.month, day.day, hour, tzinfo=UTC),
        covered_hours=24.0,
    )
