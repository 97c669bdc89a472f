"""Rows of dumps as files, without the libraries for command lines and settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqcap.cli.smf.rows import ConfiguredZones, plain_arguments, progress_shown, write_rows
from mqcap.progress.bars import LINE_SECONDS_VARIABLE
from mqcap.progress.json_log import VARIABLE
from mqcap.progress.shown import work
from mqcap.settings import load_settings
from tests.mqcap.ingest.dumps import small_dump


def test_a_folder_that_cannot_be_written_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump = small_dump(tmp_path)
    assert write_rows([str(dump)], dump / "out", "csv") == 1
    assert "out: the rows cannot be written; found [Errno" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("a.smf -o out b.smf", (["a.smf", "b.smf"], Path("out"))),
        ("--out out a.smf", (["a.smf"], Path("out"))),
        ("a.smf --out=out", None),
        ("a.smf -o out --help", None),
        ("a.smf", None),
        ("-o out", None),
        ("a.smf -o", None),
    ],
)
def test_only_plain_lines_are_taken_without_the_library(
    line: str, taken: tuple[list[str], Path] | None
) -> None:
    assert plain_arguments(line.split()) == taken


def test_zones_are_those_of_the_estate() -> None:
    assert dict(ConfiguredZones()) == load_settings().complete_estate().zone_by_system()


def test_an_unreadable_input_leaves_the_others_and_makes_the_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump = small_dump(tmp_path)
    other = tmp_path / "notes.bin"
    other.write_bytes(bytes(100))
    assert write_rows([str(other), str(dump)], tmp_path / "out", "csv") == 1
    printed = capsys.readouterr().err
    assert "notes.bin" in printed.splitlines()[0]
    assert "QJST.csv: " in printed
    assert (tmp_path / "out" / "QJST.csv").is_file()


def test_what_is_printed_is_json_where_the_environment_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, "json")
    dump = small_dump(tmp_path)
    (tmp_path / "notes.bin").write_bytes(bytes(100))
    write_rows([str(tmp_path / "notes.bin"), str(dump)], tmp_path / "out", "csv")
    error, *lines = map(json.loads, capsys.readouterr().err.splitlines())
    assert (error["level"], error["error"]) == ("error", "InputError")
    assert any("QJST.csv: " in line["message"] for line in lines)


def test_without_a_readable_input_nothing_is_written(tmp_path: Path) -> None:
    other = tmp_path / "notes.bin"
    other.write_bytes(bytes(100))
    assert write_rows([str(other)], tmp_path / "out", "csv") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("form", ["", "json"])
def test_long_work_is_lines_of_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    monkeypatch.setenv(VARIABLE, form)
    monkeypatch.setenv(LINE_SECONDS_VARIABLE, "0.01")
    printed = ""
    with progress_shown(), work("read inputs", 4, "MiB") as shown:
        shown.advance()
        while "\n" not in printed:
            printed += capsys.readouterr().err
    line = printed.splitlines()[0]
    text = json.loads(line)["message"] if form else line
    assert text.startswith("read inputs: 25 %, 1 of 4 MiB, 0:00:0")
