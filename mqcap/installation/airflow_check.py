"""What an existing Airflow lacks for the DAGs, with the commands that add it."""

import json
import shlex
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
from mqcap.installation.check import Check, CheckState
from mqcap.notifications.tickets.registry import connection_id
from mqcap.settings import Settings

_THERE: Final = "there"
_NOT_THERE: Final = "not there"
_HOST: Final = "HOST"
"""Stands in a command for what only the site knows."""


def check_airflow(settings: Settings, ask: Ask = ask_airflow) -> list[Check]:
    """Return what the Airflow of this environment has and lacks.

    Raises:
        ConfigurationError: Airflow is not installed here, or its release is not supported.
        ServiceUnavailable: its database does not answer.
    """
    tracker = connection_id(settings.alerts.ticket_backend)
    connections = [SPARK_CONNECTION, SMTP_CONNECTION, *([tracker] if tracker else [])]
    state = airflow_state(connections, [PLATFORM_MAIL_VARIABLE], ask)
    return [
        Check(CheckState.fine, "Airflow", state.version),
        *_pools(state),
        _spark(state, settings),
        _smtp(state, settings),
        *([_tracker(state, tracker)] if tracker else []),
        _platform_mail(state),
        _plugin(state),
        *_dags(state),
    ]


def _pools(state: AirflowState) -> list[Check]:
    result = []
    for pool in declared_pools():
        what = f"pool {pool.name}"
        if (slots := state.slots_by_pool.get(pool.name)) == pool.slots:
            result.append(Check(CheckState.fine, what, "1 slot"))
            continue
        found = _NOT_THERE if slots is None else f"{slots} slots; {pool.slots} are needed"
        words = ["airflow", "pools", "set", pool.name, str(pool.slots), pool.description]
        result.append(Check(CheckState.to_do, what, found, shlex.join(words)))
    return result


def _spark(state: AirflowState, settings: Settings) -> Check:
    extra = json.dumps({"spark-binary": "spark-submit"})
    words = ["airflow", "connections", "add", SPARK_CONNECTION, "--conn-type", "spark"]
    words += ["--conn-host", settings.spark.master, "--conn-extra", extra]
    return _connection(state, SPARK_CONNECTION, "", CheckState.to_do, words)


def _smtp(state: AirflowState, settings: Settings) -> Check:
    extra = json.dumps({"from_email": settings.alerts.mail_from})
    words = ["airflow", "connections", "add", SMTP_CONNECTION, "--conn-type", "smtp"]
    words += ["--conn-host", _HOST, "--conn-extra", extra]
    without = f"; email goes to {settings.alerts.mail_folder} as .eml"
    return _connection(state, SMTP_CONNECTION, without, CheckState.optional, words)


def _tracker(state: AirflowState, name: str) -> Check:
    words = ["airflow", "connections", "add", name, "--conn-type", "http", "--conn-host", _HOST]
    words += ["--conn-login", "USER", "--conn-password", "TOKEN"]
    without = "; address and token of the tracker are those of alerts.ticket_options"
    return _connection(state, name, without, CheckState.optional, words)


def _connection(
    state: AirflowState, name: str, without: str, missing: CheckState, words: list[str]
) -> Check:
    what = f"connection {name}"
    if name in state.connections:
        return Check(CheckState.fine, what, _THERE)
    return Check(missing, what, f"{_NOT_THERE}{without}", shlex.join(words))


def _platform_mail(state: AirflowState) -> Check:
    what = f"variable {PLATFORM_MAIL_VARIABLE}"
    if PLATFORM_MAIL_VARIABLE in state.variables:
        return Check(CheckState.fine, what, _THERE)
    found = f"{_NOT_THERE}; nobody is notified of a task that failed"
    words = ["airflow", "variables", "set", PLATFORM_MAIL_VARIABLE, "ADDRESS"]
    return Check(CheckState.optional, what, found, shlex.join(words))


def _plugin(state: AirflowState) -> Check:
    if PLUGIN in state.plugins:
        return Check(CheckState.fine, "page", _THERE)
    remedy = "Install mqcap into the environment of Airflow, then restart the API server."
    return Check(CheckState.to_do, "page", f"no plugin {PLUGIN}", remedy)


def _dags(state: AirflowState) -> list[Check]:
    broken = [path for path in state.import_errors if "mqcap" in path]
    if broken:
        remedy = "airflow dags list-import-errors"
        return [Check(CheckState.to_do, path, "cannot be parsed", remedy) for path in broken]
    if DAILY_DAG in state.dags:
        return [Check(CheckState.fine, "DAGs", _THERE)]
    remedy = 'mqcap airflow install-dags "$(airflow config get-value core dags_folder)"'
    found = f"no {DAILY_DAG}, or the DAG processor has not looked yet"
    return [Check(CheckState.to_do, "DAGs", found, remedy)]


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
