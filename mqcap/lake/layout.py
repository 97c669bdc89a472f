"""Paths of the lake: the one module that knows where its files and folders are located.

::

    landing/source=S/received_date=D/<sha256><suffix>   files as delivered
    landing/looked_at.json                              inputs seen by earlier runs
    landing/places.json                                 sysplex or site of delivered files
    landing/deliveries.json                             when received, and what is withdrawn
    manifest/<sha256>.json                              contents of a delivered file
    <dataset>/received_date=D/<sha256>.parquet          decoded rows of a delivered file
    <dataset>/hour_date=D/*.parquet                     aggregated rows
    <dataset>/cutoff_date=D/*.parquet                   training data, forecast results
    metric_sources/hour_date=D.json                     digest of the sources of a date
    metric_catalogue.json                               declarations of all metrics
    ran/<app>.json                                      counts of a submitted Spark app
    kept.json                                           first dates that retention has left
    locks/<part>                                        lock files

The steps hand each other nothing but what is in the lake, so a step that was killed is repaired
by running it again: files are written atomically, the manifest of a delivered file last of all.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from mqcap.lake.location import Location, Place

LANDING: Final = "landing"
SEEN_INPUTS: Final = "looked_at.json"
PLACES: Final = "places.json"
DELIVERIES: Final = "deliveries.json"
MANIFEST: Final = "manifest"
METRIC_SOURCES: Final = "metric_sources"
CONFLICT: Final = "conflict"
"""Dataset of the keys under which records contradict each other; partitioned by hour_date."""
COMPLETE: Final = "_SUCCESS"
"""Empty file in a folder of forecast results that is written last: they are complete."""

_SOURCE: Final = "source"
_RECEIVED_DATE: Final = "received_date"
_HOUR_DATE: Final = "hour_date"
_CUTOFF_DATE: Final = "cutoff_date"
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_DATED: Final = re.compile(r"\.?\w+=(\d{4}-\d{2}-\d{2})\b")


def landing_folder(lake: Place, source: str, received_date: date) -> Place:
    """Return the folder of the files of one source that arrived on one day."""
    return lake / LANDING / f"{_SOURCE}={source}" / _partition_name(_RECEIVED_DATE, received_date)


def landed_file_paths(lake: Place) -> list[Place]:
    """Return the paths of all delivered files, in order; what else is there has other names."""
    paths = (lake / LANDING).glob(f"{_SOURCE}=*/{_RECEIVED_DATE}=*/*")
    return sorted(
        path for path in paths if _SHA256.fullmatch(landed_sha256(path)) and _is_dated(path.parent)
    )


def landed_paths(lake: Place) -> dict[str, Place]:
    """Return the path of every delivered file by its content hash."""
    return {landed_sha256(path): path for path in landed_file_paths(lake)}


def landed_source(landed: Location) -> str:
    """Return the source under which a delivered file is located."""
    return landed.parent.parent.name.partition("=")[2]


def landed_received_date(landed: Location) -> date:
    """Return the day on which a delivered file arrived."""
    return partition_date(landed.parent)


def landed_sha256(landed: Location) -> str:
    """Return the content hash of a delivered file, which is the stem of its name."""
    return landed.name.partition(".")[0]


def unfinished_landing(lake: Place) -> Iterator[Place]:
    """Yield the temporary files that a killed landing has left."""
    for pattern in (".*", f"{_SOURCE}=*/{_RECEIVED_DATE}=*/.*"):
        yield from (lake / LANDING).glob(pattern)


def unfinished_rows(lake: Place, received_date: date) -> Iterator[Place]:
    """Yield the temporary files that a killed decoder has left of files of one day."""
    yield from lake.glob(f"*/{_partition_name(_RECEIVED_DATE, received_date)}/.*")


def landing_document(lake: Place, name: str) -> Place:
    """Return the path of what landing notes: SEEN_INPUTS, PLACES or DELIVERIES."""
    return lake / LANDING / name


def manifest_path(lake: Place, sha256: str) -> Place:
    """Return the path of the manifest of one delivered file."""
    return lake / MANIFEST / f"{sha256}.json"


def rows_path(lake: Place, dataset: str, received_date: date, sha256: str) -> Place:
    """Return the path of the rows that one delivered file has in one dataset."""
    folder = lake / dataset / _partition_name(_RECEIVED_DATE, received_date)
    return folder / f"{sha256}.parquet"


def rows_paths(lake: Place, dataset: str) -> list[Place]:
    """Return the files of all delivered files in one dataset, in order."""
    paths = (lake / dataset).glob(f"{_RECEIVED_DATE}=*/*.parquet")
    return sorted(path for path in paths if _is_dated(path.parent))


def hour_partition(lake: Place, dataset: str, hour_date: date) -> Place:
    """Return the folder of one UTC date of a dataset that aggregation writes."""
    return lake / dataset / _partition_name(_HOUR_DATE, hour_date)


def hour_partitions(lake: Place, dataset: str, first: date, last: date) -> list[Place]:
    """Return the folders of the UTC dates from first to last, in order; some may not exist."""
    days = (first + timedelta(days=count) for count in range((last - first).days + 1))
    return [hour_partition(lake, dataset, day) for day in days]


def cutoff_partition(lake: Place, dataset: str, cutoff_date: date) -> Place:
    """Return the folder of one cutoff date of training data or forecast results."""
    return lake / dataset / _partition_name(_CUTOFF_DATE, cutoff_date)


def dated_paths(lake: Place, dataset: str) -> list[tuple[date, Place]]:
    """Return folders or files ``key=date`` of a dataset by date, those of killed processes too."""
    paths = (lake / dataset).glob("*=*")
    return sorted((partition_date(path), path) for path in paths if _is_dated(path))


def partitions(lake: Place, dataset: str) -> dict[date, Place]:
    """Return the partitions of a dataset by date, in order; none when there is no dataset."""
    return {day: path for day, path in dated_paths(lake, dataset) if not path.name.startswith(".")}


def partition_date(path: Location) -> date:
    """Return the date in a name ``key=date``, also of a temporary one; ValueError without one."""
    match = _DATED.match(path.name)
    if match is None:
        raise ValueError(f"{path}: expected a name such as hour_date=2026-01-31")
    return date.fromisoformat(match[1])


def parquet_files(folder: Place) -> list[Place]:
    """Return the Parquet files in a folder, in order; none where there is no such folder."""
    return sorted(folder.glob("*.parquet"))


def digest_path(lake: Place, hour_date: date) -> Place:
    """Return the path of the digest of the sources of one UTC date."""
    return lake / METRIC_SOURCES / f"{_partition_name(_HOUR_DATE, hour_date)}.json"


def metric_catalogue_path(lake: Place) -> Place:
    """Return the path of the declarations of all metrics."""
    return lake / "metric_catalogue.json"


def retention_state_path(lake: Place) -> Place:
    """Return the path of the first dates that retention has left."""
    return lake / "kept.json"


def lock_path(lake: Place, part: str) -> Place:
    """Return the path of the lock file of one part of the lake."""
    return lake / "locks" / part


def _is_dated(path: Location) -> bool:
    """Return whether a folder or file has a date in its name; one of somebody else has none."""
    return _DATED.match(path.name) is not None


def _partition_name(key: str, day: date) -> str:
    return f"{key}={day.isoformat()}"
