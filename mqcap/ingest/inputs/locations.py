"""Locations of inputs: files of a folder, of a pattern, or behind an object-store address.

A location is one file, local or remote. Listing never fails: an input that cannot be listed is a
location too and raises its error when it is fetched, so that it never hides the others.
"""

import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Final, cast
from urllib.parse import unquote, urlsplit

from mqcap.domain.errors import CapacityError, ConfigurationError, InputError, ServiceUnavailable
from mqcap.domain.shown_text import printable

IGNORED_SUFFIXES: Final = frozenset({".part", ".tmp", ".filepart"})
"""A file of a folder or pattern under one of these names is still being transferred."""
PATTERN: Final = re.compile(r"[*?[]")
_ADDRESS: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")

_KINDS: Final = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


@dataclass(frozen=True)
class LocalLocation:
    """A file of this machine."""

    name: str
    path: Path

    def fingerprint(self) -> str:
        """Return a text that changes with the file; raises InputError when it is gone."""
        facts = self._facts()
        return f"{facts.st_size}-{facts.st_mtime_ns}"

    def changed_at(self) -> float:
        """Return when it was last written, in seconds since 1970."""
        return float(self._facts().st_mtime)

    def fetch(self, _folder: Path) -> Path:
        """Return the file itself. Raises InputError when it is unreadable, or no file."""
        self._facts()
        try:
            with self.path.open("rb"):
                return self.path
        except OSError as error:
            raise _unreadable(self.name, error) from error

    def _facts(self) -> os.stat_result:
        try:
            facts = self.path.stat()
        except OSError as error:
            raise _unreadable(self.name, error) from error
        if not stat.S_ISREG(facts.st_mode):
            raise InputError(
                "this is no file",
                file=self.name,
                found=_KINDS.get(stat.S_IFMT(facts.st_mode), "something else"),
                expected="a file, which is read more than once",
                remedy="Write what it gives to a file, and load that.",
            )
        return facts


@dataclass(frozen=True)
class RemoteLocation:
    """An object or file that fsspec reaches; stores differ in the times that they report."""

    name: str
    filesystem: Any
    path: str

    def fingerprint(self) -> str:
        """Return a text that changes with the object; raises as ``fetch``."""
        with _translated(self.name):
            self.filesystem.invalidate_cache()
            return str(self.filesystem.ukey(self.path))

    def fetch(self, folder: Path) -> Path:
        """Return a copy in ``folder``. Raises InputError, or ServiceUnavailable for a retry."""
        target = folder / safe_name(self.path)
        with (
            _translated(self.name),
            self.filesystem.open(self.path, "rb") as source,
            target.open("wb") as copy,
        ):
            shutil.copyfileobj(cast("BinaryIO", source), copy)
        return target


@dataclass(frozen=True)
class UnlistedLocation:
    """An input that cannot be listed, with its error."""

    name: str
    error: CapacityError

    def fingerprint(self) -> str:
        """Raise the error."""
        raise self.error

    def fetch(self, _folder: Path) -> Path:
        """Raise the error."""
        raise self.error


InputLocation = LocalLocation | RemoteLocation | UnlistedLocation
"""A place of one file; ``name`` is for people and the store."""


def input_locations(
    inputs: Iterable[str | Path], *, may_be_empty: bool = False
) -> Iterator[InputLocation]:
    """Yield every file that the inputs name, once, in the order of the inputs and by name.

    An input is a file, a folder (with all folders in it), a pattern (``dumps/**/*.smf``), or an
    address that fsspec knows (``s3://bucket/folder``, ``memory://``, ``file://``), which may be
    a folder or pattern as well. Of folders and patterns, hidden files, symbolic links and names
    of unfinished transfers are left out. A folder or pattern without files is an
    ``UnlistedLocation`` unless it ``may_be_empty``. Raises nothing.
    """
    seen: set[str | Path] = set()
    for given in inputs:
        text = str(given)
        if text.lower().startswith("file://"):
            text = unquote(urlsplit(text).path)
        name = _shown(text) if is_address(text) else printable(text)
        try:
            listed = _remote(text, name) if is_address(text) else _local(text)
        except CapacityError as error:
            listed = [UnlistedLocation(name, error)]
        if not listed and not may_be_empty:
            none = InputError(
                "no file matches the path",
                file=name,
                remedy="Check the path and its case; hidden and unfinished files do not count.",
            )
            listed = [UnlistedLocation(name, none)]
        for location in listed:
            one = location.path if isinstance(location, LocalLocation) else location.name
            if one not in seen:
                seen.add(one)
                yield location


def is_address(text: str) -> bool:
    """Return whether an input is for fsspec and not a path."""
    return _ADDRESS.match(text) is not None


def safe_name(text: str) -> str:
    """Return the last part of a path from anywhere as a name for a file in a folder of ours."""
    name = re.sub(r"[^A-Za-z0-9_.@#$+=-]", "_", re.split(r"[\\/]", text.rstrip("\\/"))[-1])
    return name.lstrip(".")[-100:] or "unnamed"


def _local(text: str) -> list[InputLocation]:
    path, name = Path(text), printable(text)
    refused: list[OSError] = []
    try:
        if path.is_dir():
            walked = os.walk(path, onerror=refused.append)
            paths = sorted(Path(above, name) for above, _, names in walked for name in names)
        elif path.exists() or not PATTERN.search(text):
            return [LocalLocation(name, path)]
        else:
            paths = sorted(_matching(text))
    except OSError as error:
        raise _unreadable(name, error) from error
    listed: list[InputLocation] = [
        LocalLocation(printable(str(file)), file)
        for file in paths
        if _may_be_file(file) and _is_complete(file.name)
    ]
    for refusal in refused:
        folder = printable(str(refusal.filename))
        listed.append(UnlistedLocation(folder, _unreadable(folder, refusal, "folder")))
    return listed


def _matching(pattern: str) -> Iterator[Path]:
    """Yield the visible paths that match; ``**`` follows no link to a folder: it may lead back."""
    path = Path(pattern)
    wanted = path.relative_to(path.anchor)
    if wanted.name == "**":
        wanted /= "*"
    hidden = sum(part.startswith(".") for part in wanted.parts)
    for found in Path(path.anchor).glob(str(wanted)):
        if sum(part.startswith(".") for part in found.parts) <= hidden:
            yield found


def _may_be_file(path: Path) -> bool:
    """Return whether it is a file, or not known to be none: then fetching it tells why."""
    try:
        return path.is_file() and not path.is_symlink()
    except OSError:
        return True


def _remote(text: str, name: str) -> list[InputLocation]:
    if "::" in text:
        raise InputError(
            "chained addresses are not read",
            file=name,
            expected="one address, such as s3://bucket/folder",
            remedy="Name the archive itself: gzip and zip are unpacked here.",
        )
    with _translated(name):
        filesystem, path = _filesystem(text, name)
        filesystem.invalidate_cache()
        if PATTERN.search(path):
            paths = [name for name in filesystem.glob(path) if filesystem.isfile(name)]
        elif filesystem.isdir(path):
            paths = filesystem.find(path)
        else:
            return [RemoteLocation(name, filesystem, path)]
    return [
        RemoteLocation(_shown_beside(name, entry), filesystem, entry)
        for entry in sorted(map(str, paths))
        if _is_complete(PurePosixPath(entry).name)
    ]


def _filesystem(text: str, name: str) -> tuple[Any, str]:
    import fsspec  # noqa: PLC0415 - slow to import, and only for addresses

    scheme = text.partition(":")[0].lower()
    try:
        filesystem: tuple[Any, str] = fsspec.url_to_fs(text)
    except ImportError as error:
        raise ConfigurationError(
            f"{name}: the package that reads {scheme}:// is not installed",
            found=str(error),
            remedy="Install it (s3: s3fs, gs: gcsfs, abfs: adlfs, sftp: paramiko) into the"
            " environment of mqcap and of the Airflow workers.",
        ) from error
    except ValueError as error:
        raise InputError(
            f"addresses with {scheme}:// are not known",
            file=name,
            found=str(error),
            expected="a path, file://, s3://, gs://, abfs://, sftp:// or another one of fsspec",
            remedy="Check the spelling of the address.",
        ) from error
    return filesystem


@contextmanager
def _translated(name: str) -> Iterator[None]:
    try:
        yield
    except CapacityError:
        raise
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError) as error:
        raise _unreadable(name, error) from error
    except Exception as error:
        raise ServiceUnavailable(
            f"{name}: the store did not give the file",
            found=f"{type(error).__name__}: {error}",
            remedy="Check address, network and credentials; the next run tries again.",
        ) from error


def _unreadable(name: str, error: OSError, what: str = "file") -> InputError:
    if isinstance(error, FileNotFoundError):
        remedy = "Check the path and its case."
        return InputError(f"the {what} does not exist", file=name, remedy=remedy)
    return InputError(
        f"the {what} cannot be opened",
        file=name,
        found=error.strerror or str(error),
        remedy="Let the user that runs mqcap read it.",
    )


def _is_complete(name: str) -> bool:
    return not name.startswith(".") and PurePosixPath(name).suffix.lower() not in IGNORED_SUFFIXES


def _shown(address: str) -> str:
    """Return an address without password and query, for messages and the store."""
    scheme, _, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    return printable(f"{scheme}://{host.rpartition('@')[2]}{slash}{path.partition('?')[0]}")


def _shown_beside(name: str, listed: str) -> str:
    """Return the address of an entry of a listing; some stores list paths without host."""
    if is_address(listed):
        return _shown(listed)
    scheme, _, rest = name.partition("://")
    host, path = rest.partition("/")[0], listed.lstrip("/")
    return f"{scheme}://{path if path.startswith(host) else f'{host}/{path}'}"
