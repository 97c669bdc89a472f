"""Results of aggregation beside its datasets; what cannot be read is made again."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from mqcap.domain.datasets import (
    FEED_INTERVAL,
    METRIC_HOURLY,
    METRIC_INTERVAL,
    METRIC_PART,
    SOURCE_PAIR,
)
from mqcap.lake.files import FileSizes, read_each, write_json
from mqcap.lake.layout import (
    CONFLICT,
    METRIC_SOURCES,
    digest_path,
    hour_partition,
    metric_catalogue_path,
    parquet_files,
    partitions,
)
from mqcap.lake.location import Location, below

_FIRST: Final = (SOURCE_PAIR, METRIC_PART, FEED_INTERVAL, METRIC_INTERVAL)
AGGREGATED: Final = (*(dataset.name for dataset in _FIRST), CONFLICT, METRIC_HOURLY.name)
"""Datasets of which aggregation writes a partition per UTC date."""
_DIGEST: Final = "sources_digest"
_SIZES: Final = "bytes"
"""Length of each file that aggregation wrote of the date, by its path below the lake."""


def source_digests(lake: Location) -> dict[date, str]:
    """Return the digest by UTC date of what it was aggregated from, where its rows are as written.

    Rows of single intervals are kept of the newest dates only.
    """
    paths, sizes = partitions(lake, METRIC_SOURCES), FileSizes(lake)
    intervals_from = min(partitions(lake, METRIC_INTERVAL.name), default=date.min)
    found = {}
    for day, content in zip(paths, read_each(list(paths.values())), strict=True):
        written = _parsed(content, dict)
        if isinstance(digest := written.get(_DIGEST), str) and all(
            sizes.of(lake / file) == size
            for file, size in written.get(_SIZES, {}).items()
            if day >= intervals_from or not file.startswith(f"{METRIC_INTERVAL.name}/")
        ):
            found[day] = digest
    return found


def write_source_digest(lake: Location, hour_date: date, digest: str) -> None:
    """Record that the rows of one UTC date, as they are now, are those of this digest."""
    files = [
        file
        for dataset in AGGREGATED
        for file in parquet_files(hour_partition(lake, dataset, hour_date))
    ]
    sizes = {below(file, lake).as_posix(): file.stat().st_size for file in files}
    write_json(digest_path(lake, hour_date), {_DIGEST: digest, _SIZES: sizes})


def _parsed(content: bytes, kind: type[Any]) -> Any:
    try:
        document = json.loads(content)
    except ValueError:
        return kind()
    return document if isinstance(document, kind) else kind()


def metric_catalogue(lake: Location) -> list[dict[str, Any]]:
    """Return the declarations of all metrics as stored; empty before the first aggregation."""
    try:
        catalogue: list[dict[str, Any]] = _parsed(metric_catalogue_path(lake).read_bytes(), list)
    except FileNotFoundError:
        return []
    return catalogue


def write_metric_catalogue(lake: Location, metrics: Sequence[Mapping[str, Any]]) -> None:
    """Write the declarations of all metrics, unless they are there already."""
    if metric_catalogue(lake) != list(metrics):
        write_json(metric_catalogue_path(lake), metrics)
