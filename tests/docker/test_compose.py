"""Everything that the compose file names exists, and its services fit together."""

import importlib.util
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from mqcap_dags import defaults as shared
from pydantic import BaseModel

from mqcap.notifications.smtp import MailServer
from mqcap.settings import Settings
from mqcap.settings.loader import FILE_VARIABLE
from tests.airflow_home import CHECKOUT, unknown_options
from tests.docker.container import (
    AIRFLOW,
    BIN,
    DOCKER,
    DOCUMENT,
    OURS,
    SERVICE_KEYS,
    SERVICES,
    environment_of,
    examples,
    filled_in,
    variables,
)

pytestmark = pytest.mark.thorough


def test_the_file_has_the_parts_and_keys_that_compose_knows() -> None:
    parts = {part for part in DOCUMENT if not part.startswith("x-")}
    assert parts == {"name", "services", "volumes", "secrets"}
    for name, service in SERVICES.items():
        assert set(service) <= SERVICE_KEYS, name


def test_each_own_image_is_built_once_from_a_target_that_exists() -> None:
    text = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    built = {service["image"]: service["build"] for service in OURS.values() if "build" in service}
    assert len(built) == sum("build" in service for service in OURS.values())
    assert set(built) == {service["image"] for service in OURS.values()}
    for build in built.values():
        assert (DOCKER / build["context"]).resolve() == CHECKOUT
        assert re.search(rf"^FROM \S+ AS {build['target']}$", text, re.MULTILINE)
        assert set(build["args"]) <= set(re.findall(r"^ARG (\w+)", text, re.MULTILINE))


@pytest.mark.parametrize("name", SERVICES)
def test_images_carry_a_version_and_what_is_mounted_exists(name: str) -> None:
    _, _, version = filled_in(SERVICES[name]["image"]).rpartition(":")
    assert re.match(r"\d", version)
    for volume in SERVICES[name].get("volumes", []):
        source, target, *_ = filled_in(volume).split(":")
        assert target.startswith("/")
        assert not target.endswith(".yaml")  # a replaced file would stay the old one
        if source.startswith("."):
            path = DOCKER / source
            assert path.exists() or path.parent.name == "var"  # the inbox is made by compose
        else:
            assert source in DOCUMENT["volumes"]


@pytest.mark.parametrize("name", SERVICES)
def test_a_server_comes_back_and_is_waited_for_by_its_health_check(name: str) -> None:
    if name != "init":
        assert SERVICES[name]["healthcheck"]["test"][0] == "CMD"
        assert SERVICES[name]["restart"] == "unless-stopped"
    for other, rule in SERVICES[name].get("depends_on", {}).items():
        if rule["condition"] == "service_healthy":
            assert "healthcheck" in SERVICES[other]
        else:
            assert rule["condition"] == "service_completed_successfully"
            assert SERVICES[other]["restart"] == "no"


@pytest.mark.parametrize("name", OURS)
def test_commands_exist_in_the_environment_of_the_image(name: str) -> None:
    program, *arguments = OURS[name]["command"]
    assert shutil.which(program, path=os.pathsep.join([str(BIN), os.defpath]))
    if arguments[0] == "-m":
        assert importlib.util.find_spec(arguments[1])
    if program == "sh":
        assert (DOCKER / Path(arguments[0]).name).is_file()
    words = OURS[name].get("healthcheck", {}).get("test", [])
    if "-c" in words:
        compile(words[-1], name, "exec")


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
    monkeypatch.setenv(FILE_VARIABLE, str(CHECKOUT / "mqcap" / "settings" / "platform.yaml"))
    settings = Settings()
    if name in {*AIRFLOW, "init"}:
        assert settings.lake == "/data/lake"
        assert settings.store.url.get_secret_value().endswith("@postgres/mqcap")
    else:
        assert "MQCAP_STORE__URL" not in environment_of(OURS[name])


@pytest.mark.parametrize("name", AIRFLOW)
def test_airflow_s_services_have_one_environment_and_reports_outlive_a_container(name: str) -> None:
    environment = environment_of(SERVICES[name])
    assert environment == environment_of(SERVICES["scheduler"])
    places = {filled_in(volume).split(":")[1] for volume in SERVICES[name]["volumes"]}
    assert environment["MQCAP_REPORTS__FOLDER"] in places
    assert environment["AIRFLOW__API__SECRET_KEY"].startswith("${AIRFLOW_SECRET_KEY:?")


def test_pages_are_served_on_loopback_unless_a_site_says_otherwise() -> None:
    assert [filled_in(port) for port in SERVICES["api-server"]["ports"]] == ["127.0.0.1:8080:8080"]


def test_airflow_variables_name_options_that_exist() -> None:
    assert unknown_options(key for name in OURS.values() for key in environment_of(name)) == []


def test_connections_are_the_ones_that_the_dags_use(monkeypatch: pytest.MonkeyPatch) -> None:

    for key, value in environment_of(SERVICES["scheduler"]).items():
        if key.startswith("AIRFLOW_CONN_"):
            monkeypatch.setenv(key, value)
    _, mail = shared.settings_for_delivery()
    command = SERVICES["mail"]["command"]
    connection = json.loads(environment_of(SERVICES["scheduler"])["AIRFLOW_CONN_SMTP_DEFAULT"])
    assert connection["host"] == "mail"
    assert command[command.index("--listen") + 1] == f"0.0.0.0:{connection['port']}"
    assert isinstance(mail, MailServer)
    assert "mail" in mail.address
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
    assert demanded == {name for name, value in examples().items() if not value} - {
        "EXTRA_PACKAGES"
    }
    assert all(kind in {":?", ":-"} for _, kind in variables())


def test_no_secret_is_written_in_the_file() -> None:
    for service in SERVICES.values():
        for key, value in environment_of(service).items():
            if re.search(r"PASSWORD$|SECRET|FERNET", key):
                assert value.startswith("${"), key
