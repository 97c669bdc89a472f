"""Text on a terminal: names are printed as text, not as markup, emoji or escape sequences."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from mqcap.domain.shown_text import harmless


def terminal(*, stderr: bool = False) -> Console:
    """Return a console that prints ``:bomb:`` as it is, not as an emoji."""
    return Console(stderr=stderr, highlight=False, emoji=False)


def plain(text: str) -> Text:
    """Return a cell of a table that shows its text as it is."""
    return Text(harmless(text))
