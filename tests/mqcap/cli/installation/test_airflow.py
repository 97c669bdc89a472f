"""``mqcap airflow``."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.installation.check import Check, CheckState
from tests.mqcap.cli.command_line import invoked, output_of


def test_the_files_are_written_once(tmp_path: Path) -> None:
    first = output_of("airflow", "install-dags", str(tmp_path))
    assert first.count("written   ") == 4
    assert "4 of 4 files written" in first
    second = output_of("airflow", "install-dags", str(tmp_path))
    assert second.count("unchanged ") == 4
    assert "0 of 4 files written" in second


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    result = invoked("airflow", "install-dags", str(tmp_path / "none"))
    assert result.exit_code == 1


def test_what_must_be_done_is_printed_and_makes_exit_code_1(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    missing = [Check(CheckState.to_do, "pool x", "not there", "airflow pools set x 1 'a b'")]
    monkeypatch.setattr("mqcap.cli.installation.airflow.check_airflow", lambda _: missing)
    result = invoked("airflow", "check")
    assert result.exit_code == 1
    assert result.output == ("to do     pool x: not there\n          airflow pools set x 1 'a b'\n")


def test_an_airflow_that_lacks_nothing_makes_exit_code_0(monkeypatch: pytest.MonkeyPatch) -> None:
    fine = [Check(CheckState.fine, "page", "there")]
    monkeypatch.setattr("mqcap.cli.installation.airflow.check_airflow", lambda _: fine)
    assert output_of("airflow", "check") == "fine      page: there\n"
