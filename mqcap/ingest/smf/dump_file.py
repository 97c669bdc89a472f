"""Dump files: the bytes of a file, unpacked when it is gzip, mapped to keep the memory bounded."""

from __future__ import annotations

import gzip
import mmap
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, Final, cast

import numpy as np
from numpy.typing import NDArray

from mqcap.ingest.shown_reading import at_position

if TYPE_CHECKING:
    from typing_extensions import Buffer

GZIP_MAGIC: Final = b"\x1f\x8b"
HEAD_BYTES: Final = 65_536
"""Leading bytes of a file that decide its kind."""
_CHUNK_BYTES: Final = 1 << 18

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class Content:
    """The content of one file; ``problem`` is set when a gzip file is truncated or corrupt."""

    file: str
    data: Bytes
    problem: str | None = None
    mapping: mmap.mmap | None = None

    def release(self, begin: int, end: int) -> None:
        """Release the memory of bytes that were read; they can be read again."""
        first = -(-begin // mmap.PAGESIZE) * mmap.PAGESIZE
        if self.mapping is not None and end > first and hasattr(mmap, "MADV_DONTNEED"):
            self.mapping.madvise(mmap.MADV_DONTNEED, first, end - first)


def read_head(path: Path) -> bytes:
    """Return the first 64 KiB of the content, unpacked from gzip; empty when that is impossible."""
    head = b""
    for chunk in content_chunks(path):
        head += b"" if isinstance(chunk, str) else chunk
        if len(head) >= HEAD_BYTES:
            break
    return head[:HEAD_BYTES]


def open_content(path: Path) -> Content:
    """Map the content of a file, which is not empty; of a corrupt gzip file the readable part."""
    with path.open("rb") as raw:
        if not is_packed(path):
            return _mapped(path.name, raw)
        with tempfile.TemporaryFile() as target:
            problem = _unpack(raw, target)
            target.flush()
            return _mapped(path.name, target, problem)


def is_packed(path: Path) -> bool:
    """Return whether a file is packed by gzip."""
    with path.open("rb") as raw:
        return raw.read(len(GZIP_MAGIC)) == GZIP_MAGIC


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Yield a file of the same name with the unpacked content; it is removed at the end.

    That is the file itself when it is not packed, and when it cannot be unpacked to its end: the
    readers of packed files read what there is of it, and say where it ends. Raises OSError when
    there is no room for the content.
    """
    if not is_packed(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="mqcap-") as folder:
        target = Path(folder) / path.name
        with path.open("rb") as raw, target.open("wb") as out:
            is_whole = _unpack(raw, out) is None and out.tell() > 0
        yield target if is_whole else path


def _unpack(raw: BinaryIO, target: IO[bytes]) -> str | None:
    """Write the unpacked content; a text is the reason of an early end."""
    for chunk in _chunks(raw):
        if isinstance(chunk, str):
            return chunk
        target.write(chunk)
    return None


def view_of(data: Bytes) -> memoryview:
    """Return the same bytes for code that reads single ones, where arrays are slow."""
    return memoryview(cast("Buffer", data))


def _mapped(name: str, file: IO[bytes], problem: str | None = None) -> Content:
    mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return Content(name, np.frombuffer(mapping, np.uint8), problem, mapping)


def _chunks(raw: BinaryIO) -> Iterator[bytes | str]:
    """Yield the unpacked content in pieces; a last piece of text is the reason of an early end."""
    unpacked_bytes = 0
    try:
        with gzip.open(raw) as unpacked:
            while chunk := unpacked.read1(_CHUNK_BYTES):
                unpacked_bytes += len(chunk)
                yield chunk
    except (EOFError, OSError, zlib.error) as error:
        place = f"behind {unpacked_bytes} bytes of content"
        yield f"The gzip file is truncated or corrupt {place} ({error})."


def content_chunks(path: Path) -> Iterator[bytes | str]:
    """Yield the content of a file in pieces; a last text tells why unpacking ended early."""
    with path.open("rb") as raw:
        plain = iter(lambda: raw.read(_CHUNK_BYTES), b"")
        for chunk in _chunks(raw) if is_packed(path) else plain:
            at_position(raw.tell())
            yield chunk
