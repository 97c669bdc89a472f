"""Stopping the local run, and the lock that keeps a second one out."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from rich.text import Text

from devtools.local import run as local_run
from devtools.local.folders import LocalFolders, local_folders
from devtools.local.processes import StartedPrograms
from mqcap.domain.errors import ConfigurationError


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_us_once_and_handlers_come_back(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with local_run._asked_to_stop():
        with pytest.raises(local_run.Stopped):
            os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)  # the second one must not disturb the clearing up
    assert signal.getsignal(number) == before


def test_a_second_run_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    folders = local_folders(tmp_path)
    with (
        local_run._only_one(folders),
        pytest.raises(ConfigurationError, match="make run"),
        local_run._only_one(folders),
    ):
        pass
    with local_run._only_one(folders):
        pass


def test_an_error_stops_the_programs_first(tmp_path: Path) -> None:
    programs = StartedPrograms(tmp_path)
    with pytest.raises(ConfigurationError), local_run._stop_first(programs):
        raise ConfigurationError("no")
    assert programs.stopping


def test_the_line_for_another_terminal_goes_to_the_folder_of_this_run(tmp_path: Path) -> None:
    folders = local_folders(tmp_path)
    text = Text.from_markup(local_run.commands_text(folders)).plain
    assert text.endswith(f"cd {folders.checkout}; . .venv/bin/activate; mqcap plan")


def test_a_folder_with_a_blank_is_quoted_in_that_line(tmp_path: Path) -> None:
    folders = LocalFolders(tmp_path / "my checkout", tmp_path)
    text = Text.from_markup(local_run.commands_text(folders)).plain
    assert f"cd '{tmp_path}/my checkout'; " in text
