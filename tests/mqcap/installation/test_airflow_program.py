"""What the program ``airflow`` tells."""

from __future__ import annotations

import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable
from mqcap.installation import airflow_program as module
from mqcap.installation.airflow_program import (
    AirflowState,
    airflow_state,
    ask_airflow,
    database_was_made,
)
from tests.mqcap.installation.airflow_answers import answers

CONNECTIONS = ["spark_default", "smtp_default"]
VARIABLES = ["mqcap_platform_mail_to"]


def test_all_that_it_has_is_read() -> None:
    assert airflow_state(CONNECTIONS, VARIABLES, answers()) == AirflowState(
        version="3.2.2",
        slots_by_pool={"mqcap_lake": 1, "mqcap_delivery": 1},
        connections=frozenset(CONNECTIONS),
        variables=frozenset(VARIABLES),
        plugins=frozenset({"mq_capacity"}),
        dags=frozenset({"mqcap_daily", "billing"}),
        import_errors=(),
    )


def test_what_it_fails_to_get_is_not_there() -> None:
    ask = answers({"connections get smtp_default": None, "plugins": None})
    state = airflow_state(CONNECTIONS, VARIABLES, ask)
    assert state.connections == {"spark_default"}
    assert state.plugins == frozenset()


def test_lines_of_logs_before_an_answer_are_passed_over() -> None:
    ask = answers({"version": "a warning\n3.3.2\n", "dags list": 'a log\n[{"dag_id": "one"}]\n'})
    state = airflow_state([], [], ask)
    assert (state.version, list(state.dags)) == ("3.3.2", ["one"])


def test_files_that_cannot_be_parsed_are_listed() -> None:
    errors = '[{"bundle_name": "d", "filepath": "mqcap_reports.py", "error": "No module"}]'
    state = airflow_state([], [], answers({"dags list-import-errors": errors}))
    assert state.import_errors == ("mqcap_reports.py",)


def test_without_airflow_a_sentence_says_where_to_run_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "release_here", lambda: None)
    with pytest.raises(ConfigurationError, match="Run the command where Airflow runs"):
        airflow_state([], [], answers({"version": None}))


def test_an_unsupported_release_is_asked_nothing_more() -> None:
    with pytest.raises(ConfigurationError, match=r"found Airflow 2\.11\.0; expected 3\.1 to 3\.3"):
        airflow_state([], [], answers({"version": "2.11.0", "pools list": None}))


def test_a_database_that_does_not_answer_is_named() -> None:
    ask = answers({"pools list": None, "config get-value database sql_alchemy_conn": "sqlite:///"})
    with pytest.raises(ServiceUnavailable, match="Airflow's database does not answer"):
        airflow_state([], [], ask)


@pytest.mark.parametrize(
    ("release", "sentence"),
    [
        ("3.3.2", "does not start for the user of this command; found Airflow 3.3.2"),
        ("3.0.6", "this release of Airflow is not supported; found Airflow 3.0.6"),
    ],
)
def test_an_airflow_that_does_not_start_is_told_by_its_release(
    monkeypatch: pytest.MonkeyPatch, release: str, sentence: str
) -> None:
    monkeypatch.setattr(module, "release_here", lambda: release)
    configuration = "config get-value database sql_alchemy_conn"
    with pytest.raises(ConfigurationError, match=re.escape(sentence)):
        database_was_made(answers({configuration: None}))
    with pytest.raises(ConfigurationError, match=re.escape(sentence)):
        airflow_state([], [], answers({"version": None}))
    with pytest.raises(ConfigurationError, match=re.escape(sentence)):
        airflow_state([], [], answers({"pools list": None, configuration: None}))


def test_an_airflow_of_another_environment_is_taken_to_be_in_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "release_here", lambda: None)
    assert database_was_made(answers({"config get-value database sql_alchemy_conn": None}))


def test_without_a_program_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "airflow_program", lambda: None)
    assert ask_airflow(["version"]) is None


def test_the_program_beside_this_python_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "path" / "airflow"
    elsewhere.parent.mkdir()
    elsewhere.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(elsewhere.parent))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert module.airflow_program() == str(elsewhere)
    beside = tmp_path / "airflow"
    beside.touch()
    assert module.airflow_program() == str(beside)


@pytest.mark.thorough
def test_a_program_that_fails_or_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "airflow"
    program.write_text("#!/bin/sh\n[ $1 = hang ] && exec sleep 60\necho $1\n[ $1 = version ]\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(module, "_ANSWER_SECONDS", 0.3)
    assert ask_airflow(["version"]) == "version\n"
    assert ask_airflow(["pools"]) is None
    with pytest.raises(ServiceUnavailable, match="no end of airflow hang"):
        ask_airflow(["hang"])


def made(url: str) -> bool:
    """Ask for the database of an Airflow whose address is this one."""
    return database_was_made(answers({"config get-value database sql_alchemy_conn": f"{url}\n"}))


def test_a_sqlite_file_without_a_table_is_a_database_that_nobody_made(tmp_path: Path) -> None:
    file = tmp_path / "air flow.db"
    assert not made(f"sqlite:///{file}")
    assert not file.exists()
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA user_version = 1")
        assert not made(f"sqlite:///{file}")
        database.execute("CREATE TABLE alembic_version (version_num TEXT)")
    assert made(f"sqlite:///{file}")
    file.write_bytes(b"not a database" * 100)
    assert made(f"sqlite:///{file}?timeout=5")


@pytest.mark.parametrize("url", ["postgresql+psycopg2://airflow@db/airflow", ""])
def test_another_database_is_taken_to_be_in_use(url: str) -> None:
    assert made(url)
