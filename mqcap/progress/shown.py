"""Where the work of a process is shown.

Whoever works says so with ``work`` or ``tracked``. Where it is shown is decided once per process
with ``show_on``: by default as lines of a log, on a terminal as bars (``mqcap.progress.bars``).
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from mqcap.progress.log_lines import LogLines
from mqcap.progress.work import Work, WorkDisplay

_log = logging.getLogger(__name__)
T = TypeVar("T")


def _write_log(text: str) -> None:
    _log.info("%s", text)


_shown_on: Final[list[WorkDisplay]] = [LogLines(_write_log)]
"""The display of this process is the last one."""


@contextmanager
def show_on(display: WorkDisplay) -> Iterator[None]:
    """Show work on this display meanwhile."""
    _shown_on.append(display)
    try:
        yield
    finally:
        _shown_on.remove(display)
        display.close()


@contextmanager
def work(what: str, total: float | None = None, unit: str = "") -> Iterator[Work]:
    """Show some work until the block ends.

    Args:
        what: Its name.
        total: How many units there are to do, if that is known.
        unit: What is counted, in the plural.
    """
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
