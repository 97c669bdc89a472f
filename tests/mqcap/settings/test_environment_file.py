"""Files of variables: a shell and this product read the same out of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.settings.environment_file import read_environment_file, write_environment_file

VARIABLES = {"MQCAP_LAKE": "/a/la ke", "MQCAP_STORE__URL": "db://x/?host=/run/it's&port=1"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_environment_file(tmp_path / "mqcap.env", VARIABLES)
    return tmp_path / "mqcap.env"


def test_what_was_written_is_read(file: Path) -> None:
    assert read_environment_file(file) == VARIABLES


def test_a_shell_that_sources_the_file_has_the_variables(file: Path) -> None:
    shell = subprocess.run(
        ["sh", "-c", f". {file}; env"], capture_output=True, text=True, check=True, env={}
    )
    assert {f"{name}={value}" for name, value in VARIABLES.items()} <= set(
        shell.stdout.splitlines()
    )


def test_blank_lines_and_remarks_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.env").write_text("# mine\n\nexport MQCAP_LAKE=\n", encoding="utf-8")
    assert read_environment_file(tmp_path / "a.env") == {"MQCAP_LAKE": ""}


@pytest.mark.parametrize(
    "line", ["rm -r x", "export PATH=/x", "export MQCAP_LAKE=a b", "export MQCAP_LAKE='a"]
)
def test_any_other_line_is_an_error(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.env").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"a\.env cannot be read; found .*; expected"):
        read_environment_file(tmp_path / "a.env")
