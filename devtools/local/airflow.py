"""Airflow on this machine: environment, database, components. Airflow is not imported.

The components are started one by one, not by ``airflow standalone``: that would import Airflow once
more, repeat the migration check, and does not stop within 20 seconds.
"""

import base64
import json
import os
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from devtools.local.airflow_api import AirflowApi
from devtools.local.folders import LocalFolders
from devtools.local.postgres import AIRFLOW_DATABASE, Postgres
from devtools.local.processes import StartedPrograms, mark, polled
from mqcap.domain.errors import ServiceUnavailable
from spark_apps.runtime.java import JAVA_OPTIONS, java_environment

USER: Final = "admin"
EARLY: Final = {
    "api-server": ("api-server",),
    "scheduler": ("scheduler", "--skip-serve-logs"),
    "dag-processor": ("dag-processor",),
}
LATE: Final = {"triggerer": ("triggerer", "--skip-serve-logs")}
"""Not needed by a run that waits for nothing; started when the pages are left open."""
HEALTH_SECONDS: Final = 240.0
BIN: Final = Path(sys.executable).parent
AIRFLOW: Final = str(BIN / "airflow")


class InstallationKeys(NamedTuple):
    """Keys and password, generated once per installation in a file that only its owner can read."""

    password: str
    jwt_secret: str
    fernet_key: str


class LocalAirflow(NamedTuple):
    """Settings to start and reach Airflow on this machine."""

    folders: LocalFolders
    port: int
    keys: InstallationKeys
    environment: Mapping[str, str]

    @property
    def url(self) -> str:
        """Address of Airflow."""
        return f"http://localhost:{self.port}"

    def api(self) -> AirflowApi:
        """Return a client of the REST API."""
        return AirflowApi(
            f"http://127.0.0.1:{self.port}",
            USER,
            self.keys.password,
            remedy="The machine is slow, or Airflow has ended: read "
            f"{self.folders.logs / 'api-server.log'}. Then type `make run` again: it goes on with "
            "what exists.",
        )

    def start(self, programs: StartedPrograms, components: Mapping[str, tuple[str, ...]]) -> None:
        """Start components; they go on until ``programs.stop()``."""
        for name, arguments in components.items():
            programs.start(name, (AIRFLOW, *arguments), self.environment)

    def wait_until_healthy(self, programs: StartedPrograms) -> None:
        """Wait until the started components answer; ServiceUnavailable when one ends."""
        wanted = {"metadatabase", "scheduler", "dag_processor"}
        healthy: set[str] = set()
        for _ in polled(HEALTH_SECONDS, 0.5):
            programs.check()
            healthy = self.api().healthy_components()
            if wanted <= healthy:
                return
        raise ServiceUnavailable(
            f"Airflow did not become healthy within {HEALTH_SECONDS:.0f} s",
            found=f"healthy: {sorted(healthy) or 'nothing'}",
            expected=", ".join(sorted(wanted)),
            remedy=f"Read the files in {self.folders.logs}.",
        )


def local_airflow(
    folders: LocalFolders, postgres: Postgres, extra: Mapping[str, str], port: int
) -> LocalAirflow:
    """Return the settings of Airflow on this machine; ``extra`` is the environment of mqcap."""
    keys = keys_of(folders)
    passwords = folders.airflow_home / "passwords.json"
    _write_private(passwords, {USER: keys.password})
    options = {
        "CORE__DAGS_FOLDER": folders.checkout / "dags",
        "CORE__PLUGINS_FOLDER": folders.checkout / "plugins",
        "CORE__LOAD_EXAMPLES": False,
        "CORE__PARALLELISM": 4,
        "CORE__EXECUTOR": "LocalExecutor",
        "CORE__SIMPLE_AUTH_MANAGER_USERS": f"{USER}:admin",
        "CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": passwords,
        "CORE__EXECUTION_API_SERVER_URL": f"http://127.0.0.1:{port}/execution/",
        "CORE__FERNET_KEY": keys.fernet_key,
        "DATABASE__SQL_ALCHEMY_CONN": postgres.url(AIRFLOW_DATABASE, "psycopg2"),
        "DATABASE__SQL_ALCHEMY_CONN_ASYNC": postgres.url(AIRFLOW_DATABASE, "asyncpg"),
        "API__HOST": "127.0.0.1",
        "API__PORT": port,
        "API__BASE_URL": f"http://localhost:{port}",
        "API_AUTH__JWT_SECRET": keys.jwt_secret,
        "LOGGING__BASE_LOG_FOLDER": folders.airflow_home / "logs",
        "SCHEDULER__SCHEDULER_IDLE_SLEEP_TIME": 0.5,
        # no data arrives here by itself, and a run of the schedule would hold up the one we start
        "SCHEDULER__USE_JOB_SCHEDULE": False,
        # tasks that a killed run left behind are taken up soon, not after five minutes
        "SCHEDULER__ORPHANED_TASKS_CHECK_INTERVAL": 30,
        "SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": 90,
    }
    environment = {
        **os.environ,
        "AIRFLOW_HOME": str(folders.airflow_home),
        **{f"AIRFLOW__{option}": f"{value}" for option, value in options.items()},
        "AIRFLOW_CONN_SPARK_DEFAULT": spark_connection("local[2]"),
        "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}",
        **java_environment(),
        "SPARK_LAUNCHER_OPTS": JAVA_OPTIONS,
        "SPARK_LOCAL_IP": "127.0.0.1",
        **mark(folders.var),
        **extra,
        "MQCAP_ALERTS__PAGE_URL": f"http://localhost:{port}/plugin/capacity/capacity/",
    }
    return LocalAirflow(folders, port, keys, environment)


def spark_connection(master: str) -> str:
    """Return the Airflow connection of a Spark master as the JSON of an environment variable."""
    return json.dumps(
        {"conn_type": "spark", "host": master, "extra": {"spark-binary": "spark-submit"}}
    )


def keys_of(folders: LocalFolders) -> InstallationKeys:
    """Return the keys of this installation, generated at the first call."""
    if folders.secrets.is_file():
        return InstallationKeys(**json.loads(folders.secrets.read_text(encoding="utf-8")))
    keys = InstallationKeys(
        password=secrets.token_urlsafe(9),
        jwt_secret=secrets.token_urlsafe(48),
        fernet_key=base64.urlsafe_b64encode(secrets.token_bytes(32)).decode("ascii"),
    )
    _write_private(folders.secrets, keys._asdict())
    return keys


def _write_private(path: Path, content: Mapping[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_text(json.dumps(content), encoding="utf-8")
