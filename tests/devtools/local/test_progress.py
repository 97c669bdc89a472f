"""Progress of overlapping phases on a terminal and in a file."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from devtools.local.progress import ProgressDisplay
from mqcap.domain.errors import ConfigurationError


def test_phases_may_overlap_and_are_timed() -> None:
    text = io.StringIO()
    with ProgressDisplay(Console(file=text, width=80)) as progress, progress.phase("outer"):
        with progress.phase("inner"):
            progress.detail("inner", "at work")
        progress.print_line("in between")
    assert list(progress.seconds) == ["inner", "outer"]
    lines = text.getvalue().splitlines()
    assert [line.partition(" (")[0] for line in lines] == ["done inner", "in between", "done outer"]


def test_a_phase_that_fails_is_not_called_done() -> None:
    text = io.StringIO()
    with (
        pytest.raises(ConfigurationError),
        ProgressDisplay(Console(file=text)) as progress,
        progress.phase("broken"),
    ):
        raise ConfigurationError("no")
    assert "broken" not in text.getvalue()


def test_an_activity_of_an_unknown_phase_is_ignored() -> None:
    with ProgressDisplay(Console(file=io.StringIO())) as progress:
        progress.detail("none", "at work")
    assert progress.seconds == {}
