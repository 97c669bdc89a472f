"""Text on a terminal: names and notes of others are neither markup nor pictures nor commands."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from mqcap.domain.printable import harmless


def terminal(*, stderr: bool = False) -> Console:
    """A console that shows ``:bomb:`` as these six letters."""
    return Console(stderr=stderr, highlight=False, emoji=False)


def plain(text: str) -> Text:
    """A cell of a table that shows its text as it is."""
    return Text(harmless(text))
