"""Files and folders: replaced whole, known by their content.

What replaces is written under a temporary name of this process and renamed: readers see the old
content or the new one; so does a power cut where it is ``durable``, which costs milliseconds.
"""

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mqcap.domain.errors import NO_SPACE


def temporary_path(target: Path) -> Path:
    """Return the temporary name ``.NAME.PID`` beside ``target``, of this process."""
    return target.with_name(f".{target.name}.{os.getpid()}")


@contextmanager
def replacing(target: Path, *, durable: bool = True) -> Iterator[Path]:
    """Yield a temporary path to write a file or a folder to; rename it to ``target`` at the end.

    Where the block raises, or writes nothing (FileNotFoundError), ``target`` stays as it was. An
    OSError about the temporary path, or a full disk, names ``target``.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_path(target)
    remove_unfinished([temporary])
    try:
        yield temporary
        _put_in_place(temporary, target, durable=durable)
    except OSError as error:
        remove_unfinished([temporary])
        if _is_of(error, temporary):
            error.filename = str(target)
        raise
    except BaseException:
        remove_unfinished([temporary])
        raise


def _put_in_place(temporary: Path, target: Path, *, durable: bool) -> None:
    if durable:
        _to_disk(temporary)
    if temporary.is_dir() and target.is_dir():
        shutil.rmtree(target)
    temporary.replace(target)
    if durable:
        _synchronise(target.parent)


def _to_disk(path: Path) -> None:
    """Have a file, or a folder with what is in it, written to the disk."""
    for inside in path.iterdir() if path.is_dir() else ():
        _to_disk(inside)
    _synchronise(path)


def _synchronise(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _is_of(error: OSError, path: Path) -> bool:
    """Return whether an error names a path, or is that of writing to an open file."""
    if error.filename is None:
        return error.errno in NO_SPACE
    return str(error.filename) == str(path)


@contextmanager
def replacing_files(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder whose files replace those of ``folder``, unless the block raises."""
    folder.mkdir(parents=True, exist_ok=True)
    temporary = temporary_path(folder / "part")
    remove_unfinished([temporary])
    temporary.mkdir()
    try:
        yield temporary
        for path in sorted(temporary.iterdir()):
            _put_in_place(path, folder / path.name, durable=True)
    finally:
        remove_unfinished([temporary])


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file atomically, with the folders above it. Raises OSError when it cannot."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, text: str) -> None:
    """Write a file in UTF-8 atomically, with the folders above it. Raises OSError."""
    write_bytes(path, text.encode())


def write_json(
    path: Path, document: Mapping[str, Any] | Sequence[Any], *, durable: bool = True
) -> None:
    """Write a document as indented JSON with sorted keys, atomically. Raises OSError."""
    with replacing(path, durable=durable) as temporary:
        temporary.write_text(json.dumps(document, indent=1, sort_keys=True), encoding="utf-8")


def remove_unfinished(paths: Iterable[Path]) -> None:
    """Remove temporary files and folders, of other processes only while none can write them."""
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path)
        elif path.exists():
            path.unlink()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait for the lock of a file, which is made in its folder, and hold it during the block.

    It ends with its process; machines exclude each other where it can lock (NFS from version 4 on).
    """
    with path.open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's content, by which it is known, as 64 hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
