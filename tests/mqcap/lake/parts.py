"""Lakes with parts of metrics, for tests of their readers."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mqcap.lake.aggregated import write_metric_catalogue
from mqcap.lake.layout import hour_partition

METRIC = "log_growth_mib_per_s"
CSQ1 = "PLEX1/CSQ1"
FIRST = date(2026, 10, 1)
LAST = FIRST + timedelta(days=29)
CATALOGUE = [
    {"name": METRIC, "label": "Log write rate", "unit": "MiB/s"},
    {"name": "chinit_31bit_used_mib", "label": "Chinit storage, 31-bit, used", "unit": "MiB"},
    {"name": "chinit_64bit_used_mib", "label": "Chinit storage, 64-bit, used", "unit": "MiB"},
    {"name": "structure_elements_used_pct", "label": "Structure elements used", "unit": "%"},
]


def row(day: date, name: str = "", value: float = 1.0, **more: Any) -> dict[str, Any]:
    kind = {"breakdown": "queue", "kind": "queue"} if name else {"breakdown": "", "kind": "whole"}
    return {
        "metric": METRIC,
        "subject": CSQ1,
        "site_date": day,
        "part": name,
        "value": value,
        "covered_seconds": 86_400.0,
        "hour_date": day,
        **kind,
        **more,
    }


def write_parts(lake: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    by_day: dict[date, list[dict[str, Any]]] = {}
    for row in rows:
        plain = dict(row)
        by_day.setdefault(plain.pop("hour_date"), []).append(plain)
    for day, of_day in by_day.items():
        folder = hour_partition(lake, "metric_part", day)
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(of_day), folder / "part-0.parquet")
    write_metric_catalogue(lake, CATALOGUE)


def growing_part(
    lake: Path, metric: str, subject: str, name: str, kind: str, *, rest: float
) -> None:
    """A figure on two Fridays: a part that grows from 10 to 30, and what no part explains."""
    more = {"metric": metric, "subject": subject}
    rows = []
    for day, value in ((LAST - timedelta(days=28), 10.0), (LAST, 30.0)):
        rows += [
            row(day, value=value + rest, **more),
            row(day, name, value, **more, breakdown=kind, kind=kind),
        ]
    write_parts(lake, rows)


def growing_log(lake: Path, last: date = LAST) -> None:
    """30 days in the second half of which PAY.IN is twice 0.2 MiB/s; nothing else changes."""
    rows = []
    for number in range(30):
        day = last - timedelta(days=29 - number)
        pay = 0.2 if number < 15 else 0.4
        rows += [
            row(day, value=0.8 + pay),
            row(day, "PAY.IN", pay),
            row(day, "ORDER.IN", 0.5),
            row(day, "others", 0.3, kind="other"),
            row(day, "PAYJOB", 0.9 * (0.8 + pay), breakdown="application", kind="application"),
        ]
    write_parts(lake, rows)
