"""Daemon that Spark forks its Python workers from (``spark.python.daemon.module``).

Spark puts a zip of PySpark's sources first on the workers' path. Python keeps no compiled modules
of a zip: every daemon and every worker would compile PySpark anew, which takes longer than all
other imports together. Where the same PySpark is installed, it is taken instead. What the workers
of a session need is imported here, once; they have it when they are forked.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

IMPORTS_VARIABLE: Final = "MQCAP_WORKERS_IMPORT"
"""The modules that the session's workers need, with commas; imported before they are forked."""
_ARCHIVES: Final = frozenset({".zip", ".jar"})


def main() -> None:
    """Serve Spark as ``pyspark.daemon`` does, with everything imported.

    Raises ImportError when a module of the session, or what it imports, is not installed here.
    """
    sys.path[:] = without_archives(sys.path, os.environ.get("SPARK_HOME"))
    for name in filter(None, ("pyspark.worker", *os.environ.get(IMPORTS_VARIABLE, "").split(","))):
        importlib.import_module(name)
    gc.freeze()  # no worker collects, and so copies, what all of them share
    importlib.import_module("pyspark.daemon").manager()


def without_archives(path: Sequence[str], spark_home: str | None) -> list[str]:
    """Return the module path without Spark's archives, where Spark is an installed PySpark.

    Elsewhere the path stays: an archive is then the only PySpark, or one of another version.
    """
    real = [Path(entry).resolve() for entry in path]
    home = Path(spark_home or "nowhere").resolve()
    if not (home.name == "pyspark" and (home / "__init__.py").is_file() and home.parent in real):
        return list(path)
    return [
        entry
        for entry, resolved in zip(path, real, strict=True)
        if resolved.suffix not in _ARCHIVES or not resolved.is_relative_to(home)
    ]


def no_operation(_: Iterable[int]) -> None:
    """Do nothing: the first task of a worker only starts it."""


if __name__ == "__main__":
    main()
