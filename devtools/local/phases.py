"""Progress on the terminal: what is being done, for how long, and how long it took."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn


class Phases:
    """Phases that may overlap. A terminal shows those at work; a file only gets the finished."""

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
        """Take the display away."""
        self._progress.stop()

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """One phase; its time is printed when it ended well."""
        begin = time.monotonic()
        with self._lock:
            task = self._progress.add_task(name, total=None, detail="")
            self._tasks[name] = task
        try:
            yield
        finally:
            self._progress.remove_task(task)
        self.seconds[name] = time.monotonic() - begin
        self.say(f"[green]done[/green] {name} [dim]({self.seconds[name]:.1f} s)[/dim]")

    def detail(self, name: str, text: str) -> None:
        """Say what a phase is at."""
        task = self._tasks.get(name)
        if task is not None:
            self._progress.update(task, detail=text)

    def say(self, text: str) -> None:
        """Print one line above the display."""
        self.console.print(text, soft_wrap=True)
