"""Small DAG files for the DAG folder of an existing Airflow: each imports one installed DAG."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mqcap.domain.errors import ConfigurationError

DAG_NAMES: Final = {
    "daily_capacity": ("DAG",),
    "forecast_verification": ("DAG",),
    "housekeeping": ("DAG",),
    "reports": ("DAG",),
}
"""Modules of ``mqcap_dags`` that declare DAGs, with the names of the DAGs."""
PREFIX: Final = "mqcap_"
_FIRST_LINE: Final = '"""An Airflow DAG of the installed package mqcap; written by'
"""How a file begins that may be written again."""
_OWN_IDS: Final = ('"mqcap_daily"', "'mqcap_daily'")


@dataclass(frozen=True)
class WrittenFile:
    """A file of the DAG folder."""

    path: Path
    changed: bool
    """False where it was there, byte for byte."""


def dag_files() -> dict[str, str]:
    """Return the text of each file by its name."""
    return {
        f"{PREFIX}{module}.py": f"{_FIRST_LINE} `mqcap airflow install-dags`."
        f'"""\n\nfrom mqcap_dags.{module} import {", ".join(names)}\n\n'
        f"__all__ = [{', '.join(map(_quoted, names))}]\n"
        for module, names in DAG_NAMES.items()
    }


def install_dags(folder: Path) -> list[WrittenFile]:
    """Write the files into a DAG folder; a second time changes nothing.

    Raises:
        ConfigurationError: the folder is not there or cannot be written, has a file of one of the
            names that is not ours, or another file with the DAG of the daily run. Nothing is
            written then.
    """
    if not folder.is_dir():
        raise ConfigurationError(
            f"{folder} is no folder",
            expected="the DAG folder of Airflow (airflow config get-value core dags_folder)",
        )
    texts = {folder / name: text for name, text in dag_files().items()}
    for path in texts:
        _refuse_foreign(path)
    _refuse_second_copy(folder)
    try:
        return [_written(path, text) for path, text in texts.items()]
    except OSError as error:
        raise ConfigurationError(
            f"{folder} cannot be written",
            found=error.strerror or type(error).__name__,
            remedy="Run the command as the user who owns the DAG folder.",
        ) from error


def _quoted(name: str) -> str:
    return f'"{name}"'


def _refuse_foreign(path: Path) -> None:
    if path.exists() and not _text(path).startswith(_FIRST_LINE):
        raise ConfigurationError(
            f"{path} is not one of ours",
            found="a file of this name that mqcap airflow install-dags has not written",
            remedy="Move it away, then run the command again.",
        )


def _refuse_second_copy(folder: Path) -> None:
    """Refuse a folder with a copy of the DAGs."""
    for path in sorted(folder.rglob("*.py")):
        if any(dag_id in _text(path) for dag_id in _OWN_IDS):
            raise ConfigurationError(
                f"{path} declares the DAG mqcap_daily already",
                found="a copy of the DAGs",
                remedy=f"Remove {path.parent} from the DAG folder: the history of a DAG stays, it "
                "belongs to the name of the DAG.",
            )


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _written(path: Path, text: str) -> WrittenFile:
    changed = _text(path) != text
    if changed:
        path.write_text(text, encoding="utf-8")
    return WrittenFile(path, changed)
