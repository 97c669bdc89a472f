"""Digest of the names, sizes and times of the files of a lake: equal while none has changed."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from mqcap.lake.files import folder_path
from mqcap.lake.location import Location
from mqcap.lake.objects import ObjectLocation

SETTLED_SECONDS: Final = 2.0
"""A file may change again within the resolution of its time, without a sign of it (ours)."""


class FileStamp(NamedTuple):
    """A file of the lake: its parts below the lake, its length, and when it was written."""

    parts: tuple[str, ...]
    size: int
    written_ns: int | None


def digest_of_files(lake: Location, without: Collection[str]) -> str | None:
    """Return the SHA-256 of names, sizes and times of all files but some.

    ``None`` where a later change of a file might not be seen: one was just written, or has no time.

    Args:
        lake: The lake.
        without: Folders right below it, and paths of files, that are left out.
    """
    settled_ns = time.time_ns() - int(SETTLED_SECONDS * 1e9)
    digest = hashlib.sha256()
    for stamp in sorted(_stamps(lake, without), key=_name):
        if stamp.written_ns is None or stamp.written_ns > settled_ns:
            return None
        digest.update(f"{stamp!r}\n".encode())
    return digest.hexdigest()


def _name(stamp: FileStamp) -> str:
    return "/".join(stamp.parts)


def _stamps(lake: Location, without: Collection[str]) -> Iterator[FileStamp]:
    if isinstance(lake, ObjectLocation):
        found: Iterable[FileStamp] = (FileStamp(*stamp) for stamp in lake.stamps_below())
    else:
        root = folder_path(lake)
        found = _below(root, (), without) if root.is_dir() else ()
    for stamp in found:
        if stamp.parts[0] not in without and _name(stamp) not in without:
            yield stamp


def _below(
    folder: Path, parts: tuple[str, ...], without: Collection[str] = ()
) -> Iterator[FileStamp]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name in without:
                continue
            own = (*parts, entry.name)
            if entry.is_dir():
                yield from _below(Path(entry.path), own)
            else:
                found = entry.stat()
                yield FileStamp(own, found.st_size, found.st_mtime_ns)
