"""Results of aggregation beside its datasets: source digests, metric catalogue, counts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from mqcap.lake.files import read_each, write_json
from mqcap.lake.layout import (
    METRIC_SOURCES,
    counts_path,
    digest_path,
    metric_catalogue_path,
)
from mqcap.lake.location import Location
from mqcap.lake.partitions import partitions

_DIGEST: Final = "sources_digest"


def source_digests(lake: Location) -> dict[date, str]:
    """Return, for each UTC date that was aggregated, the digest of what it was made from."""
    paths = partitions(lake, METRIC_SOURCES)
    contents = read_each(list(paths.values()))
    return {
        day: str(json.loads(content)[_DIGEST]) for day, content in zip(paths, contents, strict=True)
    }


def write_source_digest(lake: Location, hour_date: date, digest: str) -> None:
    """Record that the rows of one UTC date are those of this digest."""
    write_json(digest_path(lake, hour_date), {_DIGEST: digest})


def metric_catalogue(lake: Location) -> list[dict[str, Any]]:
    """Return the declarations of all metrics; empty before the first aggregation.

    As stored, not as models: the lake may be of a release that declared less.
    """
    path = metric_catalogue_path(lake)
    if not path.is_file():
        return []
    catalogue: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return catalogue


def write_metric_catalogue(lake: Location, metrics: Sequence[Mapping[str, Any]]) -> None:
    """Write the declarations of all metrics, unless they are there already."""
    if metric_catalogue(lake) != list(metrics):
        write_json(metric_catalogue_path(lake), metrics)


def app_counts(lake: Location, app: str, day: date | None) -> dict[str, int]:
    """Return the counts that a Spark app submitted for ``day`` has left; else none."""
    path = counts_path(lake, app)
    left = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    counts: dict[str, int] = left["counts"] if left.get("day") == _text(day) else {}
    return counts


def write_app_counts(lake: Location, app: str, day: date | None, counts: Mapping[str, int]) -> None:
    """Leave the counts of a submitted Spark app for whoever submitted it."""
    write_json(counts_path(lake, app), {"day": _text(day), "counts": dict(counts)})


def _text(day: date | None) -> str | None:
    return day.isoformat() if day else None
