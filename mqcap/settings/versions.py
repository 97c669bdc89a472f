"""Versions and hashes with which a step ran, so that two runs can be compared."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from mqcap.settings import Settings

HASH_DIGITS: Final = 16
CODE: Final = ("mqcap", "forecasting", "sizing", "spark_apps")
"""Folders of all code that makes figures."""
_ROOT: Final = Path(__file__).resolve().parents[2]
_SUFFIXES: Final = frozenset({".py", ".json", ".yaml", ".csv", ".j2"})


def versions(settings: Settings) -> dict[str, str]:
    """Return product and Python version, and hashes of code, rules and settings without secrets."""
    return {
        "mqcap": installed_version("mqcap"),
        "python": platform.python_version(),
        "code_sha256": hash_of(CODE),
        "rules_sha256": hash_of(("sizing",)),
        "settings_sha256": hashlib.sha256(settings.model_dump_json().encode()).hexdigest()[
            :HASH_DIGITS
        ],
    }


@cache
def hash_of(folders: tuple[str, ...]) -> str:
    """Return a hash of the source files of the folders with their paths; computed once.

    The settings of the site (``platform.yaml``) do not count.
    """
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted((_ROOT / folder).rglob("*")):
            if path.suffix in _SUFFIXES and path.is_file() and path.name != "platform.yaml":
                digest.update(f"{path.relative_to(_ROOT).as_posix()}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:HASH_DIGITS]


def installed_version(name: str) -> str:
    """Return the version of an installed package; ``not installed`` without it."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
