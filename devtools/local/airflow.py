"""Airflow on this machine: environment, database, components. Airflow is not imported.

The components are started one by one, not by ``airflow standalone``: that would import Airflow once
more, repeat the migration check, and does not stop within 20 seconds.
"""

import base64
import json
import os
import secrets
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from devtools.local.airflow_api import AirflowApi
from devtools.local.folders import LocalFolders
from devtools.local.postgres import AIRFLOW_DATABASE, Postgres
from devtools.local.processes import StartedPrograms, mark
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


@dataclass(frozen=True)
class InstallationKeys:
    """Keys and password, generated once per installation in a file that only its owner can read."""

    password: str
    jwt_secret: str
    fernet_key: str


@dataclass(frozen=True)
class LocalAirflow:
    """Settings to start and reach Airflow on this machine."""

    folders: LocalFolders
    port: int
    keys: InstallationKeys
    environment: Mapping[str, str]

    @property
    def url(self) -> str:
        """Address of Airflow."""
        return f"http://localhost:{self.port}"

    @property
    def page_url(self) -> str:
        """Address of the capacity page inside Airflow."""
        return f"{self.url}/plugin/capacity"

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

    def migrate(self, programs: StartedPrograms) -> None:
        """Migrate Airflow's database to the installed version."""
        programs.complete("airflow-migrate", (_airflow(), "db", "migrate"), self.environment)

    def start(self, programs: StartedPrograms, components: Mapping[str, tuple[str, ...]]) -> None:
        """Start components; they go on until ``programs.stop()``."""
        for name, arguments in components.items():
            programs.start(name, (_airflow(), *arguments), self.environment)

    def wait_until_healthy(self, programs: StartedPrograms) -> None:
        """Wait until the started components answer; ServiceUnavailable when one ends."""
        wanted = {"metadatabase", "scheduler", "dag_processor"}
        end = time.monotonic() + HEALTH_SECONDS
        while time.monotonic() < end:
            programs.check()
            if wanted <= self.api().healthy_components():
                return
            time.sleep(0.5)
        raise ServiceUnavailable(
            f"Airflow did not become healthy within {HEALTH_SECONDS:.0f} s",
            found=f"healthy: {sorted(self.api().healthy_components()) or 'nothing'}",
            expected=", ".join(sorted(wanted)),
            remedy=f"Read the files in {self.folders.logs}.",
        )


def local_airflow(
    folders: LocalFolders, postgres: Postgres, extra: Mapping[str, str], port: int
) -> LocalAirflow:
    """Return the settings of Airflow on this machine; ``extra`` is the environment of mqcap."""
    keys = keys_of(folders)
    passwords = folders.airflow_home / "passwords.json"
    _write_private(passwords, json.dumps({USER: keys.password}))
    environment = {
        **os.environ,
        **_airflow_settings(folders, postgres, port),
        "AIRFLOW__API_AUTH__JWT_SECRET": keys.jwt_secret,
        "AIRFLOW__CORE__FERNET_KEY": keys.fernet_key,
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(passwords),
        "AIRFLOW_CONN_SPARK_DEFAULT": spark_connection("local[2]"),
        "PATH": f"{_bin()}{os.pathsep}{os.environ.get('PATH', '')}",
        **java_environment(),
        "SPARK_LAUNCHER_OPTS": JAVA_OPTIONS,
        "SPARK_LOCAL_IP": "127.0.0.1",
        **mark(folders.var),
        **extra,
        "MQCAP_ALERTS__PAGE_URL": f"http://localhost:{port}/plugin/capacity/capacity/",
    }
    return LocalAirflow(folders, port, keys, environment)


def _airflow_settings(folders: LocalFolders, postgres: Postgres, port: int) -> dict[str, str]:
    return {
        "AIRFLOW_HOME": str(folders.airflow_home),
        "AIRFLOW__CORE__DAGS_FOLDER": str(folders.checkout / "dags"),
        "AIRFLOW__CORE__PLUGINS_FOLDER": str(folders.checkout / "plugins"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__PARALLELISM": "4",
        "AIRFLOW__CORE__EXECUTOR": "LocalExecutor",
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": f"{USER}:admin",
        "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"http://127.0.0.1:{port}/execution/",
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": postgres.url(AIRFLOW_DATABASE, "psycopg2"),
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN_ASYNC": postgres.url(AIRFLOW_DATABASE, "asyncpg"),
        "AIRFLOW__API__HOST": "127.0.0.1",
        "AIRFLOW__API__PORT": str(port),
        "AIRFLOW__API__BASE_URL": f"http://localhost:{port}",
        "AIRFLOW__LOGGING__BASE_LOG_FOLDER": str(folders.airflow_home / "logs"),
        "AIRFLOW__SCHEDULER__SCHEDULER_IDLE_SLEEP_TIME": "0.5",
        # no data arrives here by itself, and a run of the schedule would hold up the one we start
        "AIRFLOW__SCHEDULER__USE_JOB_SCHEDULE": "False",
        # tasks that a killed run left behind are taken up soon, not after five minutes
        "AIRFLOW__SCHEDULER__ORPHANED_TASKS_CHECK_INTERVAL": "30",
        "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "90",
    }


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
    _write_private(folders.secrets, json.dumps(keys.__dict__))
    return keys


def _write_private(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")


def _bin() -> Path:
    return Path(sys.executable).parent


def _airflow() -> str:
    return str(_bin() / "airflow")
