"""Where the datasets of the lake stand, and what has been done with which file.

Nothing is passed between steps but what stands here, so a step that was killed is repaired by
running it again: files are written under another name and renamed, the manifest of a landed
file last of all.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

LANDING: Final = "landing"
MANIFEST: Final = "manifest"
METRIC_SOURCES: Final = "metric_sources"
RAN: Final = "ran"
METRIC_CATALOGUE: Final = "metric_catalogue.json"


class LandedFile(BaseModel):
    """A file as delivered: ``landing/source=S/received_date=D/<sha256><suffix>``."""

    model_config = ConfigDict(frozen=True)

    path: Path
    sha256: str
    received_date: date
    bytes_count: int


class Manifest(BaseModel):
    """What was found in one landed file; its presence says that the file is done.

    With a ``problem`` the file gave no rows. ``hour_dates`` are the UTC dates whose hourly
    values may depend on it.
    """

    model_config = ConfigDict(frozen=True)

    sha256: str
    source: str
    name: str
    received_date: date
    decoder_version: str
    framing: str = ""
    bytes: dict[str, int] = {}
    records: int = 0
    rows: dict[str, int] = {}
    first_interval_utc: datetime | None = None
    last_interval_utc: datetime | None = None
    hour_dates: tuple[date, ...] = ()
    smfids: tuple[str, ...] = ()
    sysplex_by_smfid: dict[str, str] = {}
    """Where the 74.4 records of the file place the systems."""
    repeated: tuple[str, ...] = ()
    """Datasets in which the file has more than one row under the same key."""
    problems: tuple[str, ...] = ()
    problem: str | None = None


def landed_files(lake: Path) -> Iterator[LandedFile]:
    """Every landed file, in order of its path."""
    for path in sorted((lake / LANDING).glob("source=*/received_date=*/*")):
        if not path.name.startswith("."):
            yield LandedFile(
                path=path,
                sha256=path.name.split(".", 1)[0],
                received_date=date.fromisoformat(path.parent.name.partition("=")[2]),
                bytes_count=path.stat().st_size,
            )


def manifests(lake: Path) -> list[Manifest]:
    """The manifests of all decoded files, in order of the hash."""
    paths = sorted((lake / MANIFEST).glob("*.json"))
    return [Manifest.model_validate_json(path.read_bytes()) for path in paths]


def manifest_path(lake: Path, sha256: str) -> Path:
    """Where the manifest of one landed file stands."""
    return lake / MANIFEST / f"{sha256}.json"


def dataset_file(lake: Path, dataset: str, received_date: date, sha256: str) -> Path:
    """Where the rows of one landed file stand in one dataset."""
    return lake / dataset / f"received_date={received_date.isoformat()}" / f"{sha256}.parquet"


def dataset_files(lake: Path, dataset: str, sources: Iterable[Manifest]) -> list[str]:
    """Files of ``dataset`` that the given sources have rows in, in order."""
    return [
        str(dataset_file(lake, dataset, source.received_date, source.sha256))
        for source in sources
        if source.rows.get(dataset)
    ]


def counts_file(lake: Path, app: str) -> Path:
    """Where an app that was submitted says what it has counted."""
    return lake / RAN / f"{app}.json"


def write_json(path: Path, document: Mapping[str, Any] | Sequence[Any]) -> None:
    """Write a document so that readers see the old one or the new one, never a part."""
    write_text(path, json.dumps(document, indent=1, sort_keys=True))


def write_text(path: Path, text: str) -> None:
    """Write a file under a temporary name and rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def partition_files(folder: Path) -> dict[str, frozenset[str]]:
    """For each partition folder of a dataset (``key=value``): the names of its files."""
    return {
        partition.name: frozenset(path.name for path in partition.glob("*.parquet"))
        for partition in folder.glob("*=*")
    }


def remove_untouched(
    folder: Path, before: Mapping[str, frozenset[str]], rewritten: Iterable[str]
) -> int:
    """Remove those partitions that should have been rewritten but got no rows.

    ``before`` is what ``partition_files`` said ahead of the write: a partition with the same
    files as then was not replaced, because there is nothing left to put in it.
    """
    count = 0
    for name in rewritten:
        partition = folder / name
        if name in before and partition_files(folder).get(name) == before[name]:
            shutil.rmtree(partition)
            count += 1
    return count
