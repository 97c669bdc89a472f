"""Users without a folder of their own get a temporary one for drawing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mqcap.cli.app import VARIABLE, choose_drawing_folder


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No folder is named, and the home is one of this test; afterwards all is as before."""
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.delenv(VARIABLE)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


def test_who_has_a_home_uses_it() -> None:
    choose_drawing_folder()
    assert VARIABLE not in os.environ


def test_a_folder_that_is_named_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/proc/none")
    monkeypatch.setenv(VARIABLE, "named")
    choose_drawing_folder()
    assert os.environ[VARIABLE] == "named"


@pytest.mark.parametrize("variable", ["HOME", "XDG_CONFIG_HOME"])
def test_who_has_none_has_one_until_the_process_ends(tmp_path: Path, variable: str) -> None:
    """A file stands where the folder should be: nobody can make it, an administrator neither."""
    (tmp_path / "file").write_text("")
    code = (
        "import os; from mqcap.cli.app import choose_drawing_folder as choose;"
        f"choose(); print(os.environ['{VARIABLE}'], os.path.isdir(os.environ['{VARIABLE}']))"
    )
    environment = {**os.environ, variable: str(tmp_path / "file" / "home")}
    answer = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    folder, is_there = answer.stdout.split()
    assert is_there == "True"
    assert not Path(folder).exists()
