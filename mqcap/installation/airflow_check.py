"""What an existing Airflow lacks for the DAGs, with the commands that add it.

The program ``airflow`` of this environment is asked; Airflow is not imported.
"""

import json
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable
from mqcap.installation.airflow_needs import (
    PLATFORM_MAIL_VARIABLE,
    SMTP_CONNECTION,
    SPARK_CONNECTION,
    declared_pools,
    release_here,
    require_supported,
)
from mqcap.installation.check import Check, fine, optional, to_do
from mqcap.notifications.tickets.registry import connection_id
from mqcap.settings import Settings

DAILY_DAG: Final = "mqcap_daily"
PLUGIN: Final = "mq_capacity"
_ANSWER_SECONDS: Final = 120.0
_SQLITE: Final = "sqlite:///"

Ask = Callable[[Sequence[str]], str | None]
"""Returns what ``airflow`` with these arguments prints; ``None`` where it fails."""


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
            capture_output=True,
            text=True,
            check=False,
            timeout=_ANSWER_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise ServiceUnavailable(
            "Airflow does not answer",
            found=f"no end of airflow {' '.join(arguments)} within {_ANSWER_SECONDS:.0f} s",
            remedy="Check its database: airflow db check.",
        ) from error
    return done.stdout if done.returncode == 0 else None


def database_was_made(ask: Ask = ask_airflow) -> bool:
    """Return false where Airflow's SQLite file has no table; an error where it does not start."""
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
    """Refuse an Airflow that does not start: other packages may have replaced its own."""
    release = release_here()
    if release is not None:
        require_supported(release)
        raise ConfigurationError(
            "Airflow does not start for the user of this command",
            found=f"Airflow {release}, which does not tell its own configuration",
            expected="a folder AIRFLOW_HOME that this user may write",
            remedy="Set AIRFLOW_HOME as the scheduler has it; airflow config list says more.",
        )


def _running(ask: Ask) -> tuple[str, str]:
    """Return release and pools of Airflow as it prints them; an error where it does not."""
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
    return version, pools


def _rows(answer: str | None) -> list[dict[str, Any]]:
    """Return the rows of an answer in JSON; lines of logs before it are passed over."""
    for line in reversed((answer or "").splitlines()):
        if line.startswith("["):
            rows: list[dict[str, Any]] = json.loads(line)
            return rows
    return []


_THERE: Final = "there"
_NOT_THERE: Final = "not there"


def check_airflow(settings: Settings, ask: Ask = ask_airflow) -> list[Check]:
    """Return what Airflow has and lacks; an error: not here, not supported, or no database."""
    version, pools = _running(ask)
    needed = _connections(settings)
    lists = [["plugins"], ["dags", "list"], ["dags", "list-import-errors"]]
    single = [["connections", "get", name] for name in needed]
    single.append(["variables", "get", PLATFORM_MAIL_VARIABLE])
    with ThreadPoolExecutor(2) as pool:  # each program that is asked loads Airflow
        answers = list(pool.map(ask, [[*words, "--output", "json"] for words in lists]))
        *connections, mail_to = pool.map(ask, single)
    plugins, dags, errors = map(_rows, answers)
    mail = f"variable {PLATFORM_MAIL_VARIABLE}"
    no_mail = f"{_NOT_THERE}; nobody is notified of a task that failed"
    set_mail = f"airflow variables set {PLATFORM_MAIL_VARIABLE} ADDRESS"
    install = "Install mqcap into the environment of Airflow, then restart the API server."
    return [
        fine("Airflow", version),
        *_pools({str(row["pool"]): int(row["slots"]) for row in _rows(pools)}),
        *(
            missing if answer is None else fine(missing.what, _THERE)
            for missing, answer in zip(needed.values(), connections, strict=True)
        ),
        optional(mail, no_mail, set_mail) if mail_to is None else fine(mail, _THERE),
        fine("page", _THERE)
        if PLUGIN in {row["name"] for row in plugins}
        else to_do("page", f"no plugin {PLUGIN}", install),
        *_dags(
            {str(row["dag_id"]) for row in dags}, [str(row.get("filepath", "")) for row in errors]
        ),
    ]


def _pools(slots_by_pool: Mapping[str, int]) -> Iterator[Check]:
    for pool in declared_pools():
        what = f"pool {pool.name}"
        if (slots := slots_by_pool.get(pool.name)) == pool.slots:
            yield fine(what, "1 slot")
            continue
        found = _NOT_THERE if slots is None else f"{slots} slots; {pool.slots} are needed"
        words = ["airflow", "pools", "set", pool.name, str(pool.slots), pool.description]
        yield to_do(what, found, shlex.join(words))


def _connections(settings: Settings) -> dict[str, Check]:
    """Return what is told of each connection that is needed where it is not there."""
    spark = ["--conn-type", "spark", "--conn-host", settings.spark.master]
    spark += ["--conn-extra", json.dumps({"spark-binary": "spark-submit"})]
    smtp = ["--conn-type", "smtp", "--conn-host", "HOST"]
    smtp += ["--conn-extra", json.dumps({"from_email": settings.alerts.mail_from})]
    as_file = f"; email goes to {settings.alerts.mail_folder} as .eml"
    needed = [(to_do, SPARK_CONNECTION, "", spark), (optional, SMTP_CONNECTION, as_file, smtp)]
    if tracker := connection_id(settings.alerts.ticket_backend):
        login = ["--conn-type", "http", "--conn-host", "HOST"]
        login += ["--conn-login", "USER", "--conn-password", "TOKEN"]
        without = "; address and token of the tracker are those of alerts.ticket_options"
        needed.append((optional, tracker, without, login))
    return {
        name: missing(
            f"connection {name}",
            f"{_NOT_THERE}{without}",
            shlex.join(["airflow", "connections", "add", name, *options]),
        )
        for missing, name, without, options in needed
    }


def _dags(dags: set[str], import_errors: list[str]) -> list[Check]:
    broken = [path for path in import_errors if "mqcap" in path]
    if broken:
        remedy = "airflow dags list-import-errors"
        return [to_do(path, "cannot be parsed", remedy) for path in broken]
    if DAILY_DAG in dags:
        return [fine("DAGs", _THERE)]
    remedy = 'mqcap airflow install-dags "$(airflow config get-value core dags_folder)"'
    found = f"no {DAILY_DAG}, or the DAG processor has not looked yet"
    return [to_do("DAGs", found, remedy)]


DAG_NAMES: Final = ("daily_capacity", "forecast_verification", "housekeeping", "reports")
"""Modules of ``mqcap_dags`` that declare a DAG, each as ``DAG``."""
_FIRST_LINE: Final = '"""An Airflow DAG of the installed package mqcap; written by'
"""How a file begins that may be written again."""


def dag_files() -> dict[str, str]:
    """Return the text of each file by its name."""
    return {
        f"mqcap_{module}.py": f"{_FIRST_LINE} `mqcap airflow install-dags`."
        f'"""\n\nfrom mqcap_dags.{module} import DAG\n\n__all__ = ["DAG"]\n'
        for module in DAG_NAMES
    }


def install_dags(folder: Path) -> dict[Path, bool]:
    """Write DAG files, or nothing and a ConfigurationError; return which of them were changed."""
    if not folder.is_dir():
        raise ConfigurationError(
            f"{folder} is no folder",
            expected="the DAG folder of Airflow (airflow config get-value core dags_folder)",
        )
    texts = {folder / name: text for name, text in dag_files().items()}
    for path in texts:
        if path.exists() and not _text(path).startswith(_FIRST_LINE):
            raise ConfigurationError(
                f"{path} is not one of ours",
                found="a file of this name that mqcap airflow install-dags has not written",
                remedy="Move it away, then run the command again.",
            )
    for path in sorted(folder.rglob("*.py")):
        if re.search(f"[\"']{DAILY_DAG}[\"']", _text(path)):
            raise ConfigurationError(
                f"{path} declares the DAG mqcap_daily already",
                found="a copy of the DAGs",
                remedy=f"Remove {path.parent} from the DAG folder: the history of a DAG stays, it "
                "belongs to the name of the DAG.",
            )
    try:
        changed = {path: _text(path) != text for path, text in texts.items()}
        for path in filter(changed.get, texts):
            path.write_text(texts[path], encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(
            f"{folder} cannot be written",
            found=error.strerror or type(error).__name__,
            remedy="Run the command as the user who owns the DAG folder.",
        ) from error
    return changed


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
