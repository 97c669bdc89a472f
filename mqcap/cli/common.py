"""Parts that the command groups share: output, the option ``--day``, settings and store."""

from __future__ import annotations

import json
from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.text import Text

from mqcap.cli.shared.local_run import site_settings
from mqcap.domain import shown_text
from mqcap.domain.errors import CapacityError, ConfigurationError
from mqcap.domain.shown_text import harmless
from mqcap.presentation.listing import NO_BREAK
from mqcap.presentation.terminal import terminal
from mqcap.progress.json_log import json_line, json_wanted
from mqcap.settings import Settings

if TYPE_CHECKING:
    from mqcap.presentation.listing import Listing
    from mqcap.store.database import Store

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
    """Print a document as JSON of several lines, with all characters as they are.

    Raises:
        ValueError: a number is infinite or not a number, which JSON has not.
    """
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


def day_or_newest(settings: Settings, day: datetime | None) -> date:
    """Return the given day, or the newest day with observations.

    Raises:
        ConfigurationError: no day was given and the store has no observations.
    """
    if day is not None:
        return day.date()
    from mqcap.store.findings import latest_site_date  # noqa: PLC0415 - the store is slow to import

    store = existing_store(settings)
    newest = latest_site_date(store)
    if newest is None:
        raise ConfigurationError(
            "no day to process",
            found=f"a store without observations: {store.url}{_origin(settings)}",
            remedy="Load data first: mqcap load FILE, or put files into the inbox.",
        )
    return newest


def store_of(settings: Settings) -> Store:
    """Return the store of the settings, with its schema up to date."""
    from mqcap.store.database import open_store  # noqa: PLC0415 - slow to import

    return open_store(settings.store.url.get_secret_value())


def existing_store(settings: Settings) -> Store:
    """Return the store of the settings for a command that reads; it makes no new one.

    Raises:
        ConfigurationError: the store is a file that does not exist.
    """
    from mqcap.store.database import missing_file  # noqa: PLC0415 - slow to import

    missing = missing_file(settings.store.url.get_secret_value())
    if missing is not None:
        raise ConfigurationError(
            "there is no store to read",
            found=f"no file {missing.absolute()}{_origin(settings)}",
            expected="the store that loads and daily runs write",
            remedy="Load data first: mqcap load FILE; or name the store that has them: store.url "
            "in the settings file, or MQCAP_STORE__URL.",
        )
    return store_of(settings)


def _origin(settings: Settings) -> str:
    """Return where the address of the store comes from, if it is the default."""
    is_named = "url" in settings.store.model_fields_set
    return "" if is_named else " (the default: the settings have no store.url)"


def configured_store(*, may_be_new: bool = False) -> tuple[Settings, Store]:
    """Load the settings, open their store, and print times in the zones of the site.

    With ``may_be_new`` a store that does not exist is made: for commands that answer without data.
    """
    from mqcap.presentation import display_units  # noqa: PLC0415 - only where times are printed

    settings = site_settings()
    display_units.use_zones_of(settings)
    return settings, store_of(settings) if may_be_new else existing_store(settings)
