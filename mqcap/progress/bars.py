"""Progress of commands: bars on a terminal, lines in a file or pipe."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Final

from mqcap.progress.log_lines import (
    FIRST_LINE_SECONDS,
    LINE_SECONDS,
    PAUSE_SECONDS,
    LogLines,
)
from mqcap.progress.shown import show_on
from mqcap.progress.work import Work

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, Task, TaskID


LINE_SECONDS_VARIABLE: Final = "MQCAP_PROGRESS_SECONDS"
FIRST_BAR_SECONDS: Final = 1.0
"""Work that takes less has no bar: a terminal does not flicker (ours)."""


class ProgressBars:
    """A bar for each open work after the first second; none is left on the terminal at its end.

    Work that begins within a second after other work goes on with its bars.
    """

    def __init__(self, console: Console, first_seconds: float = FIRST_BAR_SECONDS) -> None:
        self._console = console
        self._first_seconds = first_seconds
        self._due_seconds = self._ended_seconds = -math.inf
        """When bars are due, and when work last ended; by the monotonic clock."""
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._progress: Progress | None = None
        self._open: dict[int, Work] = {}
        self._bars: dict[int, TaskID] = {}

    def begun(self, shown: Work) -> None:
        """Add its bar, as soon as bars are due."""
        with self._lock:
            self._open[id(shown)] = shown
            if self._progress is not None:
                self._add(shown)
            elif self._timer is None:
                self._wait()

    def _wait(self) -> None:
        """Begin to show bars when they are due: now, or by a timer."""
        now = time.monotonic()
        if now - self._ended_seconds > PAUSE_SECONDS:
            self._due_seconds = now + self._first_seconds
        if self._due_seconds <= now:
            self._start()
            return
        self._timer = threading.Timer(self._due_seconds - now, self._begin)
        self._timer.daemon = True
        self._timer.start()

    def _begin(self) -> None:
        with self._lock:
            if self._timer is threading.current_thread():
                self._timer = None
                self._start()

    def _start(self) -> None:
        self._progress = _bars_on(self._console)
        self._progress.start()
        for shown in self._open.values():
            self._add(shown)

    def _add(self, shown: Work) -> None:
        if self._progress is not None:
            bar = self._progress.add_task(shown.what, total=shown.total, work=shown)
            self._progress.update(bar, completed=shown.done)
            self._bars[id(shown)] = bar

    def changed(self, shown: Work) -> None:
        """Move its bar."""
        with self._lock:
            bar = self._bars.get(id(shown))
            if self._progress is not None and bar is not None:
                self._progress.update(bar, completed=shown.done, total=shown.total)

    def ended(self, shown: Work) -> None:
        """Remove its bar."""
        with self._lock:
            self._open.pop(id(shown), None)
            bar = self._bars.pop(id(shown), None)
            if self._progress is not None and bar is not None:
                self._progress.remove_task(bar)
            if not self._open:
                self._ended_seconds = time.monotonic()
                self._stop()

    def close(self) -> None:
        """Remove all bars."""
        with self._lock:
            self._open.clear()
            self._bars.clear()
            self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._progress is not None:
            self._progress.stop()
            self._progress = None


def shown_on(
    console: Console, write: Callable[[str], None] | None = None
) -> AbstractContextManager[None]:
    """Show the work of this process on a console, or as lines where it is no terminal.

    Lines are printed to the console, or by ``write``, which has lines on a terminal too.

    The variable of ``LINE_SECONDS_VARIABLE`` says how often lines are wanted.
    """
    if console.is_terminal and write is None:
        return show_on(ProgressBars(console))
    return shown_as_lines(write or partial(console.print, markup=False, soft_wrap=True))


def shown_as_lines(write: Callable[[str], None]) -> AbstractContextManager[None]:
    """Show the work of this process as lines, as often as ``LINE_SECONDS_VARIABLE`` says."""
    wanted = os.environ.get(LINE_SECONDS_VARIABLE)
    first, each = (float(wanted),) * 2 if wanted else (FIRST_LINE_SECONDS, LINE_SECONDS)
    return show_on(LogLines(write, first, each))


def _bars_on(console: Console) -> Progress:
    from rich.progress import (  # noqa: PLC0415 - only for work that is shown
        BarColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        TextColumn,
    )
    from rich.text import Text  # noqa: PLC0415 - as above

    class State(ProgressColumn):
        """How far it is, how long it took and will take."""

        def render(self, task: Task) -> Text:
            shown: Work = task.fields["work"]
            return Text(shown.state(time.monotonic()))

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=10),
        State(),
        console=console,
        transient=True,
        redirect_stdout=False,
    )
