"""Places in an object store, with the methods of ``Path`` that the lake needs.

An object is replaced as a whole. ``s3://`` is read by ``pyarrow.fs``, which finds region, address
and credentials as programs of AWS do; any other scheme by a package of fsspec.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple, Self

import fsspec
import pyarrow as pa
import pyarrow.fs as pafs

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable

S3: Final = "s3"
CONNECT_SECONDS: Final = 10.0
"""Time to wait for a connection (ours)."""
REQUEST_SECONDS: Final = 60.0
"""Time to wait for the next bytes of an answer (ours)."""
ATTEMPTS: Final = 5
"""Requests in all where a store fails, does not answer or asks for patience (ours)."""
_ADDRESS_VARIABLES: Final = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
_UNDELETED: Final = "errors when deleting objects in S3 bucket"
"""What pyarrow says when some of several objects cannot be deleted, whatever the reason."""
_CODE: Final = re.compile(r"AWS Error (\w+(?: \(HTTP status \d+\))?) during (\w+) operation")
_REMEDY_BY_CODE: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        (
            "ACCESS_DENIED",
            "INVALID_ACCESS_KEY_ID",
            "SIGNATURE_DOES_NOT_MATCH",
            "EXPIRED_TOKEN",
            "INVALID_CLIENT_TOKEN_ID",
            "UNRECOGNIZED_CLIENT",
            "INVALID_SIGNATURE",
        ),
        "Check the credentials of this machine (AWS_ACCESS_KEY_ID, AWS_PROFILE or its role), and "
        "that they may list, read, write and delete in the bucket.",
    ),
    "REQUEST_TIME_TOO_SKEWED": "Set the clock of this machine; the object store refuses requests "
    "whose time differs by more than it allows.",
    "NO_SUCH_BUCKET": "Create the bucket, or correct lake in the settings (MQCAP_LAKE).",
}
_REMEDY: Final = (
    "Check that this machine reaches the object store (AWS_ENDPOINT_URL); then run the step again."
)


class LakeUnavailable(ServiceUnavailable):
    """The object store of the lake does not answer, or refuses."""


@cache
def filesystem(scheme: str) -> pafs.FileSystem:
    """Return the one client of a kind of object store; ConfigurationError where it is not known."""
    if scheme == S3:
        address = next(filter(None, map(os.environ.get, _ADDRESS_VARIABLES)), None)
        return pafs.S3FileSystem(
            endpoint_override=address,
            region=os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION"),
            connect_timeout=CONNECT_SECONDS,
            request_timeout=REQUEST_SECONDS,
            retry_strategy=pafs.AwsStandardS3RetryStrategy(max_attempts=ATTEMPTS),
        )
    try:
        return pafs.PyFileSystem(pafs.FSSpecHandler(fsspec.filesystem(scheme)))
    except (ImportError, ValueError) as error:
        raise ConfigurationError(
            f"lake: an object store of kind {scheme}:// cannot be opened",
            found=str(error),
            expected="a folder, or s3://bucket/folder",
            remedy="Correct lake in the settings, or MQCAP_LAKE.",
        ) from error


@contextmanager
def using(place: object, purpose: str) -> Iterator[pafs.FileSystem]:
    """Yield the client of a ``scheme://key`` that is ``listed``, ``read`` or ``written``.

    Raises FileNotFoundError, or LakeUnavailable with the code of the store and never its text.
    """
    scheme = str(place).partition("://")[0]
    try:
        yield filesystem(scheme)
    except FileNotFoundError:
        raise
    except OSError as error:
        if error.errno is not None:
            raise
        code, operation = _answer(str(error))
        raise LakeUnavailable(
            f"{place} cannot be {purpose}",
            found=f"{code} of {operation}" if code else type(error).__name__,
            remedy=_REMEDY_BY_CODE.get(code, _REMEDY),
        ) from None


def _answer(text: str) -> tuple[str, str]:
    found = _CODE.search(text)
    if found:
        return found[1], found[2]
    return ("ACCESS_DENIED", "DeleteObjects") if _UNDELETED in text else ("", "")


_WILD = frozenset("*?[")
_BLOCK_BYTES = 8 << 20


class ObjectSize(NamedTuple):
    """What is known of an object."""

    st_size: int
    """Length in bytes."""


@dataclass(frozen=True, order=True)
class ObjectLocation:
    """A key of an object store, or the common begin of keys."""

    scheme: str
    parts: tuple[str, ...]
    """Bucket first."""

    @classmethod
    def at(cls, scheme: str, path: str) -> Self:
        """Return the place of an address without its scheme; ConfigurationError for none."""
        parts = tuple(part for part in path.split("/") if part)
        if not parts:
            raise ConfigurationError(
                "lake: the address names no bucket",
                found=f"{scheme}://{path}",
                expected="a folder, or s3://bucket/folder",
                remedy="Correct lake in the settings, or MQCAP_LAKE.",
            )
        filesystem(scheme)
        return cls(scheme, parts)

    def __str__(self) -> str:
        return f"{self.scheme}://{self.key}"

    @property
    def key(self) -> str:
        """Bucket and key, as ``pyarrow.fs`` wants them."""
        return "/".join(self.parts)

    @property
    def name(self) -> str:
        """Last part of the key."""
        return self.parts[-1]

    @property
    def parent(self) -> Self:
        """The place above."""
        return self._of(self.parts[:-1])

    def __truediv__(self, key: str) -> Self:
        return self._of((*self.parts, *PurePosixPath(key).parts))

    def absolute(self) -> Self:
        """Return the place itself."""
        return self

    def glob(self, pattern: str) -> Iterator[Self]:
        """Yield the places below this one whose names match, in order; hidden ones too."""
        found, names = {self}, PurePosixPath(pattern).parts
        for index, name in enumerate(names):
            if _WILD.isdisjoint(name):
                found = {place / name for place in found}
            elif index < len(names) - 1 and all(map(_WILD.intersection, names[index:])):
                found = {
                    self._of(parts[: len(place.parts) + len(names) - index])
                    for place in found
                    for parts in place.sizes_below()
                    if _matches(parts[len(place.parts) :], names[index:])
                }
                break
            else:
                listed = (
                    _parts(info) for place in found for info in _infos(place, recursive=False)
                )
                found = {self._of(parts) for parts in listed if fnmatchcase(parts[-1], name)}
        wild = not _WILD.isdisjoint(names[-1])
        yield from sorted(place for place in found if wild or place.is_file() or place.is_dir())

    def files_below(self) -> Iterator[Self]:
        """Yield every object below this place, in order."""
        yield from map(self._of, sorted(self.sizes_below()))

    def sizes_below(self) -> dict[tuple[str, ...], int]:
        """Return the length of every object below this place by its parts, bucket first."""
        infos = _infos(self, recursive=True)
        return {_parts(info): info.size for info in infos if info.is_file}

    def is_file(self) -> bool:
        """Return whether there is an object of this key."""
        return bool(self._info().is_file)

    def is_dir(self) -> bool:
        """Return whether there is an object below this place."""
        return bool(self._info().type.name == "Directory")

    def stat(self) -> ObjectSize:
        """Return the length of an object; raises FileNotFoundError without one."""
        info = self._info()
        if not info.is_file:
            raise FileNotFoundError(str(self))
        return ObjectSize(info.size)

    def read_bytes(self) -> bytes:
        """Return the content of an object; raises FileNotFoundError without one."""
        with using(self, "read") as store, store.open_input_stream(self.key) as stream:
            content: bytes = stream.read()
            return content

    def write_bytes(self, content: bytes | pa.Buffer) -> None:
        """Replace the object by this content at once."""
        with using(self, "written") as store, store.open_output_stream(self.key) as stream:
            stream.write(content)

    def upload(self, file: Path) -> None:
        """Replace the object by the content of a local file at once."""
        if file.stat().st_size == 0:
            self.write_bytes(b"")
            return
        with pa.memory_map(str(file)) as source:
            self.write_bytes(source.read_buffer())

    def download(self, file: Path) -> None:
        """Write the content of the object to a local file; raises FileNotFoundError without one."""
        with (
            using(self, "read") as store,
            store.open_input_stream(self.key) as source,
            file.open("wb") as target,
        ):
            while block := source.read(_BLOCK_BYTES):
                target.write(block)

    def unlink(self, missing_ok: bool = False) -> None:
        """Delete the object; raises FileNotFoundError without one, unless it may be missing."""
        may_be_gone = suppress(FileNotFoundError) if missing_ok else nullcontext()
        with may_be_gone, using(self, "written") as store:
            store.delete_file(self.key)

    def remove_all(self) -> None:
        """Delete every object below this place; none is no error."""
        with using(self, "written") as store:
            store.delete_dir_contents(self.key, missing_dir_ok=True)

    def _of(self, parts: tuple[str, ...]) -> Self:
        return type(self)(self.scheme, parts)

    def _info(self) -> pafs.FileInfo:
        with using(self, "read") as store:
            return store.get_file_info(self.key)


def _infos(place: ObjectLocation, *, recursive: bool) -> list[pafs.FileInfo]:
    with using(place, "listed") as store:
        selector = pafs.FileSelector(place.key, recursive=recursive, allow_not_found=True)
        infos: list[pafs.FileInfo] = store.get_file_info(selector)
        return infos


def _parts(info: pafs.FileInfo) -> tuple[str, ...]:
    return tuple(part for part in info.path.split("/") if part)


def _matches(parts: tuple[str, ...], names: tuple[str, ...]) -> bool:
    return len(parts) >= len(names) and all(map(fnmatchcase, parts, names))
