"""Text on a terminal is printed as it is."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from mqcap.presentation.terminal import plain, terminal


def printed(text: object, console: Console) -> str:
    console.file, console.width = io.StringIO(), 80
    console.print(text)
    return str(console.file.getvalue())


@pytest.mark.parametrize("name", [":bomb:", "[red]CSQ1[/red]", "[/]", "CSQ1 1,024 'x' None"])
def test_a_name_is_neither_an_emoji_nor_markup_nor_coloured(name: str) -> None:
    assert printed(plain(name), terminal()) == f"{name}\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("\x1b[2JCSQ1", "?[2JCSQ1"), ("a\tb", "a       b"), ("\x9b31m", "?31m")],
    ids=["escape", "tab", "c1"],
)
def test_a_control_sequence_has_no_effect(text: str, shown: str) -> None:
    assert printed(plain(text), terminal()) == f"{shown}\n"


def test_errors_go_to_the_other_stream(capsys: pytest.CaptureFixture[str]) -> None:
    terminal(stderr=True).print("wrong")
    terminal().print("right")
    assert capsys.readouterr() == ("right\n", "wrong\n")
