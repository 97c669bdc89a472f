"""The entry points of the services, run on this machine."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.airflow_home import fresh_environment
from tests.docker.container import AIRFLOW, BIN, SERVICES


@pytest.mark.airflow
def test_the_airflow_commands_of_the_services_run_here() -> None:
    commands = {tuple(SERVICES[name]["command"]) for name in AIRFLOW} | {
        ("airflow", "db", "migrate"),
        ("airflow", "pools", "import"),
        ("airflow", "jobs", "check"),
    }
    program = (
        "import sys; from airflow.cli import cli_parser\n"
        "parser = cli_parser.get_parser()\n"
        "for line in sys.argv[1:]:\n"
        "    try: parser.parse_args([*line.split(), '--help'])\n"
        "    except SystemExit as end: assert end.code == 0, line\n"
    )
    lines = [" ".join(command[1:]) for command in sorted(commands)]
    done = subprocess.run(
        [sys.executable, "-c", program, *lines],
        env=fresh_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.lower().count("usage: airflow") == len(lines)


@pytest.mark.airflow
@pytest.mark.parametrize(
    ("name", "module"),
    [("scheduler", "scheduler_job_runner"), ("dag-processor", "dag_processor_job_runner")],
)
def test_health_checks_use_job_types_that_airflow_knows(name: str, module: str) -> None:
    words = SERVICES[name]["healthcheck"]["test"]
    kind = words[words.index("--job-type") + 1]
    spec = importlib.util.find_spec(f"airflow.jobs.{module}")
    assert spec is not None
    assert spec.origin
    assert f'job_type = "{kind}"' in Path(spec.origin).read_text(encoding="utf-8")


@pytest.mark.spark
@pytest.mark.parametrize("name", ["spark-master", "spark-worker"])
def test_the_spark_commands_of_the_services_run_here(name: str) -> None:
    from spark_apps.runtime.java import java_environment  # noqa: PLC0415 - imports pyspark

    program, main_class, *arguments = SERVICES[name]["command"]
    options = [word for word in arguments if word.startswith("--")]
    done = subprocess.run(
        [str(BIN / program), main_class, "--help"],
        env={**os.environ, **java_environment()},
        capture_output=True,
        text=True,
        check=False,
    )
    answer = done.stdout + done.stderr
    assert done.returncode == 0, answer
    for option in options:
        assert option in answer
