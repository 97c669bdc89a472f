"""The environment of the local Airflow."""

import stat
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import make_url

from devtools.local import sample
from devtools.local.airflow import LocalAirflow, keys_of, local_airflow
from devtools.local.folders import LocalFolders, local_folders
from devtools.local.postgres import Postgres
from devtools.local.processes import FIRST_PORT as PORT
from spark_apps.runtime.java import JAVA_OPTIONS, java_environment
from tests.airflow_home import unknown_options

POSTGRES = Postgres(SimpleNamespace(), Path("/run/socket"))


def local(folders: LocalFolders) -> LocalAirflow:
    return local_airflow(folders, POSTGRES, sample.environment(folders, POSTGRES), PORT)


@pytest.mark.thorough
def test_every_airflow_variable_names_an_option(tmp_path: Path) -> None:
    assert unknown_options(local(local_folders(tmp_path)).environment) == []


def test_a_socket_in_a_path_with_a_blank_is_found_by_sqlalchemy() -> None:
    blank = Postgres(SimpleNamespace(), Path("/run/my 100% socket"))
    url = make_url(blank.url("mqcap", "psycopg2"))
    assert url.query == {"host": "/run/my 100% socket"}


def test_tasks_start_spark_as_commands_do_without_a_note_of_java_at_each_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JDK_JAVA_OPTIONS", raising=False)
    environment = local(local_folders(tmp_path)).environment
    assert environment["SPARK_LAUNCHER_OPTS"] == JAVA_OPTIONS
    assert environment["SPARK_SUBMIT_OPTS"] == java_environment()["SPARK_SUBMIT_OPTS"]
    assert "JDK_JAVA_OPTIONS" not in environment


def test_keys_are_made_once_and_only_the_owner_can_read_them(tmp_path: Path) -> None:
    folders = local_folders(tmp_path)
    first = keys_of(folders)
    assert keys_of(folders) == first
    assert stat.S_IMODE(folders.secrets.stat().st_mode) == 0o600
    assert first.password not in {first.jwt_secret, first.fernet_key}
