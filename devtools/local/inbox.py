"""Put files into the inbox, as a transfer job would."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from mqcap.domain.atomic import replacing
from mqcap.domain.errors import InputError


def deliver(files: Iterable[Path], inbox: Path) -> int:
    """Copy files, and the files of folders, into the inbox under their own names.

    Returns the number of files copied. Raises InputError for a path that does not exist.
    """
    inbox.mkdir(parents=True, exist_ok=True)
    count = 0
    for path in files:
        if not path.exists():
            raise InputError(
                "the file does not exist", file=str(path), remedy="Check the path and its case."
            )
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                with replacing(inbox / file.name) as temporary:
                    shutil.copyfile(file, temporary)
                    shutil.copystat(file, temporary)
                count += 1
    return count
