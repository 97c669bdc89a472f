"""The program ``airflow``: what it tells, what is checked, what is needed."""

import json
import re
import shlex
import sqlite3
import sys
import tomllib
from contextlib import closing
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError, ServiceUnavailable
from mqcap.installation import airflow_check as module
from mqcap.installation import airflow_needs
from mqcap.installation.airflow_check import (
    ask_airflow,
    check_airflow,
    database_was_made,
)
from mqcap.installation.airflow_needs import (
    PLATFORM_MAIL_VARIABLE,
    SMTP_CONNECTION,
    SPARK_CONNECTION,
    declared_pools,
    require_supported,
    require_supported_here,
)
from mqcap.installation.check import CheckState, is_fine
from mqcap.settings import Settings
from tests.airflow_home import CHECKOUT
from tests.mqcap.installation.airflow_answers import answers

CONFIGURATION = "config get-value database sql_alchemy_conn"


def test_lines_of_logs_before_an_answer_are_passed_over() -> None:
    dags = 'a log\n[{"dag_id": "mqcap_daily"}]\n'
    checks = check_airflow(
        Settings(), answers({"version": "a warning\n3.3.2\n", "dags list": dags})
    )
    assert (checks[0].found, is_fine(checks)) == ("3.3.2", True)


def test_without_airflow_a_sentence_says_where_to_run_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "release_here", lambda: None)
    with pytest.raises(ConfigurationError, match="Run the command where Airflow runs"):
        check_airflow(Settings(), answers({"version": None}))


def test_an_unsupported_release_is_asked_nothing_more() -> None:
    with pytest.raises(ConfigurationError, match=r"found Airflow 2\.11\.0; expected 3\.1 to 3\.3"):
        check_airflow(Settings(), answers({"version": "2.11.0", "pools list": None}))


def test_a_database_that_does_not_answer_is_named() -> None:
    ask = answers({"pools list": None, CONFIGURATION: "sqlite:///"})
    with pytest.raises(ServiceUnavailable, match="Airflow's database does not answer"):
        check_airflow(Settings(), ask)


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
    with pytest.raises(ConfigurationError, match=re.escape(sentence)):
        database_was_made(answers({CONFIGURATION: None}))
    for failing in ({"version": None}, {"pools list": None, CONFIGURATION: None}):
        with pytest.raises(ConfigurationError, match=re.escape(sentence)):
            check_airflow(Settings(), answers(failing))


def test_an_airflow_of_another_environment_is_taken_to_be_in_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "release_here", lambda: None)
    assert database_was_made(answers({CONFIGURATION: None}))


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
    assert ask_airflow(["version"]) == "version\n"
    assert ask_airflow(["pools"]) is None
    monkeypatch.setattr(module, "_ANSWER_SECONDS", 0.3)
    with pytest.raises(ServiceUnavailable, match="no end of airflow hang"):
        ask_airflow(["hang"])


def made(url: str) -> bool:
    """Ask for the database of an Airflow whose address is this one."""
    return database_was_made(answers({CONFIGURATION: f"{url}\n"}))


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


def test_an_airflow_that_lacks_nothing_is_fine() -> None:
    checks = check_airflow(Settings(), answers())
    assert is_fine(checks)
    assert {check.state for check in checks} == {CheckState.fine}
    assert [check.what for check in checks] == [
        "Airflow", "pool mqcap_lake", "pool mqcap_delivery", "connection spark_default",
        "connection smtp_default", "variable mqcap_platform_mail_to", "page", "DAGs",
    ]  # fmt: skip


def pools(**slots: str) -> dict[str, str | None]:
    """What ``pools list`` says of pools with so many slots."""
    named = {"mqcap_lake": "1", "mqcap_delivery": "1", **slots}
    rows = [{"pool": name, "slots": count} for name, count in named.items() if count]
    return {"pools list": json.dumps(rows)}


BROKEN = [{"filepath": "mqcap_reports.py"}, {"filepath": "billing.py"}]
OF_TRACKER = "not there; address and token of the tracker are those of alerts.ticket_options"


@pytest.mark.parametrize(
    ("changed", "settings", "check", "words"),
    [
        (pools(mqcap_delivery=""), {}, ("to do", "pool mqcap_delivery", "not there"),
         {"set", "mqcap_delivery", "1", "Mail and tickets: one delivering process at a time."}),
        *[(pools(mqcap_lake=slots), {},
           ("to do", "pool mqcap_lake", f"{slots} slots; 1 are needed"), set())
          for slots in ("0", "2", "128")],
        ({"connections get spark_default": None}, {"spark": {"master": "spark://cluster:7077"}},
         ("to do", "connection spark_default", "not there"),
         {"spark://cluster:7077", '{"spark-binary": "spark-submit"}'}),
        ({"connections get smtp_default": None}, {"alerts": {"mail_from": "mq@example.com"}},
         ("optional", "connection smtp_default", "not there; email goes to var/mail as .eml"),
         {"HOST", '{"from_email": "mq@example.com"}'}),
        ({}, {"alerts": {"ticket_backend": "servicenow"}},
         ("optional", "connection servicenow_default", OF_TRACKER), {"TOKEN"}),
        ({"dags list": json.dumps([{"dag_id": "billing"}])}, {},
         ("to do", "DAGs", "no mqcap_daily, or the DAG processor has not looked yet"),
         {"install-dags"}),
        ({"dags list-import-errors": json.dumps(BROKEN)}, {},
         ("to do", "mqcap_reports.py", "cannot be parsed"), {"list-import-errors"}),
        ({"plugins": None}, {}, ("to do", "page", "no plugin mq_capacity"), set()),
    ],
)  # fmt: skip
def test_what_is_missing_is_told_with_the_command_that_adds_it(
    changed: dict[str, str | None],
    settings: dict[str, Any],
    check: tuple[str, str, str],
    words: set[str],
) -> None:
    checks = check_airflow(Settings.model_validate(settings), answers(changed))
    [made] = [found for found in checks if found.state is not CheckState.fine]
    assert (made.state, made.what, made.found) == check
    assert words <= set(shlex.split(made.remedy))


@pytest.mark.parametrize("version", ["3.1.0", "3.2.2", "3.3.9"])
def test_supported_releases_are_accepted(version: str) -> None:
    require_supported(version)


@pytest.mark.parametrize("version", ["2.11.2", "3.0.6", "3.4.0", "4.1.0", "unknown"])
def test_other_releases_are_refused_in_one_sentence(version: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        require_supported(version)
    assert str(raised.value) == (
        f"this release of Airflow is not supported; found Airflow {version}; expected 3.1 to 3.3. "
        "Install mqcap beside Airflow 3.3: pip install 'mqcap[airflow,spark]'."
    )


@pytest.mark.parametrize("installed", ["apache-airflow-core", "apache-airflow"])
def test_the_release_of_this_environment_is_that_of_either_package(
    monkeypatch: pytest.MonkeyPatch, installed: str
) -> None:
    def version(package: str) -> str:
        if package != installed:
            raise PackageNotFoundError(package)
        return "2.10.5"

    monkeypatch.setattr(airflow_needs, "version", version)
    with pytest.raises(ConfigurationError, match=r"found Airflow 2\.10\.5; expected 3\.1 to 3\.3"):
        require_supported_here()


def test_the_releases_are_those_of_the_extra() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    assert "apache-airflow>=3.1,<3.4" in project["optional-dependencies"]["airflow"]


@pytest.mark.airflow
def test_the_names_are_those_that_the_dags_use() -> None:
    from mqcap_dags import defaults, spark  # noqa: PLC0415 - loads Airflow

    assert {pool.name for pool in declared_pools()} == {str(pool) for pool in defaults.Pool}
    assert defaults.SMTP_CONNECTION == SMTP_CONNECTION
    assert defaults.PLATFORM_MAIL_VARIABLE == PLATFORM_MAIL_VARIABLE
    assert spark.SPARK_CONNECTION == SPARK_CONNECTION
