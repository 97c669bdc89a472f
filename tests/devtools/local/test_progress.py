"""Progress of overlapping phases on a terminal and in a file."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from devtools.local.run import LINE_SECONDS, ProgressDisplay
from mqcap.domain.errors import ConfigurationError


def test_phases_may_overlap_and_are_timed() -> None:
    text = io.StringIO()
    with ProgressDisplay(Console(file=text, width=80)) as progress, progress.phase("outer"):
        with progress.phase("inner"):
            progress.detail("inner", "at work")
        progress.print_line("in between")
    assert list(progress.seconds) == ["inner", "outer"]
    lines = text.getvalue().splitlines()
    assert [line.partition(" (")[0] for line in lines] == [
        "begin outer", "begin inner", "done inner", "in between", "done outer",
    ]  # fmt: skip


def test_a_file_gets_what_a_long_phase_does_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    text, clock = io.StringIO(), iter([0.0, LINE_SECONDS - 1, LINE_SECONDS, LINE_SECONDS + 1, 99.0])
    monkeypatch.setattr("devtools.local.run.time.monotonic", lambda: next(clock))
    with ProgressDisplay(Console(file=text, width=80)) as progress, progress.phase("load"):
        for share in ("1 %", "40 %, 20 s left", "50 %"):
            progress.detail("load", share)
    assert text.getvalue().splitlines() == [
        "begin load", "  load: 40 %, 20 s left", "done load (99.0 s)",
    ]  # fmt: skip


def test_a_terminal_gets_no_line_when_a_phase_begins() -> None:
    text = io.StringIO()
    console = Console(file=text, width=80, force_terminal=True)
    with ProgressDisplay(console) as progress, progress.phase("load"):
        pass
    assert "begin load" not in text.getvalue()


def test_a_phase_that_fails_is_not_called_done() -> None:
    text = io.StringIO()
    with (
        pytest.raises(ConfigurationError),
        ProgressDisplay(Console(file=text)) as progress,
        progress.phase("broken"),
    ):
        raise ConfigurationError("no")
    assert text.getvalue() == "begin broken\n"


def test_an_activity_of_an_unknown_phase_is_ignored() -> None:
    with ProgressDisplay(Console(file=io.StringIO())) as progress:
        progress.detail("none", "at work")
    assert progress.seconds == {}
