"""Rows of the store of the page's benchmark: series, days, findings, crossings and forecasts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Change, Citation, Finding, Severity
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Direction, Statistic, SubjectKind
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from mqcap.store.models import SeriesFacts

DAY: Final = date(2026, 11, 20)
METRICS: Final = ("log_growth_mib_per_s", "chinit_31bit_used_pct", "buffer_pool_used_pct",
                  "page_set_used_pct")  # fmt: skip
KINDS: Final = dict(zip(METRICS, ("queue_manager", "channel_initiator", "buffer_pool", "page_set"),
                        strict=True))  # fmt: skip
SERIES_PER_QMGR: Final = 20


class StoreSize(NamedTuple):
    """Queue managers and days of the store; each queue manager has 20 series."""

    queue_managers: int = 100
    days: int = 3 * 365

    def managers(self) -> list[str]:
        """Names of the queue managers: ``Q`` and a number of three digits."""
        return [f"Q{number:03}" for number in range(self.queue_managers)]

    def subjects(self) -> Iterator[tuple[str, str]]:
        """Yield metric and subject of each series: one of the queue manager, the others below."""
        for name in self.managers():
            manager = f"PLEX1/{name}"
            yield METRICS[0], manager
            yield METRICS[1], f"{manager}/CHINIT"
            for part in range(SERIES_PER_QMGR - 2):
                metric, kind = (METRICS[2], "BP") if part % 2 else (METRICS[3], "PS")
                yield metric, f"{manager}/{kind}{part // 2:02}"


def series_of(size: StoreSize) -> list[SeriesFacts]:
    """Return every series of a store."""
    first = DAY - timedelta(days=size.days - 1)
    return [
        SeriesFacts(series_id=f"{metric}/{subject}", metric=metric, subject=subject,
                    subject_kind=SubjectKind(KINDS[metric]), unit=_unit(metric), forecast=True,
                    first_site_date=first, last_site_date=DAY)
        for metric, subject in size.subjects()
    ]  # fmt: skip


def days_of(series_id: str, days: int) -> Iterator[dict[str, Any]]:
    """Yield the row of each day of a series, the last one first."""
    for back in range(days):
        day = DAY - timedelta(days=back)
        value = 2.0 - 0.001 * back + 0.2 * math.sin(back / 7)
        yield {
            "series_id": series_id,
            "site_date": day,
            "mean": value * 0.5,
            "p95": value * 0.9,
            "peak": value,
            "total": None,
            "busiest_hour_utc": datetime(day.year, day.month, day.day, 9, tzinfo=UTC),
            "covered_hours": 24.0,
        }


def _unit(metric: str) -> str:
    return "MiB/s" if metric == METRICS[0] else "%"


class JudgedDay(NamedTuple):
    """Results of a day."""

    findings: list[Finding]
    crossings: list[Crossing]
    forecasts: list[Forecast]


def judged(size: StoreSize, day: date) -> JudgedDay:
    """Return results of all series; each seventh is urgent, dates of some have moved."""
    made = JudgedDay([], [], [])
    for number, (metric, subject) in enumerate(size.subjects()):
        identity = f"{metric}/{subject}"
        rule = {"l": "LOG-FILL-30MIN", "c": "CHI-80-31BIT", "b": "BP-FREE-15"}.get(
            metric[0], "PS-EXPAND-90"
        )
        urgent = number % 7 == 0 or metric == METRICS[0]
        about: dict[str, Any] = {"rule_id": rule, "subject": subject, "series_id": identity,
                                 "statistic": Statistic.peak, "unit": _unit(metric)}  # fmt: skip
        made.findings.append(
            Finding(**about, site_date=day, severity=Severity.watch if urgent else Severity.ok,
                    title="A limit of the benchmark", summary=f"{subject}: a sentence.",
                    observed=2.0, limit_value=2.2, headroom_ratio=0.09, breach=False,
                    arithmetic=("limit = 4050 MiB / 1800 s = 2.25 MiB/s",),
                    changes=(Change(action="Define larger logs.",
                                    amount=TypedAmount.of(TypedKind.cylinders, 4_883)),),
                    citation=Citation(document="MP16", section="Active logs"))
        )  # fmt: skip
        state = CrossingState.will_cross if urgent else CrossingState.not_within_horizon
        moved = 20 if day < DAY and number % 20 == 0 else 0
        made.crossings.append(
            Crossing(**about, cutoff_date=day, direction=Direction.upward, limit_value=2.2,
                     state=state, earliest_date=day + timedelta(days=40) if urgent else None,
                     expected_date=day + timedelta(days=60 + moved) if urgent else None)
        )  # fmt: skip
        points = tuple(
            ForecastPoint(site_date=day + timedelta(days=ahead), expected=2.0 + ahead / 300,
                          lower=1.9, upper=2.1 + ahead / 200)
            for ahead in range(1, 181)
        )  # fmt: skip
        made.forecasts.append(
            Forecast(series_id=identity, statistic=Statistic.peak, cutoff_date=day, model="made up",
                     horizon_days=180, trained_days=730, interval_width=0.8, points=points)
        )  # fmt: skip
    return made
