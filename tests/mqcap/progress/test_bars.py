"""Progress of commands on a terminal and in a file."""

from __future__ import annotations

import io
import time
from collections.abc import Callable

import pytest
from rich.console import Console

from mqcap.progress.bars import LINE_SECONDS_VARIABLE, ProgressBars, shown_on
from mqcap.progress.shown import LogLines, Work, show_on, tracked, work


def console(text: io.StringIO, *, is_terminal: bool) -> Console:
    return Console(file=text, force_terminal=is_terminal, width=120, color_system=None)


def wait_for(words: str, text: io.StringIO) -> None:
    until = time.monotonic() + 5
    while words not in text.getvalue() and time.monotonic() < until:
        time.sleep(0.01)
    assert words in text.getvalue()


def test_a_terminal_has_a_bar_that_says_how_far_it_is_and_none_at_the_end() -> None:
    text = io.StringIO()
    bars = ProgressBars(console(text, is_terminal=True), first_seconds=0)
    with show_on(bars), work("decode", 4, "files") as shown:
        shown.advance(2)
        wait_for("2 of 4 files, 0:00:00, about 0:00:00 more", text)
    assert "decode" in text.getvalue()
    assert "decode" not in text.getvalue().rpartition("\x1b[2K")[2]  # the line is erased


def test_work_inside_work_has_a_bar_of_its_own() -> None:
    text = io.StringIO()
    bars = ProgressBars(console(text, is_terminal=True), first_seconds=0)
    with show_on(bars), work("run"), work("inner", 1, "files"):
        wait_for("inner", text)
    assert "run" in text.getvalue()


def test_short_work_leaves_a_terminal_as_it_is() -> None:
    text = io.StringIO()
    with shown_on(console(text, is_terminal=True)), work("run"):
        assert list(tracked([1], "inner", "files")) == [1]
    assert text.getvalue() == ""


def test_work_that_lasts_has_its_bars_after_the_first_second() -> None:
    text = io.StringIO()
    bars = ProgressBars(console(text, is_terminal=True), first_seconds=0.01)
    with show_on(bars), work("run"), work("decode", 4, "files") as shown:
        shown.advance()
        wait_for("1 of 4 files", text)
        assert "run" in text.getvalue()


def test_many_short_pieces_of_work_have_bars_as_a_long_one() -> None:
    text = io.StringIO()
    with show_on(ProgressBars(console(text, is_terminal=True), first_seconds=0.05)):
        for _ in range(100):
            with work("read"):
                time.sleep(0.002)
    assert "read" in text.getvalue()


@pytest.mark.parametrize("is_begun", [True, False])
def test_bars_that_an_error_left_are_removed(*, is_begun: bool) -> None:
    text = io.StringIO()
    bars = ProgressBars(console(text, is_terminal=True), first_seconds=0)
    shown = Work("decode", bars, 4)
    if is_begun:
        bars.begun(shown)
        wait_for("decode", text)
    bars.close()
    written = text.getvalue()
    bars.changed(shown)
    bars.ended(shown)
    assert text.getvalue() == written


@pytest.mark.parametrize(("wanted", "seconds"), [("", (5.0, 60.0)), ("2", (2.0, 2.0))])
def test_a_file_has_lines_and_no_bars(
    wanted: str, seconds: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LINE_SECONDS_VARIABLE, wanted)
    text = io.StringIO()
    made: list[LogLines] = []

    def lines(write: Callable[[str], None], *each: float) -> LogLines:
        assert each == seconds
        write("decode: 3 of 4")
        made.append(LogLines(lambda _text: None))
        return made[0]

    monkeypatch.setattr("mqcap.progress.bars.LogLines", lines)
    with shown_on(console(text, is_terminal=False)), work("decode"):
        assert made[0].line().startswith("decode: ")
    assert text.getvalue() == "decode: 3 of 4\n"


def test_lines_are_wanted_on_a_terminal_too_where_they_are_written_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(LINE_SECONDS_VARIABLE, "")
    text, written = io.StringIO(), list[str]()
    monkeypatch.setattr("mqcap.progress.bars.LogLines", _first_line)
    with shown_on(console(text, is_terminal=True), written.append), work("decode"):
        pass
    assert (written, text.getvalue()) == (["first line"], "")


def _first_line(write: Callable[[str], None], *_each: float) -> LogLines:
    write("first line")
    return LogLines(lambda _text: None)
