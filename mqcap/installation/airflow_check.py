"""What an existing Airflow lacks for the DAGs, with the commands that add it."""

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mqcap.domain.errors import ConfigurationError
from mqcap.installation.airflow_needs import (
    PLATFORM_MAIL_VARIABLE,
    SMTP_CONNECTION,
    SPARK_CONNECTION,
    declared_pools,
)
from mqcap.installation.airflow_program import (
    DAILY_DAG,
    PLUGIN,
    AirflowState,
    Ask,
    airflow_state,
    ask_airflow,
)
from mqcap.installation.check import Check, CheckState, fine, optional, to_do
from mqcap.notifications.tickets.registry import connection_id
from mqcap.settings import Settings

_THERE: Final = "there"
_NOT_THERE: Final = "not there"
_HOST: Final = "HOST"
"""Stands in a command for what only the site knows."""


def check_airflow(settings: Settings, ask: Ask = ask_airflow) -> list[Check]:
    """Return what the Airflow of this environment has and lacks, as ``airflow_state``."""
    tracker = connection_id(settings.alerts.ticket_backend)
    connections = [SPARK_CONNECTION, SMTP_CONNECTION, *([tracker] if tracker else [])]
    state = airflow_state(connections, [PLATFORM_MAIL_VARIABLE], ask)
    return [
        fine("Airflow", state.version),
        *_pools(state),
        *_connections(state, settings, tracker),
        _platform_mail(state),
        _plugin(state),
        *_dags(state),
    ]


def _pools(state: AirflowState) -> list[Check]:
    result = []
    for pool in declared_pools():
        what = f"pool {pool.name}"
        if (slots := state.slots_by_pool.get(pool.name)) == pool.slots:
            result.append(fine(what, "1 slot"))
            continue
        found = _NOT_THERE if slots is None else f"{slots} slots; {pool.slots} are needed"
        words = ["airflow", "pools", "set", pool.name, str(pool.slots), pool.description]
        result.append(to_do(what, found, shlex.join(words)))
    return result


def _connections(state: AirflowState, settings: Settings, tracker: str | None) -> Iterator[Check]:
    """Yield what is there of the connections, else the options that make one."""
    spark = ["--conn-type", "spark", "--conn-host", settings.spark.master]
    spark += ["--conn-extra", json.dumps({"spark-binary": "spark-submit"})]
    smtp = ["--conn-type", "smtp", "--conn-host", _HOST]
    smtp += ["--conn-extra", json.dumps({"from_email": settings.alerts.mail_from})]
    needed = {
        SPARK_CONNECTION: (CheckState.to_do, "", spark),
        SMTP_CONNECTION: (
            CheckState.optional, f"; email goes to {settings.alerts.mail_folder} as .eml", smtp
        ),
    }  # fmt: skip
    if tracker:
        login = ["--conn-type", "http", "--conn-host", _HOST]
        login += ["--conn-login", "USER", "--conn-password", "TOKEN"]
        without = "; address and token of the tracker are those of alerts.ticket_options"
        needed[tracker] = (CheckState.optional, without, login)
    for name, (missing, without, options) in needed.items():
        what = f"connection {name}"
        if name in state.connections:
            yield fine(what, _THERE)
        else:
            command = shlex.join(["airflow", "connections", "add", name, *options])
            yield Check(missing, what, f"{_NOT_THERE}{without}", command)


def _platform_mail(state: AirflowState) -> Check:
    what = f"variable {PLATFORM_MAIL_VARIABLE}"
    if PLATFORM_MAIL_VARIABLE in state.variables:
        return fine(what, _THERE)
    found = f"{_NOT_THERE}; nobody is notified of a task that failed"
    words = ["airflow", "variables", "set", PLATFORM_MAIL_VARIABLE, "ADDRESS"]
    return optional(what, found, shlex.join(words))


def _plugin(state: AirflowState) -> Check:
    if PLUGIN in state.plugins:
        return fine("page", _THERE)
    remedy = "Install mqcap into the environment of Airflow, then restart the API server."
    return to_do("page", f"no plugin {PLUGIN}", remedy)


def _dags(state: AirflowState) -> list[Check]:
    broken = [path for path in state.import_errors if "mqcap" in path]
    if broken:
        remedy = "airflow dags list-import-errors"
        return [to_do(path, "cannot be parsed", remedy) for path in broken]
    if DAILY_DAG in state.dags:
        return [fine("DAGs", _THERE)]
    remedy = 'mqcap airflow install-dags "$(airflow config get-value core dags_folder)"'
    found = f"no {DAILY_DAG}, or the DAG processor has not looked yet"
    return [to_do("DAGs", found, remedy)]


DAG_NAMES: Final = ("daily_capacity", "forecast_verification", "housekeeping", "reports")
"""Modules of ``mqcap_dags`` that declare a DAG, each as ``DAG``."""
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
        f'"""\n\nfrom mqcap_dags.{module} import DAG\n\n__all__ = ["DAG"]\n'
        for module in DAG_NAMES
    }


def install_dags(folder: Path) -> list[WrittenFile]:
    """Write the files into a DAG folder; a second time changes nothing.

    A ConfigurationError where the folder is not there or cannot be written, has a file of one of
    the names that is not ours, or another one with the DAG of the daily run: nothing is written.
    """
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
        if any(dag_id in _text(path) for dag_id in _OWN_IDS):
            raise ConfigurationError(
                f"{path} declares the DAG mqcap_daily already",
                found="a copy of the DAGs",
                remedy=f"Remove {path.parent} from the DAG folder: the history of a DAG stays, it "
                "belongs to the name of the DAG.",
            )
    try:
        return [_written(path, text) for path, text in texts.items()]
    except OSError as error:
        raise ConfigurationError(
            f"{folder} cannot be written",
            found=error.strerror or type(error).__name__,
            remedy="Run the command as the user who owns the DAG folder.",
        ) from error


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _written(path: Path, text: str) -> WrittenFile:
    changed = _text(path) != text
    if changed:
        path.write_text(text, encoding="utf-8")
    return WrittenFile(path, changed)
