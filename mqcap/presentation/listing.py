"""Tables in which no word or name is broken, as wide as the terminal, in a pipe 80 columns.

Where the longest words of all columns do not fit beside each other, a row is a block.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from mqcap.domain.shown_text import harmless, wrapped

GAP: Final = "  "
"""Between two columns."""
ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"
LEAST_WIDTH: Final = 16
"""Characters that a column which may be cut keeps (ours)."""
NO_BREAK: Final = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class Listing:
    """Rows under headings, with a title before and sentences after them."""

    title: str
    headings: tuple[str, ...]
    """The first is that of the state of a row."""
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    styles: Mapping[str, str] = field(default_factory=dict)
    """Style of the first cell of a row, by its text."""
    name_count: int = 1
    """Cells after the first that name the row: they begin its block."""
    cut: tuple[int, ...] = ()
    """Columns whose cells may end in an ellipsis where rows then fit: each row is one line, longer
    than the terminal rather than that a figure or an operand is cut."""

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield one text per line."""
        width = options.max_width
        yield from _sentences(self.title, width, "italic")
        if self.rows:
            yield Text("")
        for line in self._lines(width):
            text = Text(line.replace(NO_BREAK, " "), no_wrap=True, overflow="ignore")
            word = next((style for style in self.styles if f"{line} ".startswith(f"{style} ")), "")
            text.stylize(self.styles.get(word, ""), 0, len(word))
            yield text
        yield Text("")
        yield from _sentences(self.caption, width, "dim italic")

    def _lines(self, width: int) -> Iterator[str]:
        if not self.rows:
            return
        table = _table(self.headings, self.rows)
        if self.cut:
            yield from _cut_rows(table, self.cut, width)
            return
        widths = _widths([list(column) for column in zip(*table, strict=True)], width)
        if widths is not None:
            for row in table:
                yield from _columns(row, widths)
            return
        state_width = max(len(row[0]) for row in table[1:])
        indent = " " * state_width + GAP
        for row in table[1:]:
            names = row[1 : self.name_count + 1]
            yield f"{row[0]:{state_width}}{GAP}{GAP.join(names)}".rstrip()
            named = zip(self.headings, row, strict=True)
            cells = [f"{heading} {cell}" for heading, cell in named if cell][self.name_count + 1 :]
            yield from (indent + line for line in _packed(cells, width - len(indent)))


def terminal(*, stderr: bool = False) -> Console:
    """Return a console that prints ``:bomb:`` as it is, not as an emoji."""
    return Console(stderr=stderr, highlight=False, emoji=False)


def listing_of(
    rows: Sequence[Mapping[str, str]],
    title: str,
    caption: str,
    name_count: int,
    styles: Mapping[str, str] | None = None,
) -> Listing:
    """Return the table of rows by heading, all with the headings of the first."""
    headings = tuple(rows[0]) if rows else ()
    cells = tuple(tuple(row.values()) for row in rows)
    return Listing(title, headings, cells, caption, styles or {}, name_count)


def _sentences(text: str, width: int, style: str) -> Iterator[Text]:
    for sentence in text.splitlines():
        for line in _wrapped(harmless(sentence), width):
            yield Text(line, style=style, no_wrap=True, overflow="ignore")


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return headings and rows without control characters; no line ends before a per cent sign."""
    return [
        [harmless(cell).replace(" %", f"{NO_BREAK}%") for cell in row] for row in (headings, *rows)
    ]


def _widths(columns: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """Return the width of each column; ``None`` where their longest words need more."""
    most = [max(map(len, column)) for column in columns]
    widths = [max(len(word) for cell in column for word in cell.split(" ")) for column in columns]
    spare = width - _width(widths)
    if spare < 0:
        return None
    for _ in range(spare):
        growing = [place for place, cells in enumerate(most) if widths[place] < cells]
        if not growing:
            break
        widths[min(growing, key=lambda place: widths[place])] += 1
    return widths


def rows_in_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a line per row with aligned columns, as wide as they need."""
    return [line.replace(NO_BREAK, " ") for line in _cut_rows(rows, (), 0)] if rows else []


def _cut_rows(table: Sequence[Sequence[str]], cut: Sequence[int], width: int) -> Iterator[str]:
    """Yield a line per row; of the columns that may be cut the last is made narrower first.

    None is cut where lines would be too long all the same.
    """
    full = [max(map(len, column)) for column in zip(*table, strict=True)]
    widths = list(full)
    for place in reversed(cut):
        spare = max(0, widths[place] - LEAST_WIDTH)
        widths[place] -= min(spare, max(0, _width(widths) - width))
    if _width(widths) > width:
        widths = full
    for row in table:
        cells = (
            cell if len(cell) <= room else f"{cell[: room - 1].rstrip()}{ELLIPSIS}"
            for cell, room in zip(row, widths, strict=True)
        )
        padded = (f"{cell:{room}}" for cell, room in zip(cells, widths, strict=True))
        yield GAP.join(padded).rstrip()


def _columns(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    cells = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
    for number in range(max(map(len, cells))):
        parts = (
            f"{cell[number] if number < len(cell) else '':{width}}"
            for cell, width in zip(cells, widths, strict=True)
        )
        yield GAP.join(parts).rstrip()


def _packed(cells: Iterable[str], width: int) -> Iterator[str]:
    """Yield lines with as many cells each as fit, in their order."""
    line = ""
    for cell in cells:
        if line and len(line) + len(GAP) + len(cell) > width:
            yield from _wrapped(line, width)
            line = ""
        line = f"{line}{GAP}{cell}" if line else cell
    if line:
        yield from _wrapped(line, width)


def _wrapped(text: str, width: int) -> list[str]:
    """Return a text that fits as it is, else lines that break between words only."""
    return [text] if len(text) <= width else wrapped(text, width)


def _width(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)
