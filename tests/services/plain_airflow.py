"""The wheel in an Airflow of its own: DAGs parsed, one daily run, the page by role.

``python -m tests.services.plain_airflow --airflow 3.2.2`` builds the wheel of this checkout,
installs that release, then the wheel, into a new environment outside of the checkout, and does what
docs/airflow.md tells a site to do. It prints a line per step and ends with 1 at the first that
fails. ``--python`` takes an environment with Airflow that exists. A package index is needed.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from devtools.local.airflow import EARLY, USER, spark_connection
from devtools.local.airflow_api import ENDED, AirflowApi
from devtools.local.folders import CHECKOUT
from devtools.local.processes import FIRST_PORT, StartedPrograms, own_port
from mqcap.domain.errors import CapacityError, ServiceUnavailable

DAY: Final = date(2026, 11, 20)
HISTORY_DAYS: Final = 2
VISITOR: Final = "visitor"
"""A user who may sign in and has no role."""
PASSWORD: Final = "made-up-for-this-run"
"""Of an Airflow that ends with the program."""
RUN_SECONDS: Final = 600.0
COMPONENTS: Final = frozenset({"metadatabase", "scheduler", "dag_processor"})
EXPECTED: Final = {USER: 200, VISITOR: 403}
"""Status of the page by user."""


@dataclass(frozen=True)
class PlainAirflow:
    python: Path
    folder: Path
    port: int

    @property
    def environment(self) -> dict[str, str]:
        passwords = self.folder / "passwords.json"
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("AIRFLOW", "MQCAP", "PYTHON", "JAVA", "SPARK"))
        }
        return {
            **kept,
            "PATH": f"{self.python.parent}{os.pathsep}{os.environ.get('PATH', '')}",
            "AIRFLOW_HOME": str(self.folder),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__CORE__DAGS_FOLDER": str(self.folder / "dags"),
            "AIRFLOW__CORE__EXECUTOR": "LocalExecutor",
            "AIRFLOW__CORE__PARALLELISM": "2",
            "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": f"{USER}:admin,{VISITOR}:",
            "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(passwords),
            "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"http://127.0.0.1:{self.port}/execution/",
            "AIRFLOW__API_AUTH__JWT_SECRET": f"{PASSWORD}-{PASSWORD}-{PASSWORD}-{PASSWORD}",
            "AIRFLOW__API__HOST": "127.0.0.1",
            "AIRFLOW__API__PORT": str(self.port),
            "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{self.folder}/airflow.db",
            "AIRFLOW__SCHEDULER__USE_JOB_SCHEDULE": "False",
            "AIRFLOW_CONN_SPARK_DEFAULT": spark_connection("local[2]"),
            "MQCAP_SETTINGS_FILE": str(self.folder / "sample" / "platform.yaml"),
            "MQCAP_LAKE": str(self.folder / "lake"),
            "MQCAP_STORE__URL": f"sqlite:///{self.folder}/store.db",
            "MQCAP_INGEST__INBOX": str(self.folder / "sample" / "dumps"),
            "MQCAP_ALERTS__MAIL_FOLDER": str(self.folder / "mail"),
        }

    def program(self, name: str) -> str:
        return str(self.python.parent / name)

    def api(self, user: str = USER) -> AirflowApi:
        return AirflowApi(f"http://127.0.0.1:{self.port}", user, PASSWORD)


@contextmanager
def _step(name: str) -> Iterator[None]:
    begin = time.monotonic()
    yield
    print(f"{time.monotonic() - begin:6.1f} s  {name}", flush=True)  # noqa: T201 - its result


def build_wheel(folder: Path, programs: StartedPrograms, env: Mapping[str, str]) -> Path:
    source = folder / "source"
    ignored = shutil.ignore_patterns(".*", "var", "build", "*.egg-info", "__pycache__", "tests")
    shutil.copytree(CHECKOUT, source, ignore=ignored)
    shutil.copy(CHECKOUT / "dags" / "mqcap_dags" / ".airflowignore", source / "dags" / "mqcap_dags")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet"]
    programs.complete("wheel", [*command, "--wheel-dir", str(folder), str(source)], env)
    shutil.rmtree(source)
    return next(folder.glob("mqcap-*.whl"))


def install(plain: PlainAirflow, wheel: Path, programs: StartedPrograms, airflow: str) -> None:
    env = plain.environment
    if not plain.python.is_file():
        folder = str(plain.python.parents[1])
        programs.complete("venv", [sys.executable, "-m", "venv", folder], env)
    pip = [str(plain.python), "-m", "pip", "install", "--quiet", "--no-compile"]
    release = f"apache-airflow=={airflow}"
    with _step(f"install Airflow {airflow}"):
        programs.complete("airflow", [*pip, release], env)
    with _step("install the wheel with [airflow,java,spark]"):
        programs.complete("mqcap", [*pip, release, f"{wheel}[airflow,java,spark]"], env)
        # where the environment existed, it may have an older wheel of the same version
        again = ["--force-reinstall", "--no-deps", str(wheel)]
        programs.complete("mqcap-again", [*pip, *again], env)


def prepare(plain: PlainAirflow, programs: StartedPrograms) -> None:
    (plain.folder / "dags").mkdir()
    passwords = dict.fromkeys(EXPECTED, PASSWORD)
    (plain.folder / "passwords.json").write_text(json.dumps(passwords), encoding="utf-8")
    env = {k: v for k, v in plain.environment.items() if k != "MQCAP_SETTINGS_FILE"}
    sample = ["--out", str(plain.folder / "sample"), "--last-day", DAY.isoformat()]
    estate = str(CHECKOUT / "devtools" / "simulator" / "small.yaml")
    mqcap, airflow = plain.program("mqcap"), plain.program("airflow")
    days = ["--days", str(HISTORY_DAYS), "--estate", estate]
    programs.complete("simulate", [mqcap, "simulate", *sample, *days], env)
    env = plain.environment
    programs.complete("migrate", [airflow, "db", "migrate"], env)
    dags = str(plain.folder / "dags")
    programs.complete("install-dags", [mqcap, "airflow", "install-dags", dags], env)
    pools = str(CHECKOUT / "mqcap" / "installation" / "pools.json")
    programs.complete("pools", [airflow, "pools", "import", pools], env)


def run_day(plain: PlainAirflow, programs: StartedPrograms) -> None:
    """Start Airflow and run the daily DAG once.

    Raises:
        ServiceUnavailable: a DAG cannot be parsed, or the run fails or does not end.
    """
    api = plain.api()
    with _step("start Airflow, parse the DAGs"):
        components = {name: (plain.program("airflow"), *words) for name, words in EARLY.items()}
        for name, command in components.items():
            programs.start(name, command, plain.environment)
        _wait(lambda: api.healthy_components() >= COMPONENTS, "Airflow", programs)
        api.wait_for_dag(RUN_SECONDS)
        if errors := api.import_errors():
            raise ServiceUnavailable("DAG files with errors", found="; ".join(errors))
    with _step(f"daily run of {DAY}"):
        run = api.start_day(DAY, {"day": DAY.isoformat(), "wait_minutes": 0})
        api.set_paused(paused=False)
        _wait(lambda: api.run_state(run) in ENDED, run, programs)
        if api.run_state(run) != "success":
            tasks = {task.task_id: task.state for task in api.task_states(run)}
            raise ServiceUnavailable("the daily run did not succeed", found=str(tasks))


def _wait(is_done: Callable[[], bool], what: str, programs: StartedPrograms) -> None:
    end = time.monotonic() + RUN_SECONDS
    while not is_done():
        programs.check()
        if time.monotonic() > end:
            raise ServiceUnavailable(f"{what} is not ready after {RUN_SECONDS:.0f} s")
        time.sleep(1.0)


def ask_for_page(plain: PlainAirflow) -> None:
    for user, expected in EXPECTED.items():
        with _step(f"the page as {user}: status {expected}"):
            status = plain.api(user).status_of("/capacity/")
            if status != expected:
                raise ServiceUnavailable(f"the page as {user}", found=f"status {status}")


def main() -> int:
    parser = argparse.ArgumentParser(description="The wheel in an Airflow of its own.")
    parser.add_argument("--airflow", required=True, help="release, such as 3.2.2")
    parser.add_argument("--python", type=Path, help="Python of an environment with that Airflow")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="mqcap-plain-airflow-") as name,
        own_port(FIRST_PORT + 100) as port,
    ):
        folder = Path(name)
        python = given.python or folder / "venv" / "bin" / "python"
        plain = PlainAirflow(python, folder, port)
        programs = StartedPrograms(folder / "log")
        os.chdir(folder)
        try:
            with _step("build the wheel"):
                wheel = build_wheel(folder, programs, plain.environment)
            install(plain, wheel, programs, given.airflow)
            with _step("sample, database, DAG files, pools"):
                prepare(plain, programs)
            run_day(plain, programs)
            ask_for_page(plain)
        except CapacityError as error:
            print(f"failed: {error}", file=sys.stderr)  # noqa: T201 - its result
            return 1
        finally:
            programs.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
