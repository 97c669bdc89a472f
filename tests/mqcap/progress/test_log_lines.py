"""Lines of a log about work that takes long."""

from __future__ import annotations

import threading
import time

import pytest

from mqcap.progress.log_lines import FIRST_LINE_SECONDS, LogLines
from mqcap.progress.shown import show_on, work
from mqcap.progress.work import Work


def lines_of(first_seconds: float) -> list[str]:
    """The lines of work that lasts until the second line is written, or has ended before."""
    written: list[str] = []
    second = threading.Event()

    def write(text: str) -> None:
        written.append(text)
        if len(written) == 2:
            second.set()

    lines = LogLines(write, first_seconds, each_seconds=0.001)
    with show_on(lines), work("run"), work("decode", 4, "files") as shown:
        shown.advance()
        if first_seconds < 1:
            assert second.wait(5)
    return written


def test_a_log_has_lines_as_long_as_work_lasts() -> None:
    first, second, *_ = lines_of(0.001)
    assert first.startswith("run: 0:00:00")
    assert second.startswith("run: 0:00:00")


def test_a_line_has_all_open_work() -> None:
    lines = LogLines(pytest.fail)
    with show_on(lines), work("run"), work("decode", 4, "files") as shown:
        shown.advance()
        assert lines.line().startswith("run: 0:00:00; decode: 25 %, 1 of 4 files, 0:00:00")


def test_short_work_has_no_line() -> None:
    assert lines_of(FIRST_LINE_SECONDS) == []


def test_many_short_pieces_of_work_have_lines_as_a_long_one() -> None:
    written: list[str] = []
    with show_on(LogLines(written.append, first_seconds=0.05)):
        for _ in range(100):
            with work("read"):
                time.sleep(0.002)
    assert written == ["read: 0:00:00"]


def test_no_line_is_written_after_the_display_was_closed() -> None:
    lines = LogLines(pytest.fail)
    lines.begun(Work("decode", lines))
    assert lines.line()
    lines.close()
    assert not lines.line()
