"""Folders of the local installation."""

from __future__ import annotations

from pathlib import Path

import pytest

from devtools.local import folders as module
from devtools.local.folders import CHECKOUT, local_folders
from mqcap.domain.errors import ConfigurationError


def test_everything_is_below_var_of_the_checkout_unless_another_folder_is_given(
    tmp_path: Path,
) -> None:
    folders = local_folders(tmp_path / "var")
    assert folders.checkout == CHECKOUT
    for path in (
        folders.postgres, folders.airflow_home, folders.logs, folders.secrets, folders.lake,
        folders.inbox, folders.sample, folders.mail, folders.reports, folders.settings_file,
        folders.environment_file,
    ):  # fmt: skip
        assert path.is_relative_to(tmp_path / "var")


def test_folders_that_programs_write_to_are_created(tmp_path: Path) -> None:
    folders = local_folders(tmp_path / "var")
    assert folders.airflow_home.is_dir()
    assert folders.logs.is_dir()
    assert folders.inbox.is_dir()
    assert folders.mail.is_dir()
    assert not folders.lake.exists()


def test_dags_and_plugins_are_those_of_the_checkout(tmp_path: Path) -> None:
    folders = local_folders(tmp_path)
    assert (folders.dags / "mqcap_dags" / "daily_capacity.py").is_file()
    assert (folders.plugins / "mq_capacity_plugin.py").is_file()


def test_outside_a_checkout_the_error_points_to_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHECKOUT", tmp_path)
    with pytest.raises(ConfigurationError) as raised:
        local_folders()
    assert "expected folders dags and plugins" in str(raised.value)
    assert "make run" in str(raised.value)
