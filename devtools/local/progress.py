"""Progress on the terminal: running phases with their elapsed time, finished ones with theirs."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

LINE_SECONDS: Final = 15.0
"""Between two lines about a phase in a file (ours)."""


class ProgressDisplay:
    """Display of phases that may overlap; a file gets lines at their begin, end and between."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.seconds: dict[str, float] = {}
        """Wall time of each finished phase, in the order in which they ended."""
        self._lock = threading.Lock()
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            TextColumn("[dim]{task.fields[detail]}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._tasks: dict[str, TaskID] = {}
        self._printed: dict[str, float] = {}
        """When a phase last got a line in a file; empty on a terminal."""

    def __enter__(self) -> Self:
        """Show the display."""
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Remove the display."""
        self._progress.stop()

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Show a phase; print its time when it has succeeded."""
        begin = time.monotonic()
        if not self.console.is_terminal:
            self.print_line(f"begin {name}")
            self._printed[name] = begin
        with self._lock:
            task = self._progress.add_task(name, total=None, detail="")
            self._tasks[name] = task
        try:
            yield
        finally:
            self._progress.remove_task(task)
        self.seconds[name] = time.monotonic() - begin
        self.print_line(f"[green]done[/green] {name} [dim]({self.seconds[name]:.1f} s)[/dim]")

    def detail(self, name: str, text: str) -> None:
        """Show the current activity of a phase, in a file every ``LINE_SECONDS``."""
        task = self._tasks.get(name)
        if task is None:
            return
        self._progress.update(task, detail=text)
        now = time.monotonic()
        if now - self._printed.get(name, now) >= LINE_SECONDS:
            self._printed[name] = now
            self.print_line(f"  {name}: {text}")

    def print_line(self, text: str) -> None:
        """Print one line above the display."""
        self.console.print(text, soft_wrap=True)
