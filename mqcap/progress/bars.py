"""Progress of commands: bars on a terminal, lines in a file or pipe."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Final

from mqcap.progress.shown import FIRST_LINE_SECONDS, LINE_SECONDS, LogLines, show_on

if TYPE_CHECKING:
    from rich.console import Console
    from rich.spinner import Spinner
    from rich.table import Table

LINE_SECONDS_VARIABLE: Final = "MQCAP_PROGRESS_SECONDS"
FIRST_BAR_SECONDS: Final = 1.0
"""Work that takes less has no bar: a terminal does not flicker (ours)."""


class ProgressBars(LogLines):
    """A bar for each open work after the first second; none is left on the terminal at its end.

    Work that begins within a second after other work goes on with its bars.
    """

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
