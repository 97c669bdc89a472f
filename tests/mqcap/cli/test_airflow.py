"""``mqcap airflow``."""

from __future__ import annotations

from pathlib import Path

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
