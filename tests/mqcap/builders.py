"""Hourly rows and settings for the tests of the steps."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq


def hours(
    start_utc: datetime, values: Iterable[float], *, subject: str = "PLEX1/CSQ1", **changed: Any
) -> pd.DataFrame:
    """Consecutive whole hours of one series; peak is twice the mean, total its hour's sum."""
    rows = [
        {
            "metric": "log_growth_mib_per_s",
            "subject": subject,
            "hour_utc": start_utc + timedelta(hours=number),
            "value": value,
            "peak": 2 * value,
            "total": value * 3_600,
            "covered_seconds": 3_600.0,
            **changed,
        }
        for number, value in enumerate(values)
    ]
    return pd.DataFrame(rows)


def utc(day: int, hour: int = 0, *, month: int = 3) -> datetime:
    """An instant of 2026."""
    return datetime(2026, month, day, hour, tzinfo=UTC)


def write_hours(lake: Path, frame: pd.DataFrame, digest: str = "first") -> None:
    """Write hourly rows as `aggregate` does: one partition and one source digest a date."""
    for day, part in frame.groupby(frame["hour_utc"].dt.date):
        folder = lake / "metric_hourly" / f"hour_date={day}"
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pandas(part, preserve_index=False), folder / "part.parquet")
        sources = lake / "metric_sources" / f"hour_date={day}.json"
        sources.parent.mkdir(parents=True, exist_ok=True)
        sources.write_text(json.dumps({"sources_digest": digest}), encoding="utf-8")
    declared: Mapping[str, Any] = {
        "name": "log_growth_mib_per_s",
        "unit": "MiB/s",
        "subject_kind": "queue_manager",
        "description": "Growth of the log",
        "reads": ["section_qjst"],
        "forecast": True,
        "ceiling": None,
        "direction": "upward",
    }
    (lake / "metric_catalogue.json").write_text(json.dumps([declared]), encoding="utf-8")
