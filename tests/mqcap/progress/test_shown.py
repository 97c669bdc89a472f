"""What is done, how far it is, and how long it will take."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import pytest

from mqcap.progress.log_lines import LogLines
from mqcap.progress.shown import _write_log, show_on, tracked, work
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
