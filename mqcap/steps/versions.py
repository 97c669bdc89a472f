"""With what a step ran: versions and hashes that tell two runs apart."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from mqcap.settings import Settings

HASH_DIGITS: Final = 16
_ROOT: Final = Path(__file__).resolve().parents[2]
_CODE: Final = ("mqcap", "forecasting", "sizing", "spark_apps")
_KINDS: Final = frozenset({".py", ".json", ".yaml", ".csv", ".j2"})


def versions(settings: Settings) -> dict[str, str]:
    """Product, Python, and hashes of the code, the rules and the settings without secrets."""
    return {
        "mqcap": _installed("mqcap"),
        "python": platform.python_version(),
        "code_sha256": _hash_of(_CODE),
        "rules_sha256": _hash_of(("sizing",)),
        "settings_sha256": hashlib.sha256(settings.model_dump_json().encode()).hexdigest()[
            :HASH_DIGITS
        ],
    }


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


@cache
def _hash_of(folders: tuple[str, ...]) -> str:
    """Of every source file of the folders with its path; computed once a process."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted((_ROOT / folder).rglob("*")):
            if path.suffix in _KINDS and path.is_file() and path.name != "platform.yaml":
                digest.update(f"{path.relative_to(_ROOT).as_posix()}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:HASH_DIGITS]
