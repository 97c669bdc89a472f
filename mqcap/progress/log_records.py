"""Records of Python's logging on standard error, in the form of a command's other lines."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from mqcap.domain.shown_text import harmless
from mqcap.progress.json_log import Level, json_line, json_wanted


class _LineFormatter(logging.Formatter):
    """``warning: text``, or a JSON line where the environment asks for them."""

    def format(self, record: logging.LogRecord) -> str:
        text = harmless(super().format(record))
        level = _level(record)
        return json_line(level, text, logger=record.name) if json_wanted() else f"{level}: {text}"


def _level(record: logging.LogRecord) -> Level:
    if record.levelno >= logging.ERROR:
        return "error"
    return "warning" if record.levelno >= logging.WARNING else "info"


class _StandardError(logging.Handler):
    """Writes to what is standard error at that moment: bars on a terminal put theirs before it."""

    def emit(self, record: logging.LogRecord) -> None:
        sys.stderr.write(f"{self.format(record)}\n")
        sys.stderr.flush()


@contextmanager
def records_on_stderr() -> Iterator[None]:
    """Write warnings and errors that are logged to standard error meanwhile, one line each.

    For processes of the product; one of Airflow's is configured by Airflow.
    """
    handler = _StandardError(logging.WARNING)
    handler.setFormatter(_LineFormatter())
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
