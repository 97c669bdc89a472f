"""A store with a few measured and forecast series, for the commands over findings."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from mqcap.domain.estate import CouplingFacility, QueueManager, Sysplex
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import SubjectKind, series_id
from mqcap.settings import Settings, load_settings
from mqcap.store.database import Store
from mqcap.store.feeds import upsert_source_files
from mqcap.store.observations import replace_observations
from mqcap.store.series import upsert_series
from tests import stores
from tests.mqcap.cli.command_line import COMMAND

DAY = date(2026, 10, 15)
QUEUE_MANAGER = "PLEX1/CSQ1"
LOG = series_id("log_growth_mib_per_s", QUEUE_MANAGER)


def url_of(folder: Path) -> str:
    """The address of a store in a folder."""
    return f"sqlite:///{folder}/store.db"


def new_store(folder: Path) -> Store:
    """An empty store."""
    return stores.new_store(folder / "store.db")


def settings_of(folder: Path, **qmgr: object) -> Settings:
    """A sysplex with one queue manager and one CF; lake and store in the folder."""
    facts = {"name": "CSQ1", "active_log_size_mib": 2_048, "active_logs": 6} | qmgr
    plex = Sysplex(
        sysplex="PLEX1",
        qmgrs=(QueueManager.model_validate(facts),),
        cfs=(CouplingFacility(name="CF01", engines=2),),
    )
    return load_settings(estate=(plex,), lake=str(folder / "lake"), store={"url": url_of(folder)})


def run(folder: Path, settings: Settings, *arguments: str) -> Result:
    """The command line over these settings."""
    file = folder / "settings.yaml"
    document = settings.model_dump(mode="json", by_alias=True, include={"estate", "lake"})
    lines = [f"estate: {document['estate']!r}".replace("None", "null").replace("True", "true")]
    file.write_text("\n".join([*lines, f"lake: {document['lake']}"]), encoding="utf-8")
    environment = {
        "MQCAP_SETTINGS_FILE": str(file),
        "MQCAP_STORE__URL": url_of(folder),
        "COLUMNS": "1000",  # no sentence is wrapped
    }
    return CliRunner(env=environment).invoke(COMMAND, list(arguments))


def observe(
    engine: Store,
    metric: str,
    subject: str,
    values: Mapping[date, float],
    *,
    kind: SubjectKind = SubjectKind.queue_manager,
    unit: str = "MiB/s",
) -> None:
    """Measured days: these peaks, p95 at nine tenths and mean at half of them."""
    _observe(engine, (metric, subject, kind, unit), values, 0.5)


def observe_limit(
    engine: Store, metric: str, subject: str, values: Mapping[date, float], kind: SubjectKind
) -> None:
    """Days of a limit that is counted, and did not change within any of them."""
    _observe(engine, (metric, subject, kind, "count"), values, 1.0)


def _observe(
    engine: Store,
    series: tuple[str, str, SubjectKind, str],
    values: Mapping[date, float],
    mean_of_peak: float,
) -> None:
    metric, subject, kind, unit = series
    identity = series_id(metric, subject)
    facts: dict[str, Any] = {"series_id": identity, "metric": metric, "subject": subject}
    upsert_series(engine, [facts | {"subject_kind": kind, "unit": unit}])
    rows = [
        {
            "series_id": identity,
            "site_date": day,
            "mean": value * mean_of_peak,
            "p95": value * 0.9,
            "peak": value,
            "busiest_hour_utc": datetime(day.year, day.month, day.day, 10, tzinfo=UTC),
            "covered_hours": 24.0,
        }
        for day, value in values.items()
    ]
    replace_observations(engine, [], rows, {})


def landed(engine: Store, name: str, first: datetime) -> None:
    """A file that has arrived, with an interval of an hour."""
    row = {
        "sha256": name.ljust(64, "0"),
        "source": "smf",
        "name": name,
        "received_date": DAY,
        "landed_at_utc": first,
        "bytes_count": 1,
        "first_interval_utc": first,
        "last_interval_utc": first + timedelta(hours=1),
    }
    upsert_source_files(engine, [row])


def days(count: int, value: float) -> dict[date, float]:
    """The last days up to ``DAY`` at one value."""
    return {DAY - timedelta(days=number): value for number in range(count)}


def rising(identity: str, start: float, rise: float, *, statistic: str = "peak") -> Forecast:
    """A straight forecast over 180 days with a prediction interval of 0.1 on either side."""
    points = tuple(
        ForecastPoint(
            site_date=DAY + timedelta(days=number),
            expected=start + rise * number,
            lower=start + rise * number - 0.001,
            upper=start + rise * number + 0.001,
        )
        for number in range(1, 181)
    )
    return Forecast.model_validate(
        {
            "series_id": identity,
            "statistic": statistic,
            "cutoff_date": DAY,
            "model": "prophet",
            "horizon_days": 180,
            "trained_days": 100,
            "interval_width": 0.8,
            "smape_pct": 4.5,
            "coverage_ratio": 0.78,
            "points": points,
        }
    )
