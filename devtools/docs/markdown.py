"""Cells and tables of the pages that are written from code."""

from collections.abc import Iterable, Iterator


def cell(text: str) -> str:
    """Return a text on one line, its bars escaped."""
    return " ".join(text.split()).replace("|", "\\|")


def table(headings: str, rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Yield the lines of a table; ``headings`` have `` | `` between them, cells are as given."""
    yield f"| {headings} |"
    yield f"| {' | '.join('---' for _ in headings.split(' | '))} |"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"


def page(*parts: str | Iterable[str]) -> str:
    """Return a page of texts and of lines."""
    lines = (part.splitlines() if isinstance(part, str) else part for part in parts)
    return "\n".join(line for part in lines for line in part) + "\n"
