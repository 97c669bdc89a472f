"""YAML of settings: plain data, and errors with their line."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from mqcap.settings.loader import parse_yaml, yaml_error_text

TEXT = "a: [1, 2.5, true]\nb: {c: 2026-03-02, d: 'æ'}\n"


def test_the_parser_in_c_reads_what_the_one_in_python_reads(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text(TEXT, encoding="utf-8")
    with file.open("rb") as opened:
        assert parse_yaml(opened) == parse_yaml(TEXT) == yaml.safe_load(TEXT)
    assert parse_yaml("") is None


def test_an_error_names_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    file.write_text("a: 1\nb: [", encoding="utf-8")
    with file.open("rb") as opened, pytest.raises(yaml.YAMLError, match=r"settings\.yaml.*line \d"):
        parse_yaml(opened)


def test_objects_of_python_are_refused() -> None:
    with pytest.raises(yaml.YAMLError):
        parse_yaml("!!python/object/apply:os.getcwd []")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: [", "line 3, column 1: did not find expected node content"),
        ("a:\n\tb: 1\n", "line 2, column 1: found character that cannot start any token"),
        ("a: \0", "control characters are not allowed"),
    ],
)
def test_an_error_is_one_line_with_its_place(text: str, expected: str) -> None:
    with pytest.raises(yaml.YAMLError) as raised:
        parse_yaml(text)
    shown = yaml_error_text(raised.value)
    assert expected in shown
    assert "\n" not in shown
