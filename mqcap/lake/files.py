"""Read and write files of the lake, in a folder or in an object store.

Readers see the old content or the new one, never a part. What cannot be made again is ``durable``,
as in ``mqcap.files``; the rest may be incomplete after a power cut, which ``FileSizes`` finds.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

from mqcap import files as local_files
from mqcap.files import temporary_path
from mqcap.lake.layout import partitions
from mqcap.lake.location import Location, below, is_url, open_lake
from mqcap.lake.objects import ObjectLocation

REQUESTS_AT_ONCE: Final = 16
"""Objects that are read at the same time where many small ones are needed (ours)."""
_PARQUET: Final = ".parquet"
_PARQUET_END: Final = b"PAR1"


def read_each(locations: Sequence[Location]) -> list[bytes]:
    """Return the contents of some files, in their order."""
    if not any(isinstance(location, ObjectLocation) for location in locations):
        return [location.read_bytes() for location in locations]
    with ThreadPoolExecutor(REQUESTS_AT_ONCE) as pool:
        return list(pool.map(lambda location: location.read_bytes(), locations))


def write_text(location: Location, text: str) -> None:
    """Write a file in UTF-8 at once. Raises OSError or LakeUnavailable when it cannot."""
    if isinstance(location, ObjectLocation):
        location.write_bytes(text.encode())
    else:
        local_files.write_text(location, text)


def write_json(
    location: Location, document: Mapping[str, Any] | Sequence[Any], *, durable: bool = False
) -> None:
    """Write a document as indented JSON with sorted keys, at once."""
    if isinstance(location, ObjectLocation):
        location.write_bytes(json.dumps(document, indent=1, sort_keys=True).encode())
    else:
        local_files.write_json(location, document, durable=durable)


@contextmanager
def replacing(location: Location, *, durable: bool = False) -> Iterator[Path]:
    """Yield a path here to write a file to, which replaces ``location`` unless the block raises."""
    if not isinstance(location, ObjectLocation):
        with local_files.replacing(location, durable=durable) as temporary:
            yield temporary
        return
    with tempfile.TemporaryDirectory(prefix="mqcap-") as folder:
        temporary = Path(folder) / location.name
        yield temporary
        location.upload(temporary)


def replace_folder(
    folder: Location, files: Mapping[str, Callable[[Path], object]], *, durable: bool = False
) -> None:
    """Replace what is in a folder by files, each written by its function; objects one by one."""
    if isinstance(folder, ObjectLocation):
        for name, write in files.items():
            with replacing(folder / name) as file:
                write(file)
        return
    with local_files.replacing(folder, durable=durable) as temporary:
        temporary.mkdir()
        for name, write in files.items():
            write(temporary / name)


def remove(location: Location) -> None:
    """Remove a file, or a folder with all that is in it; neither is no error."""
    if isinstance(location, ObjectLocation):
        if location.is_file():
            location.unlink(missing_ok=True)
        else:
            location.remove_all()
    elif location.is_dir():
        shutil.rmtree(location)
    else:
        location.unlink(missing_ok=True)


def remove_before(lake: Location, dataset: str, first: date) -> int:
    """Remove the partitions of dates before ``first``; returns how many."""
    old = [folder for day, folder in partitions(lake, dataset).items() if day < first]
    for folder in old:
        remove(folder)
    return len(old)


def remove_unfinished(locations: Iterable[Location]) -> None:
    """Remove what a killed process left, while no other process can be writing it."""
    for location in locations:
        remove(location)


def files_below(folder: Location) -> list[Location]:
    """Return all files in a folder and in those below it."""
    if isinstance(folder, ObjectLocation):
        return list(folder.files_below())
    return [path for path in folder.rglob("*") if path.is_file()]


@dataclass
class FileSizes:
    """Lengths of the Parquet files of some datasets, listed once each."""

    lake: Location
    _listed: dict[str, dict[Path, int]] = field(default_factory=dict)

    def of(self, location: Location) -> int | None:
        """Return the length of a file, 0 for one that was cut; ``None`` where there is none."""
        dataset, *parts = below(location, self.lake).parts
        if dataset not in self._listed:
            self._listed[dataset] = dict(_sizes(self.lake / dataset))
        return self._listed[dataset].get(Path(*parts))


def _sizes(folder: Location) -> Iterator[tuple[Path, int]]:
    if isinstance(folder, ObjectLocation):
        depth = len(folder.parts)
        yield from ((Path(*parts[depth:]), size) for parts, size in folder.sizes_below().items())
        return
    root = folder
    for above, _, names in os.walk(root):
        for name in names:
            path = Path(above, name)
            if path.suffix == _PARQUET:
                yield path.relative_to(root), _whole_size(path)


def _whole_size(path: Path) -> int:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - len(_PARQUET_END)))
        return size if file.read() == _PARQUET_END else 0


@contextmanager
def local_copy(location: Location) -> Iterator[Path]:
    """Yield the path of a file on this machine; a copy of an object is removed at the end."""
    with local_copies([str(location)]) as paths:
        yield Path(paths[str(location)])


@contextmanager
def local_copies(addresses: Iterable[str]) -> Iterator[dict[str, str]]:
    """Yield the path on this machine of each file; copies of objects are removed at the end."""
    paths = {address: address for address in addresses}
    objects = {
        address: location
        for address in paths
        if is_url(address) and isinstance(location := open_lake(address), ObjectLocation)
    }
    if not objects:
        yield paths
        return
    with tempfile.TemporaryDirectory(prefix="mqcap-") as folder:
        copies = {
            address: Path(folder) / str(number) / location.name
            for number, (address, location) in enumerate(objects.items())
        }
        for copy in copies.values():
            copy.parent.mkdir()
        with ThreadPoolExecutor(REQUESTS_AT_ONCE) as pool:
            list(pool.map(lambda item: objects[item[0]].download(item[1]), copies.items()))
        yield {**paths, **{address: str(copy) for address, copy in copies.items()}}


class StagedFiles:
    """Files under temporary names: beside their places, or in a folder of this machine."""

    def __init__(self, lake: Location) -> None:
        is_remote = isinstance(lake, ObjectLocation)
        self._folder = Path(tempfile.mkdtemp(prefix="mqcap-")) if is_remote else None

    def begun(self, target: Location) -> Path:
        """Return the path to write the file of a place to; its folder exists."""
        staged = self._staged(target)
        staged.parent.mkdir(parents=True, exist_ok=True)
        return staged

    def publish(self, target: Location) -> int:
        """Put the file of a place there; returns its length. Raises OSError or LakeUnavailable."""
        staged = self._staged(target)
        length = staged.stat().st_size
        if isinstance(target, ObjectLocation):
            target.upload(staged)
        elif isinstance(target, Path):
            staged.replace(target)
        return length

    def drop(self, pattern: Location) -> None:
        """Remove the files that were not published; their places match the pattern."""
        if self._folder is not None:
            shutil.rmtree(self._folder)
        elif isinstance(pattern, Path):
            staged = self._staged(pattern)
            lake = staged.parent.parent.parent
            local_files.remove_unfinished(lake.glob(str(staged.relative_to(lake))))

    def _staged(self, target: Location) -> Path:
        if isinstance(target, ObjectLocation):
            return Path(self._folder or "", *target.parts)
        return temporary_path(Path(str(target)))
