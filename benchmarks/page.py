"""How fast the capacity page answers: 2,000 series with three years of daily data.

``PYTHONPATH=plugins python -m benchmarks.page`` makes a store (SQLite, once per folder), asks each
page a few times after a warm-up, and prints the median and the worst time of the server in
milliseconds.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

DAY: Final = date(2026, 11, 20)
DAYS: Final = 3 * 365
QMGRS: Final = 100
SERIES_PER_QMGR: Final = 20
BUDGETS_MS: Final = {"overview": 1_000.0, "series page": 300.0, "series figure": 300.0}
METRICS: Final = ("log_growth_mib_per_s", "chinit_31bit_used_pct", "buffer_pool_used_pct",
                  "page_set_used_pct")  # fmt: skip


def main() -> int:
    """Measure and print; 1 when a budget is not met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="Where the store is kept; default: a new one.")
    parser.add_argument("--rounds", type=int, default=9, help="Requests measured per page.")
    given = parser.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp(prefix="mqcap-page-"))
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("AIRFLOW_HOME", str(folder / "airflow"))
    settings = folder / "platform.yaml"
    settings.write_text(_settings(folder), encoding="utf-8")
    os.environ["MQCAP_SETTINGS_FILE"] = str(settings)
    _fill(folder / "store.db")
    missed = 0
    for name, found in _measured(given.rounds).items():
        budget = BUDGETS_MS.get(name)
        middle = statistics.median(found)
        missed += budget is not None and middle > budget
        words = f"budget {budget:,.0f} ms" if budget else ""
        print(f"{name:16} median {middle:7,.0f} ms   worst {max(found):7,.0f} ms   {words}")
    return 1 if missed else 0


def _measured(rounds: int) -> dict[str, list[float]]:
    from fastapi.testclient import TestClient  # noqa: PLC0415 - after Airflow's home is chosen

    from mq_capacity_page.application import create_application  # noqa: PLC0415 - as above
    from mq_capacity_page.auth import get_user, may_answer  # noqa: PLC0415 - as above

    page = create_application()
    page.dependency_overrides[get_user] = lambda: "reader"
    page.dependency_overrides[may_answer] = lambda: True
    series = f"{METRICS[0]}/PLEX1/Q001"
    asked = {
        "overview": "/",
        "overview, all": "/?system_class=all&rows=5000",
        "series page": f"/series?series={series}",
        "series figure": f"/figure?series={series}&day={DAY}",
        "finding": "/finding?rule=LOG-FILL-30MIN&subject=PLEX1/Q001",
        "findings (API)": "/api/findings",
    }
    with TestClient(page) as client:
        return {name: list(_times(client, path, rounds)) for name, path in asked.items()}


def _times(client: Any, path: str, rounds: int) -> Iterator[float]:
    for number in range(rounds + 1):
        started = time.perf_counter()
        answer = client.get(path)
        assert answer.status_code == 200, answer.text[:500]
        if number:  # the first one warms up
            yield (time.perf_counter() - started) * 1_000


def _settings(folder: Path) -> str:
    managers = ", ".join(f"{{name: Q{number:03}}}" for number in range(QMGRS))
    return (
        "site: {name: Benchmark, timezone: UTC}\n"
        f'store: {{url: "sqlite:///{folder / "store.db"}"}}\n'
        f"estate:\n  - {{sysplex: PLEX1, timezone: UTC, qmgrs: [{managers}]}}\n"
    )


def _subjects() -> Iterator[tuple[str, str]]:
    """Metric and subject of each series: one of the queue manager, the others below it."""
    for number in range(QMGRS):
        manager = f"PLEX1/Q{number:03}"
        yield METRICS[0], manager
        yield METRICS[1], f"{manager}/CHINIT"
        for part in range(SERIES_PER_QMGR - 2):
            metric, kind = (METRICS[2], "BP") if part % 2 else (METRICS[3], "PS")
            yield metric, f"{manager}/{kind}{part // 2:02}"


def _fill(path: Path) -> None:
    from sqlalchemy import insert  # noqa: PLC0415 - only here

    from store import tables, writes  # noqa: PLC0415 - only here
    from store.database import open_store, writing  # noqa: PLC0415 - only here
    from store.models import SeriesFacts  # noqa: PLC0415 - only here

    known = path.exists()
    engine = open_store(f"sqlite:///{path}")
    if not known:
        series = [
            SeriesFacts(series_id=f"{metric}/{subject}", metric=metric, subject=subject,
                        subject_kind=_kind(metric), unit=_unit(metric), forecast=True)
            for metric, subject in _subjects()
        ]  # fmt: skip
        writes.upsert_series(engine, series)
        with writing(engine) as connection:
            for one in series:
                connection.execute(insert(tables.ObservationDaily), list(_days(one.series_id)))
        for day in (DAY - timedelta(days=1), DAY):
            findings, crossings, forecasts = _judged(day)
            writes.replace_findings(engine, day, findings)
            writes.replace_crossings(engine, day, crossings)
            writes.replace_forecasts(engine, day, forecasts)
    engine.dispose()


def _kind(metric: str) -> Any:
    from domain.metric import SubjectKind  # noqa: PLC0415 - only here

    kinds = dict(zip(METRICS, ("queue_manager", "channel_initiator", "buffer_pool", "page_set"),
                     strict=True))  # fmt: skip
    return SubjectKind(kinds[metric])


def _unit(metric: str) -> str:
    return "MiB/s" if metric == METRICS[0] else "%"


def _days(series_id: str) -> Iterator[dict[str, Any]]:
    for back in range(DAYS):
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


def _judged(day: date) -> tuple[list[Any], list[Any], list[Any]]:
    """One finding, crossing and forecast per series; each seventh is urgent."""
    from domain.crossing import Crossing, CrossingState  # noqa: PLC0415 - only here
    from domain.finding import Change, Citation, Finding, Severity  # noqa: PLC0415 - only here
    from domain.forecast import Forecast, ForecastPoint  # noqa: PLC0415 - only here
    from domain.metric import Direction, Statistic  # noqa: PLC0415 - only here

    findings, crossings, forecasts = [], [], []
    for number, (metric, subject) in enumerate(_subjects()):
        identity = f"{metric}/{subject}"
        rule = {"l": "LOG-FILL-30MIN", "c": "CHI-80-31BIT", "b": "BP-FREE-15"}.get(
            metric[0], "PS-EXPAND-90"
        )
        urgent = number % 7 == 0 or metric == METRICS[0]
        about: dict[str, Any] = {"rule_id": rule, "subject": subject, "series_id": identity,
                                 "statistic": Statistic.peak, "unit": _unit(metric)}  # fmt: skip
        findings.append(
            Finding(**about, site_date=day, severity=Severity.watch if urgent else Severity.ok,
                    title="A limit of the benchmark", summary=f"{subject}: a sentence.",
                    observed=2.0, limit_value=2.2, headroom_ratio=0.09, breach=False,
                    arithmetic=("limit = 4050 MiB / 1800 s = 2.25 MiB/s",),
                    changes=(Change(action="Define larger logs.", typed="CYL(4883)"),),
                    citation=Citation(document="MP16", section="Active logs"))
        )  # fmt: skip
        state = CrossingState.will_cross if urgent else CrossingState.not_within_horizon
        crossings.append(
            Crossing(**about, cutoff_date=day, direction=Direction.upward, limit_value=2.2,
                     state=state, earliest_date=day + timedelta(days=40) if urgent else None,
                     expected_date=day + timedelta(days=60) if urgent else None)
        )  # fmt: skip
        points = tuple(
            ForecastPoint(site_date=day + timedelta(days=ahead), expected=2.0 + ahead / 300,
                          lower=1.9, upper=2.1 + ahead / 200)
            for ahead in range(1, 181)
        )  # fmt: skip
        forecasts.append(
            Forecast(series_id=identity, statistic=Statistic.peak, cutoff_date=day, model="made up",
                     horizon_days=180, trained_days=730, interval_width=0.8, points=points)
        )  # fmt: skip
    return findings, crossings, forecasts


if __name__ == "__main__":
    raise SystemExit(main())
