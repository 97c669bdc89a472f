"""Parts that the command groups share: output and the option ``--day``; imports little."""

import json
from collections.abc import Mapping
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from mqcap.domain import shown_text
from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable
from mqcap.domain.shown_text import harmless
from mqcap.presentation.listing import NO_BREAK, Listing, terminal
from mqcap.progress.json_log import json_line, json_wanted


class ExitCode(IntEnum):
    """What the end of a command means to the program that called it."""

    done = 0
    failed = 1
    usage = 2
    unavailable = 3
    interrupted = 130


MEANINGS: Final[Mapping[ExitCode, str]] = {
    ExitCode.done: "done; what was asked for is there, even when it is over its limit",
    ExitCode.failed: "an input, a setting or a name is wrong, there is no answer, or a check found "
    "something; an error is one line on standard error with what was found, what was expected and "
    "what to do",
    ExitCode.usage: "the command line is wrong: an unknown command, option or value",
    ExitCode.unavailable: "a database, object store, mail server or tracker did not answer, or "
    "refused: the same command may succeed later",
    ExitCode.interrupted: "interrupted with Ctrl-C",
}


class UnknownValueError(ConfigurationError):
    """A value that its argument or option does not take."""


def exit_code_of(error: CapacityError) -> ExitCode:
    """Return the exit code of an error."""
    if isinstance(error, UnknownValueError):
        return ExitCode.usage
    return ExitCode.unavailable if isinstance(error, ServiceUnavailable) else ExitCode.failed


DayOption = Annotated[
    datetime | None,
    typer.Option(
        "--day", formats=["%Y-%m-%d"], help="The day; default: the newest one in the store."
    ),
]


class ResultFormat(StrEnum):
    """Form of a result on standard output."""

    text = "text"
    json = "json"


HANGING: Final = "  "
"""Indent of what follows the first line of a wrapped one."""

out: Final = terminal()
err: Final = terminal(stderr=True)


def print_text(text: str) -> None:
    """Print text to standard output as it is, without markup, wrapping or control characters."""
    out.print(harmless(text), markup=False, soft_wrap=True)


def print_lines(text: str) -> None:
    """Print sentences; longer lines are wrapped between words, further indented.

    The width is that of the terminal, in a pipe or file 80 or that of the variable COLUMNS.
    """
    width = terminal().width
    print_text("\n".join(part for line in text.splitlines() for part in wrapped(line, width)))


def wrapped(line: str, width: int) -> list[str]:
    """Return a line as several of at most that width.

    A longer word is not cut, and no line begins with a per cent sign.
    """
    indent = " " * (len(line) - len(line.lstrip(" ")))
    parts = shown_text.wrapped(line.replace(" %", f"{NO_BREAK}%"), width, f"{indent}{HANGING}")
    return [part.replace(NO_BREAK, " ") for part in parts]


def print_json(document: object) -> None:
    """Print a document as JSON; ValueError for a number that is infinite or none."""
    print_text(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))


def print_table(table: Listing) -> None:
    """Print a table as wide as sentences are; a longer name is not cut."""
    terminal().print(table, markup=False, crop=False)


def print_status(text: str, **facts: Any) -> None:
    """Print progress or a result count to standard error, in a file as one line.

    ``facts`` are printed in JSON lines only.
    """
    if json_wanted():
        err.print(json_line("info", harmless(text), **facts), markup=False, soft_wrap=True)
    else:
        _print_wrapped(harmless(text))


def print_error(error: CapacityError | str) -> None:
    """Print an error to standard error, in a file as one line."""
    if json_wanted():
        facts = {"error": type(error).__name__} if isinstance(error, CapacityError) else {}
        line = json_line("error", harmless(str(error)), **facts)
        err.print(line, markup=False, soft_wrap=True)
        return
    _print_wrapped(f"error: {harmless(str(error))}", style="red")


def _print_wrapped(text: str, style: str = "") -> None:
    """Print to standard error: one line in a file, wrapped on a terminal; style of the 1st word."""
    lines = wrapped(text, err.width) if err.is_terminal else [text]
    for number, line in enumerate(lines):
        shown = Text(line, no_wrap=True, overflow="ignore")
        if style and number == 0:
            shown.stylize(style, 0, len(line.split(" ", 1)[0]))
        err.print(shown, soft_wrap=True)
