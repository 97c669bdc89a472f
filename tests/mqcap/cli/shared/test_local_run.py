"""Settings of the local run: used in its folder, unless the environment names others."""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mqcap.cli.shared import local_run
from mqcap.settings.environment_file import write_environment_file


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with the file of a local run and an environment without settings."""
    for name in (*local_run.PLACES, "MQCAP_SPARK__MASTER"):
        monkeypatch.setenv(name, "")  # so that its absence is restored too
        monkeypatch.delenv(name)
    variables = {"MQCAP_LAKE": str(tmp_path / "lake"), "MQCAP_SPARK__MASTER": "local[2]"}
    (tmp_path / "var").mkdir()
    write_environment_file(tmp_path / local_run.LOCAL_FILE, variables)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_its_settings_are_used_and_said_once(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert local_run.site_settings().lake == str(checkout / "lake")
    assert local_run.site_settings().lake == str(checkout / "lake")
    assert capsys.readouterr().err == "Settings of the local run: var/mqcap.env\n"


def test_folders_below_the_checkout_are_in_it(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout / "docs" / "layouts").mkdir(parents=True)
    monkeypatch.chdir(checkout / "docs" / "layouts")
    assert local_run.site_settings().lake == str(checkout / "lake")
    assert capsys.readouterr().err == "Settings of the local run: ../../var/mqcap.env\n"


def test_a_variable_of_the_environment_wins(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_SPARK__MASTER", "local[1]")
    settings = local_run.site_settings()
    assert (settings.lake, settings.spark.master) == (str(checkout / "lake"), "local[1]")


@pytest.mark.parametrize("name", local_run.PLACES)
@pytest.mark.parametrize("value", ["", "elsewhere"])
def test_who_names_settings_lake_or_store_gets_nothing_of_the_local_run(
    checkout: Path, name: str, value: str
) -> None:
    assert local_run.local_file(checkout, {}) == checkout / "var" / "mqcap.env"
    assert local_run.local_file(checkout, {name: value}) is None


def test_a_file_of_another_user_is_not_used(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    owner = (checkout / local_run.LOCAL_FILE).stat().st_uid
    monkeypatch.setattr(local_run, "_trusted", lambda: {owner + 1})
    assert local_run.site_settings().lake == local_run.site_settings().lake == "var/lake"
    said = capsys.readouterr().err
    assert said == "Settings: the defaults; var/mqcap.env is another user's.\n"


def test_files_of_the_user_and_of_root_are_trusted() -> None:
    assert local_run._trusted() == {os.geteuid(), 0}


@pytest.mark.thorough
def test_its_database_is_started_for_the_command(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (checkout / "var" / "postgres").mkdir()
    ending: list[Callable[[], None]] = []
    monkeypatch.setattr(atexit, "register", ending.append)
    settings = local_run.site_settings()
    assert "postgresql" in settings.store.url.get_secret_value()
    running = checkout / "var" / "postgres" / "postmaster.pid"
    assert running.is_file()
    ending[-1]()
    assert not running.exists()
    monkeypatch.delenv("MQCAP_LAKE")
    monkeypatch.delenv("MQCAP_STORE__URL")
    local_run.site_settings(with_store=False)
    assert not running.exists()
