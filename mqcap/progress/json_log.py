"""Standard error of a process as JSON lines, where the environment asks for them.

Each line is an object with ``time`` (ISO, UTC), ``level`` (``info``, ``warning`` or ``error``),
``message`` (the line that is printed otherwise) and, where there are any, facts: ``step`` and
``counts`` of a step that has ended, ``error`` as the name of its class, ``logger`` of a record.
"""

import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final, Literal

from mqcap.domain.shown_text import harmless

Level = Literal["info", "warning", "error"]
VARIABLE: Final = "MQCAP_LOG_FORMAT"
"""``json`` asks for JSON lines; any other value, or none, for text."""


def json_wanted() -> bool:
    """Return whether the environment asks for JSON lines."""
    return os.environ.get(VARIABLE) == "json"


def json_line(level: Level, message: str, **facts: Any) -> str:
    """Return one line: an object without line breaks; values that JSON lacks become text."""
    time = datetime.now(UTC).isoformat(timespec="milliseconds")
    document = {"time": time, "level": level, "message": message, **facts}
    return json.dumps(document, ensure_ascii=False, default=str)


class _LineFormatter(logging.Formatter):
    """``warning: text``, or a JSON line where the environment asks for them."""

    def format(self, record: logging.LogRecord) -> str:
        text = harmless(super().format(record))
        is_warning = record.levelno >= logging.WARNING
        level: Level = (
            "error" if record.levelno >= logging.ERROR else "warning" if is_warning else "info"
        )
        return json_line(level, text, logger=record.name) if json_wanted() else f"{level}: {text}"


class _StandardError(logging.Handler):
    """Writes to what is standard error at that moment: bars on a terminal put theirs before it."""

    def emit(self, record: logging.LogRecord) -> None:
        sys.stderr.write(f"{self.format(record)}\n")
        sys.stderr.flush()


@contextmanager
def records_on_stderr() -> Iterator[None]:
    """Write warnings and errors that are logged to standard error meanwhile, one line each."""
    handler = _StandardError(logging.WARNING)
    handler.setFormatter(_LineFormatter())
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
