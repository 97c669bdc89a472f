"""What a site needs to run."""

import os
import subprocess
from importlib.metadata import requires
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyspark
import pytest
import yaml

from mqcap.domain.errors import ConfigurationError
from mqcap.installation import doctor
from mqcap.installation.check import Check, CheckState
from mqcap.installation.doctor import grades_check, unknown_rules
from mqcap.settings import Settings
from mqcap.settings.loader import DEFAULT_FILE
from mqcap.store.database import newest_revision
from spark_apps.runtime.java import java_environment
from tests.mqcap.notifications.smtp_server import smtp_server
from tests.stores import new_store

FINE, OPTIONAL, TO_DO = CheckState.fine, CheckState.optional, CheckState.to_do


def settings_in(folder: Path, **further: Any) -> Settings:
    """Return the settings of a site in a folder."""
    return Settings.model_validate(
        {
            "estate": [{"sysplex": "PLEX1", "smfids": ["SYS1"]}],
            "lake": str(folder / "lake"),
            "store": {"url": f"sqlite:///{folder / 'store.db'}"},
            "ingest": {"inbox": str(folder / "inbox")},
            "alerts": {"mail_folder": str(folder / "mail")},
            **further,
        }
    )


@pytest.fixture(autouse=True)
def own_file(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Settings hold what a test states: the file that they are merged with is empty."""
    file = tmp_path_factory.mktemp("settings") / "platform.yaml"
    file.write_text("{}\n", "utf-8")
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(file))


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a Java to start and without an Airflow; the settings are those of a file."""
    monkeypatch.setattr(doctor, "_java_version", lambda *_: 21)
    monkeypatch.setattr(doctor, "airflow_program", lambda: None)
    monkeypatch.setattr(doctor, "settings_file", lambda: tmp_path / "platform.yaml")


@pytest.mark.usefixtures("elsewhere")
def test_each_part_is_looked_at_and_nothing_is_written(tmp_path: Path) -> None:
    checks = list(doctor.examine(settings_in(tmp_path)))
    assert [(check.what, check.state) for check in checks] == [
        ("settings", FINE), ("grades", OPTIONAL), ("inbox", FINE), ("store", FINE), ("lake", FINE),
        ("Spark", FINE),
        ("mail", OPTIONAL), ("tracker", FINE), ("Airflow", OPTIONAL),
    ]  # fmt: skip
    assert list(tmp_path.iterdir()) == []
    assert checks[0].found.endswith("sysplexes: 1 (queue managers: 0)")


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    ("described", "state"),
    [
        ({}, OPTIONAL),
        ({"smfids": ["SYS2"]}, FINE),
        ({"qmgrs": [{"name": "CSQ1"}]}, FINE),
        ({"cfs": [{"name": "CF01"}]}, FINE),
    ],
)
def test_a_sysplex_of_which_nothing_is_described_is_named_with_what_to_do(
    tmp_path: Path, described: dict[str, Any], state: CheckState
) -> None:
    plexes = [{"sysplex": "PLEX1", "smfids": ["SYS1"]}, {"sysplex": "PLEX2", **described}]
    check = next(iter(doctor.examine(settings_in(tmp_path, estate=plexes))))
    assert check.state is state
    assert ("nothing is described of PLEX2" in check.found) == (state is OPTIONAL)
    assert ("mqcap estate discover" in check.remedy) == (state is OPTIONAL)


def test_without_a_settings_file_one_must_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "settings_file", lambda: DEFAULT_FILE)
    check = doctor._settings(settings_in(tmp_path))
    assert (check.state, check.remedy) == (
        TO_DO, "mqcap init writes one; MQCAP_SETTINGS_FILE names it."
    )  # fmt: skip


@pytest.mark.usefixtures("elsewhere")
def test_only_what_an_estate_has_is_named(tmp_path: Path) -> None:
    place = {"site": "EAST", "qmgrs": [{"name": "QM1"}, {"name": "QM2"}]}
    alone = doctor._settings(settings_in(tmp_path, estate=[place]))
    assert alone.found.endswith("; sites: 1 (queue managers: 2)")
    plex = {"sysplex": "PLEX1", "smfids": ["SYS1"]}
    both = doctor._settings(settings_in(tmp_path, estate=[plex, place]))
    assert both.found.endswith(
        "; sysplexes: 1 (queue managers: 0), other sites: 1 (queue managers: 2)"
    )


def test_a_store_has_its_schema(tmp_path: Path) -> None:
    new_store(tmp_path / "store.db").dispose()
    check = doctor._store(settings_in(tmp_path))
    assert (check.state, check.found.endswith(f"schema {newest_revision()}")) == (FINE, True)
    (tmp_path / "store.db").write_bytes(b"")
    empty = doctor._store(settings_in(tmp_path))
    assert empty.found.endswith("empty; the next command brings it up to date")


@pytest.mark.parametrize("refused", ["store.db", "."])
def test_a_store_needs_to_be_written_as_its_folder_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    new_store(tmp_path / "store.db").dispose()
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != tmp_path / refused)
    check = doctor._store(settings_in(tmp_path))
    assert (check.state, check.what) == (TO_DO, "store")
    assert check.found.endswith("store.db cannot be written to")


@pytest.mark.usefixtures("elsewhere")
def test_a_database_that_does_not_answer_is_named_without_its_password(tmp_path: Path) -> None:
    url = {"url": "postgresql+psycopg2://mqcap:hidden-word@127.0.0.1:1/mqcap"}
    checks = {check.what: check for check in doctor.examine(settings_in(tmp_path, store=url))}
    assert checks["store"].state is TO_DO
    assert "does not answer" in checks["store"].found
    assert "hidden-word" not in " ".join(checks["store"].lines)


def test_a_lake_in_an_object_store_is_listed(tmp_path: Path) -> None:
    check = doctor._lake(settings_in(tmp_path, lake="memory://doctor/lake"))
    assert (check.state, check.found) == (
        FINE, "memory://doctor/lake can be listed; writing is not tried"
    )  # fmt: skip


@pytest.mark.parametrize("module", ["pyspark", "polars"])
def test_without_a_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name == module else name)
    check = doctor._spark()
    assert (check.state, check.remedy) == (TO_DO, "pip install 'mqcap[spark]'")


@pytest.mark.parametrize(
    ("release", "state"),
    [("4.2.9", TO_DO), ("4.3.0", FINE), ("4.3.1", FINE), ("4.30.0", TO_DO), ("3.5.6", TO_DO)],
)
@pytest.mark.usefixtures("elsewhere")
def test_spark_has_to_be_of_the_release_of_the_extra(
    monkeypatch: pytest.MonkeyPatch, release: str, state: CheckState
) -> None:
    monkeypatch.setattr(pyspark, "__version__", release)
    check = doctor._spark()
    assert check.state is state
    assert release in check.found
    [extra] = {
        require.partition(";")[0].strip()
        for require in requires("mqcap") or ()
        if "pyspark" in require
    }
    assert f">={doctor.SPARK_RELEASE}" in extra


@pytest.mark.parametrize(("version", "state"), [(None, TO_DO), (16, TO_DO), (17, FINE), (25, FINE)])
def test_java_has_to_be_one_that_spark_knows(
    monkeypatch: pytest.MonkeyPatch, version: int | None, state: CheckState
) -> None:
    monkeypatch.setattr(doctor, "_java_version", lambda *_: version)
    assert doctor._spark().state is state


@pytest.mark.thorough
def test_the_release_of_a_java_is_asked(tmp_path: Path) -> None:
    java = tmp_path / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"17.0.15\" 2025-04-15' >&2\n")
    java.chmod(0o755)
    assert doctor._java_version(str(java), dict(os.environ)) == 17
    assert doctor._java_version(str(tmp_path / "none"), dict(os.environ)) is None


@pytest.mark.usefixtures("elsewhere")
def test_a_mail_server_is_greeted_and_gets_no_mail(tmp_path: Path) -> None:
    with smtp_server() as (server, mailbox):
        smtp = {"host": server.host, "port": server.port}
        check = doctor._mail(settings_in(tmp_path, smtp=smtp))
    assert (check.state, mailbox.mails) == (FINE, [])
    checks = {check.what: check for check in doctor.examine(settings_in(tmp_path, smtp=smtp))}
    assert checks["mail"].state is TO_DO
    assert "does not answer" in checks["mail"].found


@pytest.mark.thorough
def test_a_tracker_is_looked_for_at_its_address(tmp_path: Path) -> None:
    jira = {"ticket_backend": "jira", "ticket_options": {"project": "MQ"}}
    check = doctor._tracker(settings_in(tmp_path, alerts=jira))
    assert (check.state, check.found) == (OPTIONAL, "jira without an address")
    options = {"url": "http://127.0.0.1:1", "project": "MQ", "user": "mq", "token": "made-up"}
    there = {"ticket_backend": "jira", "ticket_options": options}
    check = doctor._tracker(settings_in(tmp_path, alerts=there))
    assert (check.what, check.state) == ("tracker jira", TO_DO)


@pytest.mark.usefixtures("elsewhere")
def test_a_tracker_that_does_not_exist_is_named(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, alerts={"ticket_backend": "paper"})
    checks = {check.what: check for check in doctor.examine(settings)}
    assert checks["tracker"].state is TO_DO
    assert "alerts.ticket_backend names no tracker" in checks["tracker"].found


AIRFLOW = Check(FINE, "Airflow", "3.2.2")
COMMANDS = "mqcap airflow check has the commands."
REFUSED = ConfigurationError("this release is not supported", found="2.11", remedy="Install.")


@pytest.mark.parametrize(
    ("told", "state", "found", "remedy"),
    [
        ([AIRFLOW], FINE, "3.2.2", ""),
        ([AIRFLOW, Check(TO_DO, "pool x", "not there")], TO_DO, "lacks pool x", COMMANDS),
        ([AIRFLOW, Check(OPTIONAL, "variable y", "not there")], FINE, "3.2.2", ""),
        (REFUSED, TO_DO, "this release is not supported; found 2.11", "Install."),
    ],
)
@pytest.mark.usefixtures("elsewhere")
def test_an_airflow_is_fine_when_nothing_must_be_done(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    told: list[Check] | ConfigurationError,
    state: CheckState,
    found: str,
    remedy: str,
) -> None:
    def answer(_: Settings) -> list[Check]:
        if isinstance(told, ConfigurationError):
            raise told
        return told

    monkeypatch.setattr(doctor, "airflow_program", lambda: "airflow")
    monkeypatch.setattr(doctor, "database_was_made", lambda: True)
    monkeypatch.setattr(doctor, "check_airflow", answer)
    *_, check = doctor.examine(settings_in(tmp_path))
    assert (check.state, check.found, check.remedy) == (state, found, remedy)


def test_an_airflow_that_nobody_uses_is_nothing_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "airflow_program", lambda: "airflow")
    monkeypatch.setattr(doctor, "database_was_made", lambda: False)
    check = doctor._airflow(settings_in(tmp_path))
    found = "installed; its AIRFLOW_HOME has no database for this command"
    assert (check.state, check.found) == (OPTIONAL, found)
    assert "airflow db migrate" in check.remedy


def test_java_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answer(command: list[str], **_: object) -> SimpleNamespace:
        asked.extend(command)
        return SimpleNamespace(stderr='openjdk version "21.0.1"')

    monkeypatch.setattr(subprocess, "run", answer)
    assert doctor._spark().found.endswith("with Java 21")
    assert asked == [f"{java_environment()['JAVA_HOME']}/bin/java", "-version"]


FIGURE: dict[str, Any] = {
    "figure": "disk_busy_pct", "label": "Disk busy", "unit": "%", "limit": 80,
}  # fmt: skip


GRADES: dict[str, Any] = yaml.safe_load(DEFAULT_FILE.read_text("utf-8"))["grading"]


@pytest.mark.parametrize("name", ["default", "LOG-FILL-30MIN", "SITE-MAX-DISK_BUSY_PCT"])
def test_rules_of_the_release_and_of_own_figures_are_known(name: str) -> None:
    settings = Settings(
        grading={name: {"breach": "act"}},
        alerts={"lead_time_days": {name: 7}},
        site_figures=[FIGURE],
    )
    assert list(unknown_rules(settings)) == []


def test_a_wrong_name_of_a_rule_is_to_be_corrected_with_the_near_one() -> None:
    [check] = unknown_rules(Settings(grading={"LOG-FIL-30MIN": {"breach": "act"}}))
    assert (check.state, check.what) == (CheckState.to_do, "grading")
    assert "LOG-FIL-30MIN" in check.found
    assert "LOG-FILL-30MIN" in check.remedy


def test_a_rule_of_a_figure_that_is_not_declared_is_named() -> None:
    stated = {"SITE-MAX-DISK_BUSY_PCT": 30, "DST-TOLD-LOG": 30}
    [check] = unknown_rules(Settings(alerts={"lead_time_days": stated}))
    assert check.what == "alerts.lead_time_days"
    assert "DST-TOLD-LOG, SITE-MAX-DISK_BUSY_PCT" in check.found


@pytest.mark.parametrize(
    ("changed", "state", "found"),
    [
        ({}, FINE, "those of the package"),
        ({"CF-CPU-60": {"breach": "watch"}}, FINE, "those of the package"),
        ({"LOG-FILL-30MIN": {"watch_below_headroom": 0.334}, "DST-DEPTH": None}, OPTIONAL,
         "1 of the package are not stated: DST-DEPTH; 1 are your own: LOG-FILL-30MIN"),
    ],
)  # fmt: skip
def test_grades_of_an_older_release_are_named(
    changed: dict[str, Any], state: CheckState, found: str
) -> None:
    stated = {rule: grade for rule, grade in {**GRADES, **changed}.items() if grade is not None}
    check = grades_check(Settings(grading=stated))
    assert (check.state, check.found) == (state, found)


def test_of_many_grades_the_first_are_named() -> None:
    check = grades_check(Settings())
    missing = [rule for rule in GRADES if rule != "default"]
    assert check.found == (
        f"{len(missing)} of the package are not stated: {', '.join(missing[:5])}, ..."
    )
