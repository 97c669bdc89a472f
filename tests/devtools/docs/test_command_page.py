"""The page of the commands has all of them."""

from __future__ import annotations

import pytest

from devtools.docs.site import EXPORTS, command_page
from mqcap.cli.shared.exit_codes import ExitCode
from tests.mqcap.cli.test_app import ALL

PAGE = command_page()


@pytest.mark.parametrize("words", [words for words, command in ALL.items() if not command.hidden])
def test_every_command_has_its_section_with_every_option(words: str) -> None:
    marks = "###" if " " in words else "##"
    section = PAGE.partition(f"\n{marks} mqcap {words}\n")[2].partition("\n##")[0]
    shown = [option for option in ALL[words].params if not getattr(option, "hidden", False)]
    names = [each for option in shown for each in option.opts if each.startswith("--")]
    assert [name for name in names if f"{name}" not in section] == []
    assert ALL[words].help.split("\n")[0].strip() in section


def test_every_export_has_its_columns() -> None:
    exports = {words.partition(" ")[2] for words in ALL if words.startswith("export ")}
    assert exports == set(EXPORTS)
    for columns in EXPORTS.values():
        assert [name for name in columns if f"\n| `{name}` | " not in PAGE] == []


def test_every_exit_code_is_on_it() -> None:
    assert [code for code in ExitCode if f"\n| {code.value} | " not in PAGE] == []
