"""What is done, how far it is, how long it will take: as lines, bars and JSON."""

import io
import json
import logging
import re
import threading
import time
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta

import pytest
from rich.console import Console

from mqcap.cli import common
from mqcap.domain.errors import ConfigurationError
from mqcap.progress import shown as shown_module
from mqcap.progress.json_log import VARIABLE, json_line, records_on_stderr
from mqcap.progress.shown import (
    LINE_SECONDS_VARIABLE,
    LogLines,
    ProgressBars,
    Work,
    clock,
    show_on,
    shown_on,
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


def test_a_log_has_lines_of_information_as_long_as_work_lasts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    second = threading.Event()

    def write(text: str) -> None:
        shown_module._shown_on[0]._write(text)
        if len(caplog.messages) == 2:
            second.set()

    lines = LogLines(write, 0.001, each_seconds=0.001)
    with caplog.at_level(logging.INFO), show_on(lines), work("size"):
        assert second.wait(30)
    assert re.fullmatch(r"size: 0:00:\d\d", caplog.messages[1])


def test_a_line_has_all_open_work() -> None:
    lines = LogLines(pytest.fail)
    with show_on(lines), work("run"), work("decode", 4, "files") as shown:
        shown.advance()
        line = r"run: 0:00:\d\d; decode: 25 %, 1 of 4 files, 0:00:\d\d"
        assert re.match(line, lines.line())


def test_many_short_pieces_of_work_have_lines_as_a_long_one() -> None:
    written: list[str] = []
    with show_on(LogLines(written.append, first_seconds=0.05)):
        for _ in range(100):
            with work("read"):
                time.sleep(0.002)
    assert re.fullmatch(r"read: 0:00:\d\d", written[0])


def test_no_line_is_written_after_the_display_was_closed() -> None:
    lines = LogLines(pytest.fail)
    lines.begun(Work("decode", lines))
    assert lines.line()
    lines.close()
    assert not lines.line()


LINES = LogLines(pytest.fail)


@pytest.mark.parametrize(
    ("shown", "line"),
    [
        (Work("size", LINES, None, "", 0, 100.0), "size: 0:01:00"),
        (Work("decode", LINES, 12, "files", 0, 100.0), "decode: 0 %, 0 of 12 files, 0:01:00"),
        (
            Work("decode", LINES, 12, "files", 3, 100.0),
            "decode: 25 %, 3 of 12 files, 0:01:00, about 0:03:00 more",
        ),
        (Work("decode", LINES, None, "files", 3, 100.0), "decode: 0:01:00"),
        (
            Work("decode", LINES, 12, "files", 13, 100.0),
            "decode: 108.3 %, 13 of 12 files, 0:01:00, about 0:00:00 more",
        ),
        (Work("decode", LINES, 0, "files", 0, 100.0), "decode: 0:01:00"),
    ],
)
def test_a_line_says_what_how_far_and_how_long(shown: Work, line: str) -> None:
    assert shown.line(160.0) == line


def test_a_length_of_time_is_told_as_a_clock_does() -> None:
    assert (clock(59.6), clock(3_723)) == ("0:01:00", "1:02:03")


def console(text: io.StringIO, *, is_terminal: bool) -> Console:
    return Console(file=text, force_terminal=is_terminal, width=120, color_system=None)


def wait_for(pattern: str, text: io.StringIO) -> None:
    until = time.monotonic() + 30
    while not re.search(pattern, text.getvalue()) and time.monotonic() < until:
        time.sleep(0.01)
    assert re.search(pattern, text.getvalue())


def test_a_terminal_has_a_bar_that_says_how_far_it_is_and_none_at_the_end() -> None:
    text = io.StringIO()
    bars = ProgressBars(console(text, is_terminal=True), first_seconds=0)
    with show_on(bars), work("decode", 4, "files") as shown:
        shown.advance(2)
        wait_for(r"2 of 4 files, 0:00:\d\d, about 0:00:\d\d more", text)
    assert "decode" in text.getvalue()
    assert "decode" not in text.getvalue().rpartition("\x1b[2K")[2]  # the line is erased


def test_short_work_leaves_a_terminal_as_it_is() -> None:
    text = io.StringIO()
    with shown_on(console(text, is_terminal=True)), work("run"):
        assert list(tracked([1], "inner", "files")) == [1]
    assert text.getvalue() == ""


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

    monkeypatch.setattr("mqcap.progress.shown.LogLines", lines)
    with shown_on(console(text, is_terminal=False)), work("decode"):
        assert made[0].line().startswith("decode: ")
    assert text.getvalue() == "decode: 3 of 4\n"


def test_lines_are_wanted_on_a_terminal_too_where_they_are_written_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(LINE_SECONDS_VARIABLE, "")
    text, written = io.StringIO(), list[str]()
    monkeypatch.setattr("mqcap.progress.shown.LogLines", _first_line)
    with shown_on(console(text, is_terminal=True), written.append), work("decode"):
        pass
    assert (written, text.getvalue()) == (["first line"], "")


def _first_line(write: Callable[[str], None], *_each: float) -> LogLines:
    write("first line")
    return LogLines(lambda _text: None)


def test_a_line_has_an_instant_in_utc_and_no_line_break() -> None:
    line = json_line("info", "first\nsecond", day=date(2026, 3, 2))
    assert "\n" not in line
    document = json.loads(line)
    assert datetime.fromisoformat(document.pop("time")).utcoffset() == timedelta(0)
    assert document == {"level": "info", "message": "first\nsecond", "day": "2026-03-02"}


def test_steps_and_errors_have_their_facts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, "json")
    common.print_status("land: [1]", step="land", counts={"landed": 2})
    common.print_error(ConfigurationError("no such day \x1b[2J" + "x" * 300))
    common.print_error("sentence")
    step, error, plain = map(json.loads, capsys.readouterr().err.splitlines())
    assert (step["message"], step["step"], step["counts"]) == ("land: [1]", "land", {"landed": 2})
    assert (error["level"], error["error"]) == ("error", "ConfigurationError")
    assert "\x1b" not in error["message"]
    assert "error" not in plain


@pytest.mark.parametrize("value", ["text", ""])
def test_facts_are_not_printed_as_text(
    value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, value)
    common.print_status("land: {}", step="land", counts={"landed": 2})
    assert capsys.readouterr().err == "land: {}\n"


LOG = logging.getLogger("mqcap.steps.some_step")


def logged(capsys: pytest.CaptureFixture[str]) -> str:
    """What is printed of a record of each level."""
    with records_on_stderr():
        LOG.info("begins")
        LOG.warning("%s: line %d \x1b[2J", "SYS1.log", 7)
        LOG.error("not read")
        LOG.critical("no memory")
    LOG.warning("after the block")
    return capsys.readouterr().err


def test_warnings_and_errors_are_lines_with_their_level(capsys: pytest.CaptureFixture[str]) -> None:
    assert logged(capsys).splitlines() == [
        "warning: SYS1.log: line 7 ?[2J",
        "error: not read",
        "error: no memory",
    ]


def test_they_are_json_where_the_environment_asks_for_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, "json")
    first, *others = map(json.loads, logged(capsys).splitlines())
    assert (first["level"], first["logger"]) == ("warning", LOG.name)
    assert first["message"] == "SYS1.log: line 7 ?[2J"
    assert [other["level"] for other in others] == ["error", "error"]


def test_an_exception_has_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    with records_on_stderr():
        try:
            int("x")
        except ValueError:
            LOG.exception("failed")
    first, *lines = capsys.readouterr().err.splitlines()
    assert first == "error: failed"
    assert lines[-1].startswith("ValueError: ")
