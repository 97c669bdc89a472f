"""Land: copy what arrived in the inbox into the lake, once per content."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from domain.errors import ConfigurationError, InputError
from ingest.sources.registry import source_for
from pipeline.lake_paths import landing_folder, sha256_of
from settings import Settings
from store.database import Store
from store.reads import source_files
from store.writes import upsert_source_files

IGNORED_SUFFIXES: Final = {".part", ".tmp", ".filepart"}
"""A file under one of these names is still being transferred."""


@dataclass
class _Landing:
    landed: list[dict[str, Any]] = field(default_factory=list)
    known_count: int = 0
    rejected: list[str] = field(default_factory=list)


def land(settings: Settings, engine: Store) -> dict[str, Any]:
    """Copy every file of the inbox whose content is new into the landing folder.

    A file that no source accepts stays where it is and is reported under ``rejected``; the
    others go on. Returns counts and the sentences about rejected files.
    Raises ConfigurationError when the inbox does not exist.
    """
    inbox = settings.ingest.inbox
    if not inbox.is_dir():
        raise ConfigurationError(
            f"ingest.inbox: {inbox} is not a folder",
            remedy="Create it, or set ingest.inbox (MQCAP_INGEST__INBOX) to where dumps arrive.",
        )
    known = {file.sha256 for file in source_files(engine) if file.problem is None}
    result = _Landing()
    for path in _candidates(inbox):
        _land_one(path, Path(settings.lake), known, result)
    upsert_source_files(engine, result.landed)
    return {
        "landed": sum(1 for row in result.landed if row["problem"] is None),
        "known": result.known_count,
        "rejected": result.rejected,
    }


def _candidates(inbox: Path) -> Iterator[Path]:
    for path in sorted(inbox.rglob("*")):
        hidden = path.name.startswith(".") or path.suffix.lower() in IGNORED_SUFFIXES
        if path.is_file() and not hidden and not path.is_symlink():
            yield path


def _land_one(path: Path, lake: Path, known: set[str], result: _Landing) -> None:
    sha256 = sha256_of(path)
    if sha256 in known:
        result.known_count += 1
        return
    now = datetime.now(UTC)
    row: dict[str, Any] = {
        "sha256": sha256,
        "source": "unknown",
        "name": path.name,
        "received_date": now.date(),
        "landed_at_utc": now,
        "bytes_count": path.stat().st_size,
        "problem": None,
    }
    try:
        row["source"] = source_for(path).name
    except InputError as error:
        row["problem"] = str(error)
        result.rejected.append(str(error))
    else:
        known.add(sha256)
        _copy(path, landing_folder(lake, row["source"], now.date()) / f"{sha256}{path.suffix}")
    result.landed.append(row)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    shutil.copyfile(source, temporary)
    temporary.replace(target)
