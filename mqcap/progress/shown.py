"""Progress of long work: what is done, how far it is, and where that is shown.

Whoever works says so with ``work`` or ``tracked``; a process decides where with ``show_on``.
"""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from rich.console import Console
    from rich.spinner import Spinner
    from rich.table import Table

_log = logging.getLogger(__name__)
T = TypeVar("T")
FIRST_LINE_SECONDS: Final = 5.0
"""Work that takes less has no line in a log."""
LINE_SECONDS: Final = 60.0
PAUSE_SECONDS: Final = 1.0
"""Work that begins within this time after other work goes on with its lines (ours)."""


@dataclass
class Work:
    """Something that takes time."""

    what: str
    display: LogLines
    total: float | None = None
    """Number of ``unit`` to do; ``None``: not known."""
    unit: str = ""
    done: float = 0.0
    began_seconds: float = field(default_factory=time.monotonic)
    """By the monotonic clock."""

    def advance(self, count: float = 1.0) -> None:
        """Add what is done."""
        self.reached(self.done + count, self.total)

    def reached(self, done: float, total: float | None) -> None:
        """Replace what is done and what there is to do."""
        self.done, self.total = done, total
        self.display.changed(self)

    def state(self, now_seconds: float) -> str:
        """Return ``3 of 12 files, 0:01:00, about 0:03:00 more``, at the mean speed so far."""
        from mqcap.domain.numbers import figure  # noqa: PLC0415 - slow; short work is not shown

        elapsed = now_seconds - self.began_seconds
        parts = [clock(elapsed)]
        if self.total:
            parts.insert(0, f"{figure(self.done)} of {figure(self.total)} {self.unit}")
        if self.done and self.total is not None:
            remaining = max(0.0, elapsed * (self.total - self.done) / self.done)
            parts.append(f"about {clock(remaining)} more")
        return ", ".join(parts)

    def line(self, now_seconds: float) -> str:
        """Return ``decode: 25 %, 3 of 12 files, 0:01:00, about 0:03:00 more``."""
        from mqcap.domain.numbers import percent  # noqa: PLC0415 - as above

        share = f"{percent(self.done / self.total)}, " if self.total else ""
        return f"{self.what}: {share}{self.state(now_seconds)}"


def clock(seconds: float) -> str:
    """Return a length of time as ``0:01:30``."""
    return str(timedelta(seconds=round(seconds)))


class LogLines:
    """A line of all open work after the first seconds and then each minute, from any thread.

    Many short pieces of work one after the other have lines as one long piece has.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        first_seconds: float = FIRST_LINE_SECONDS,
        each_seconds: float = LINE_SECONDS,
    ) -> None:
        self._write = write
        self._first_seconds, self._each_seconds = first_seconds, each_seconds
        self._open: list[Work] = []
        self._due_seconds = self._ended_seconds = -math.inf
        """When the next line is due, and when work last ended; by the monotonic clock."""
        self._lock = threading.Lock()
        self._all_done = threading.Event()
        self._thread: threading.Thread | None = None

    def begun(self, shown: Work) -> None:
        """Begin to show it, unless other work is shown."""
        with self._lock:
            self._open.append(shown)
            if len(self._open) == 1:
                now = time.monotonic()
                if now - self._ended_seconds > PAUSE_SECONDS:
                    self._due_seconds = now + self._first_seconds
                self._all_done = all_done = threading.Event()
                self._thread = threading.Thread(target=self._show, args=(all_done,), daemon=True)
                self._thread.start()

    def changed(self, shown: Work) -> None:
        """Show how far it is: the next line has it."""

    def ended(self, shown: Work) -> None:
        """Write no more lines of it."""
        self._keep(lambda other: other is not shown)

    def close(self) -> None:
        """Write no more lines."""
        self._keep(lambda _: False)

    def _keep(self, is_open: Callable[[Work], bool]) -> None:
        """Wait until nothing is shown any more, unless other work is open."""
        with self._lock:
            self._open = [work for work in self._open if is_open(work)]
            if self._open:
                return
            self._ended_seconds = time.monotonic()
            self._all_done.set()
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()

    def line(self) -> str:
        """Return the line of this moment; empty without work."""
        now = time.monotonic()
        with self._lock:
            return "; ".join(shown.line(now) for shown in self._open)

    def _show(self, all_done: threading.Event) -> None:
        while not all_done.wait(max(0.0, self._due_seconds - time.monotonic())):
            self._due_seconds = time.monotonic() + self._each_seconds
            if text := self.line():
                self._write(text)


_shown_on: Final[list[LogLines]] = [LogLines(partial(_log.info, "%s"))]
"""The display of this process is the last one."""


@contextmanager
def show_on(display: LogLines) -> Iterator[None]:
    """Show work on this display meanwhile."""
    _shown_on.append(display)
    try:
        yield
    finally:
        _shown_on.remove(display)
        display.close()


@contextmanager
def work(what: str, total: float | None = None, unit: str = "") -> Iterator[Work]:
    """Show work until the block ends; ``total`` is of ``unit``, which is in the plural."""
    display = _shown_on[-1]
    shown = Work(what, display, total, unit)
    display.begun(shown)
    try:
        yield shown
    finally:
        display.ended(shown)


def tracked(items: Collection[T], what: str, unit: str) -> Iterator[T]:
    """Yield the items and show how many of them are done."""
    with work(what, len(items), unit) as shown:
        for item in items:
            yield item
            shown.advance()


LINE_SECONDS_VARIABLE: Final = "MQCAP_PROGRESS_SECONDS"
FIRST_BAR_SECONDS: Final = 1.0
"""Work that takes less has no bar: a terminal does not flicker (ours)."""


class ProgressBars(LogLines):
    """A bar for each open work after the first second; none is left on the terminal at its end."""

    def __init__(self, console: Console, first_seconds: float = FIRST_BAR_SECONDS) -> None:
        super().__init__(console.print, first_seconds)
        self._console = console

    def _show(self, all_done: threading.Event) -> None:
        if all_done.wait(max(0.0, self._due_seconds - time.monotonic())):
            return
        from rich.live import Live  # noqa: PLC0415 - only for work that is shown
        from rich.spinner import Spinner  # noqa: PLC0415 - as above

        rows = partial(self._bars, Spinner("dots"))
        on = self._console
        with Live(get_renderable=rows, console=on, transient=True, redirect_stdout=False) as live:
            live.refresh()
            all_done.wait()

    def _bars(self, spinner: Spinner) -> Table:
        from rich.progress_bar import ProgressBar  # noqa: PLC0415 - as above
        from rich.table import Table  # noqa: PLC0415 - as above
        from rich.text import Text  # noqa: PLC0415 - as above

        now = time.monotonic()
        table = Table.grid(padding=(0, 1))
        with self._lock:
            for shown in self._open:
                bar = ProgressBar(shown.total, shown.done, width=10, pulse=shown.total is None)
                table.add_row(spinner, Text(shown.what), bar, Text(shown.state(now)))
        return table


def shown_on(
    console: Console, write: Callable[[str], None] | None = None
) -> AbstractContextManager[None]:
    """Show the work of this process on a console, or as lines where it is no terminal.

    ``write`` prints lines on a terminal too, as often as ``LINE_SECONDS_VARIABLE`` says.
    """
    if console.is_terminal and write is None:
        return show_on(ProgressBars(console))
    return shown_as_lines(write or partial(console.print, markup=False, soft_wrap=True))


def shown_as_lines(write: Callable[[str], None]) -> AbstractContextManager[None]:
    """Show the work of this process as lines, as often as ``LINE_SECONDS_VARIABLE`` says."""
    wanted = os.environ.get(LINE_SECONDS_VARIABLE)
    first, each = (float(wanted),) * 2 if wanted else (FIRST_LINE_SECONDS, LINE_SECONDS)
    return show_on(LogLines(write, first, each))
