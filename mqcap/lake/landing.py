"""Where things stand in the lake, for the steps that touch it without Spark."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

LANDING: Final = "landing"


def landing_folder(lake: Path, source: str, received_date: date) -> Path:
    """Folder of the files of one source that arrived on one day."""
    return lake / LANDING / f"source={source}" / f"received_date={received_date.isoformat()}"


def landed_paths(lake: Path) -> dict[str, Path]:
    """Every landed file by its content hash."""
    found = sorted((lake / LANDING).glob("source=*/received_date=*/*"))
    return {path.name.partition(".")[0]: path for path in found if not path.name.startswith(".")}


def received_date_of(landed: Path) -> date:
    """The day on which a landed file arrived."""
    return date.fromisoformat(landed.parent.name.partition("=")[2])


def manifests(lake: Path) -> Iterator[dict[str, Any]]:
    """What `decode` wrote about each file, in order of the file's hash."""
    for path in sorted((lake / "manifest").glob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))


def source_digests(lake: Path) -> dict[date, str]:
    """For each hour_date that was aggregated: the digest of what it was made from."""
    digests = {}
    for path in sorted((lake / "metric_sources").glob("hour_date=*.json")):
        day = date.fromisoformat(path.stem.removeprefix("hour_date="))
        digests[day] = str(json.loads(path.read_text(encoding="utf-8"))["sources_digest"])
    return digests


def metric_catalogue(lake: Path) -> list[dict[str, Any]]:
    """The declarations of all metrics, as `aggregate` left them; empty before the first run."""
    path = lake / "metric_catalogue.json"
    if not path.is_file():
        return []
    catalogue: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return catalogue
