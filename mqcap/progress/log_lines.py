"""Progress as lines of a log."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Final

from mqcap.progress.work import Work

FIRST_LINE_SECONDS: Final = 5.0
"""Work that takes less has no line in a log."""
LINE_SECONDS: Final = 60.0
PAUSE_SECONDS: Final = 1.0
"""Work that begins within this time after other work goes on with its lines (ours)."""


class LogLines:
    """A line after the first seconds and then each minute, as long as there is work.

    It has all open work, that which began first before the others. Many short pieces of work one
    after the other have lines as one long piece has.
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

    def begun(self, shown: Work) -> None:
        """Begin to write lines, unless other work has."""
        with self._lock:
            self._open.append(shown)
            if len(self._open) == 1:
                now = time.monotonic()
                if now - self._ended_seconds > PAUSE_SECONDS:
                    self._due_seconds = now + self._first_seconds
                self._all_done = threading.Event()
                arguments = (self._all_done,)
                threading.Thread(target=self._write_lines, args=arguments, daemon=True).start()

    def changed(self, shown: Work) -> None:
        """Do nothing: the next line has it."""

    def ended(self, shown: Work) -> None:
        """Write no more lines of it."""
        with self._lock:
            self._open = [each for each in self._open if each is not shown]
            if not self._open:
                self._ended_seconds = time.monotonic()
                self._all_done.set()

    def close(self) -> None:
        """Write no more lines."""
        with self._lock:
            self._open.clear()
            self._all_done.set()

    def line(self) -> str:
        """Return the line of this moment; empty without work."""
        now = time.monotonic()
        with self._lock:
            return "; ".join(shown.line(now) for shown in self._open)

    def _write_lines(self, all_done: threading.Event) -> None:
        while not all_done.wait(max(0.0, self._due_seconds - time.monotonic())):
            self._due_seconds = time.monotonic() + self._each_seconds
            if text := self.line():
                self._write(text)
