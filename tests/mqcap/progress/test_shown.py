"""What is done, how far it is, and how long it will take."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator

import pytest

from mqcap.progress.shown import (
    FIRST_LINE_SECONDS,
    LogLines,
    Work,
    _write_log,
    clock,
    show_on,
    tracked,
    work,
)
from tests.mqcap.progress.displays import Noted


@pytest.fixture
def noted() -> Iterator[Noted]:
    display = Noted()
    with show_on(display):
        yield display


def test_items_are_shown_as_they_are_done(noted: Noted) -> None:
    assert list(tracked(["a", "b"], "decode", "files")) == ["a", "b"]
    assert noted.calls == ["decode begun", "1 of 2 files", "2 of 2 files", "decode ended"]


def test_work_ends_with_an_error_too(noted: Noted) -> None:
    with pytest.raises(ValueError, match="no"), work("decode"):
        raise ValueError("no")
    assert noted.calls == ["decode begun", "decode ended"]


def test_a_display_is_closed_and_the_one_before_shows_again(noted: Noted) -> None:
    inner = Noted()
    with show_on(inner), work("inner"):
        pass
    with work("outer"):
        pass
    assert inner.calls == ["inner begun", "inner ended", "closed"]
    assert noted.calls == ["outer begun", "outer ended"]


def test_a_line_of_the_log_is_information(caplog: pytest.LogCaptureFixture) -> None:
    written = threading.Event()

    def write(text: str) -> None:
        _write_log(text)
        written.set()

    with caplog.at_level(logging.INFO), show_on(LogLines(write, 0.001)), work("size"):
        assert written.wait(5)
    assert caplog.messages == ["size: 0:00:00"]


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


LINES = LogLines(pytest.fail)


@pytest.mark.parametrize(
    ("done", "total", "remaining"),
    [(0, 12, None), (3, None, None), (3, 12, 180.0), (12, 12, 0.0), (13, 12, 0.0)],
)
def test_the_rest_takes_as_long_as_the_mean_so_far(
    done: float, total: float | None, remaining: float | None
) -> None:
    shown = Work("decode", LINES, total, "files", done, began_seconds=100.0)
    assert shown.remaining_seconds(160.0) == remaining


@pytest.mark.parametrize(
    ("shown", "line"),
    [
        (Work("size", LINES, None, "", 0, 100.0), "size: 0:01:00"),
        (Work("decode", LINES, 12, "files", 0, 100.0), "decode: 0 %, 0 of 12 files, 0:01:00"),
        (
            Work("decode", LINES, 12, "files", 3, 100.0),
            "decode: 25 %, 3 of 12 files, 0:01:00, about 0:03:00 more",
        ),
        (Work("decode", LINES, 0, "files", 0, 100.0), "decode: 0:01:00"),
    ],
)
def test_a_line_says_what_how_far_and_how_long(shown: Work, line: str) -> None:
    assert shown.line(160.0) == line


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00:00"), (59.6, "0:01:00"), (3_723, "1:02:03")]
)
def test_a_length_of_time_is_told_as_a_clock_does(seconds: float, text: str) -> None:
    assert clock(seconds) == text
