"""Progress on the terminal: running phases with their elapsed time, finished ones with theirs."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn


class ProgressDisplay:
    """Display of phases that may overlap; a file gets a line for each finished phase only."""

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
        """Show the current activity of a phase."""
        task = self._tasks.get(name)
        if task is not None:
            self._progress.update(task, detail=text)

    def print_line(self, text: str) -> None:
        """Print one line above the display."""
        self.console.print(text, soft_wrap=True)
