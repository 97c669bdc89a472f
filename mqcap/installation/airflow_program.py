"""Asks the program ``airflow`` of this environment, without importing Airflow."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable
from mqcap.installation.airflow_needs import release_here, require_supported

DAILY_DAG: Final = "mqcap_daily"
PLUGIN: Final = "mq_capacity"
_ANSWER_SECONDS: Final = 120.0
_SQLITE: Final = "sqlite:///"
_AT_ONCE: Final = 2
"""Programs that are asked at a time; each of them loads Airflow."""

Ask = Callable[[Sequence[str]], str | None]
"""Returns what ``airflow`` with these arguments prints; ``None`` where it fails."""


@dataclass(frozen=True)
class AirflowState:
    """What an Airflow has of what the product needs."""

    version: str
    slots_by_pool: dict[str, int] = field(default_factory=dict)
    connections: frozenset[str] = frozenset()
    """Those asked for that are there, in the database or the environment."""
    variables: frozenset[str] = frozenset()
    plugins: frozenset[str] = frozenset()
    dags: frozenset[str] = frozenset()
    import_errors: tuple[str, ...] = ()
    """DAG files that cannot be parsed."""


def airflow_program() -> str | None:
    """Return the path of ``airflow`` beside this Python, else on the path; ``None`` without."""
    beside = Path(sys.executable).with_name("airflow")
    return str(beside) if beside.is_file() else shutil.which("airflow")


def ask_airflow(arguments: Sequence[str]) -> str | None:
    """Return what ``airflow`` prints; ``None`` if it fails, ServiceUnavailable if it hangs."""
    program = airflow_program()
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - a program of the environment
            [program, *arguments],
            capture_output=True, text=True, check=False, timeout=_ANSWER_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise ServiceUnavailable(
            "Airflow does not answer",
            found=f"no end of airflow {' '.join(arguments)} within {_ANSWER_SECONDS:.0f} s",
            remedy="Check its database: airflow db check.",
        ) from error
    return done.stdout if done.returncode == 0 else None


def database_was_made(ask: Ask = ask_airflow) -> bool:
    """Return false where Airflow is installed, but its SQLite file has no table: nobody uses it.

    Other databases are taken to be in use, whether they answer or not. An Airflow that does not
    start for this user is a ConfigurationError.
    """
    url = _database_address(ask)
    if not url.startswith(_SQLITE):
        return True
    file = Path(url.removeprefix(_SQLITE).partition("?")[0])
    if not file.is_file():
        return False
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as database:
        try:
            return database.execute("SELECT 1 FROM sqlite_master").fetchone() is not None
        except sqlite3.DatabaseError:
            return True


def _database_address(ask: Ask) -> str:
    """Return the address of Airflow's database, which Airflow tells without the database."""
    answer = ask(["config", "get-value", "database", "sql_alchemy_conn"])
    if answer is None:
        _require_start()
    return (answer or "").strip().rpartition("\n")[2]


def _require_start() -> None:
    """Refuse the Airflow of this environment, which does not start; without one do nothing.

    Other packages of an environment may have replaced those that an older Airflow needs.
    """
    release = release_here()
    if release is not None:
        require_supported(release)
        raise ConfigurationError(
            "Airflow does not start for the user of this command",
            found=f"Airflow {release}, which does not tell its own configuration",
            expected="a folder AIRFLOW_HOME that this user may write",
            remedy="Set AIRFLOW_HOME as the scheduler has it; airflow config list says more.",
        )


def airflow_state(
    connections: Sequence[str], variables: Sequence[str], ask: Ask = ask_airflow
) -> AirflowState:
    """Return what Airflow has, of the connections and variables those that are named.

    One that is not here or not supported is a ConfigurationError, a database that does not answer
    ServiceUnavailable.
    """
    version = (ask(["version"]) or "").strip().rpartition("\n")[2]
    if not version:
        _require_start()
        raise ConfigurationError(
            "Airflow is not in this environment",
            found="no program airflow that starts",
            remedy="Run the command where Airflow runs, or install it: "
            "pip install 'mqcap[airflow,spark]'.",
        )
    require_supported(version)
    pools = ask(["pools", "list", "--output", "json"])
    if pools is None:
        _database_address(ask)
        raise ServiceUnavailable(
            "Airflow's database does not answer", remedy="Run airflow db check, then db migrate."
        )
    lists = [["plugins"], ["dags", "list"], ["dags", "list-import-errors"]]
    single = [["connections", "get", name] for name in connections]
    single += [["variables", "get", name] for name in variables]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        answers = list(pool.map(ask, [[*words, "--output", "json"] for words in lists]))
        present = [answer is not None for answer in pool.map(ask, single)]
    plugins, dags, errors = map(_rows, answers)
    there = {name for name, found in zip((*connections, *variables), present, strict=True) if found}
    return AirflowState(
        version=version,
        slots_by_pool={str(row["pool"]): int(row["slots"]) for row in _rows(pools)},
        connections=frozenset(connections) & there,
        variables=frozenset(variables) & there,
        plugins=frozenset(str(row["name"]) for row in plugins),
        dags=frozenset(str(row["dag_id"]) for row in dags),
        import_errors=tuple(str(row.get("filepath", "")) for row in errors),
    )


def _rows(answer: str | None) -> list[dict[str, Any]]:
    """Return the rows of an answer in JSON; lines of logs before it are passed over."""
    for line in reversed((answer or "").splitlines()):
        if line.startswith("["):
            rows: list[dict[str, Any]] = json.loads(line)
            return rows
    return []
