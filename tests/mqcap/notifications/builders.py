"""Findings, crossings and digests for tests; each builder takes what the test is about."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.feed import FeedDay, FeedKind, FeedState, Gap, GapCause
from mqcap.domain.finding import Change, Citation, Finding, InputValue, Severity
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Direction, Statistic, series_id
from mqcap.domain.ticket import Ticket
from mqcap.notifications.digest import NO_SITE, Digest, Problem, Results, digest
from mqcap.notifications.email_message import Letterhead
from mqcap.settings import AlertSettings

DAY = date(2026, 3, 2)
QUICK = NO_SITE._replace(alerts=AlertSettings(raise_days=1, clear_days=1))
"""The grading of a site where one day raises a problem and one settles it."""
LETTERHEAD = Letterhead(
    site_name="Example bank",
    mail_from="mqcap@example.com",
    mail_to=("planners@example.com", "mq-team@example.com"),
    page_url="http://localhost:8080/plugin/capacity",
)


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
                typed="CYL(3073)",
                side_effects="Dual logging doubles the space.",
            ),
        ),
        "caveats": ("Log compression is not considered.",),
        "inputs": (
            InputValue(
                name="log_growth_mib_per_s",
                value=1.2,
                unit="MiB/s",
                source="log_growth_mib_per_s/PLEX1/CSQ1, peak on 2026-02-27",
            ),
            InputValue(name="log_size_mib", value=1000, unit="MiB", source="estate"),
        ),
        "citation": Citation(document="MP16", section="Active logs"),
    }
    return Finding(**(values | changed))


def cf_finding(subject: str = "PLEX1/CF01", **changed: Any) -> Finding:
    values: dict[str, Any] = {
        "rule_id": "CF-CPU-60",
        "severity": Severity.watch,
        "title": "CF processor busy",
        "summary": f"{subject}: 51% busy at peak; the limit is 60% of 3 engines.",
        "observed": 51.0,
        "limit_value": 60.0,
        "unit": "%",
        "breach": False,
        "headroom_ratio": 0.15,
        "series_id": series_id("cf_busy_pct", subject),
        "arithmetic": ("60% - 51% = 9 points",),
        "changes": (),
        "advice": "",
        "caveats": (),
        "inputs": (),
        "citation": Citation(document="MP16", section="Coupling facility"),
    }
    return finding(subject, **(values | changed))


def feed(subject: str = "PLEX1/CSQ1", **changed: Any) -> FeedDay:
    """Three hours of a queue manager's statistics have not arrived."""
    gap = Gap(
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
        "gaps": (gap,),
        "summary": f"{subject}: 3 h of 24 h are missing, 09:00 to 12:00 UTC.",
        "remedy": "Ask for the dump again.",
    }
    return FeedDay(**(values | changed))


def crossing(of: Finding, **changed: Any) -> Crossing:
    values: dict[str, Any] = {
        "rule_id": of.rule_id,
        "subject": of.subject,
        "cutoff_date": of.site_date,
        "series_id": of.series_id,
        "statistic": of.statistic,
        "direction": of.direction,
        "limit_value": of.limit_value,
        "unit": of.unit,
        "state": CrossingState.will_cross,
        "earliest_date": of.site_date + timedelta(days=31),
        "expected_date": of.site_date + timedelta(days=58),
        "latest_date": of.site_date + timedelta(days=119),
    }
    return Crossing(**(values | changed))


def breached(of: Finding, since: date = date(2026, 1, 30)) -> Crossing:
    return crossing(
        of,
        state=CrossingState.breached,
        breached_since=since,
        earliest_date=None,
        expected_date=None,
        latest_date=None,
    )


def results(
    findings: Iterable[Finding],
    crossings: Iterable[Crossing] = (),
    day: date = DAY,
    feeds: Iterable[FeedDay] = (),
) -> Results:
    return Results(
        site_date=day,
        findings=tuple(findings),
        crossings=tuple(crossings),
        feeds=tuple(feeds),
    )


def problem(of: Finding, its_crossing: Crossing | None = None) -> Problem:
    said = digest(results([of], [its_crossing] if its_crossing else []))
    return said.problems[0]


def estate_digest() -> Digest:
    """One problem over its limit, one that will be, one resolved, one not judged."""
    over, soon = finding(), cf_finding()
    before = results([cf_finding("PLEX1/CF02"), finding(site_date=DAY - timedelta(days=1))])
    return digest(
        results(
            [
                soon,
                over,
                cf_finding("PLEX1/CF02", severity=Severity.ok, observed=30.0, headroom_ratio=0.5),
                finding(
                    "PLEX1/CSQ9",
                    severity=Severity.unknown,
                    observed=None,
                    limit_value=None,
                    breach=None,
                    headroom_ratio=None,
                    summary="PLEX1/CSQ9: not checked, because log_size_mib is not known.",
                    missing=("log_size_mib: set active_log_size_mib of CSQ9 in the estate",),
                ),
            ],
            [breached(over), crossing(soon)],
        ),
        before.model_copy(update={"site_date": DAY - timedelta(days=1)}),
        QUICK,
    )


def history(last: date = DAY, days: int = 240) -> list[tuple[date, float]]:
    return [
        (last - timedelta(days=back), 50.0 - 0.06 * back - (4.0 if back % 7 > 4 else 0.0))
        for back in range(days)
    ]


def forecast(of: Finding, days: int = 180) -> Forecast:
    return Forecast(
        series_id=of.series_id or "",
        statistic=Statistic.peak,
        cutoff_date=of.site_date,
        model="prophet",
        horizon_days=days,
        trained_days=240,
        interval_width=0.8,
        points=tuple(
            ForecastPoint(
                site_date=of.site_date + timedelta(days=ahead),
                expected=50.0 + 0.06 * ahead,
                lower=48.0 + 0.05 * ahead,
                upper=52.0 + 0.09 * ahead,
            )
            for ahead in range(1, days + 1)
        ),
    )


def ticket(**changed: Any) -> Ticket:
    values: dict[str, Any] = {
        "dedupe_key": "LOG-FILL-30MIN/PLEX1/CSQ1",
        "severity": Severity.act,
        "title": "PLEX1/CSQ1: log",
        "body": "Figures.",
        "first_seen_date": DAY,
        "last_seen_date": DAY,
    }
    return Ticket(**(values | changed))
