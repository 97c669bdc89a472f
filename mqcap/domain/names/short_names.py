"""Names as people type them: in any case, as the end of a path, and nearly right."""

from collections.abc import Iterable, Mapping
from datetime import date
from difflib import SequenceMatcher, get_close_matches
from enum import Enum
from functools import partial
from typing import Final, NamedTuple

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.subject import SERIES_SEPARATOR

NEAR_MAX: Final = 3
"""Near names that an error has (ours)."""
NAMED_MAX: Final = 12
"""Names that an error lists (ours)."""
_ALIKE: Final = 0.6
"""Ratio of difflib from which on names are alike; its own default."""
_COMPARED_MAX: Final = 50


def names_meant(wanted: str, known: Iterable[str]) -> list[str]:
    """Return the names that are meant: several where that is not clear, none without a match.

    The name itself; else in another case; else the paths that end with it.
    """
    every = list(dict.fromkeys(known))
    if wanted in every:
        return [wanted]
    folded = wanted.casefold()
    same = [name for name in every if name.casefold() == folded]
    ending = f"{SERIES_SEPARATOR}{folded}"
    return same or [name for name in every if wanted and name.casefold().endswith(ending)]


def names_within(wanted: str, known: Iterable[str]) -> list[str]:
    """Return the paths that have the name as whole parts: ``PLEX1/CSQ1/CHINIT`` for ``CSQ1``."""
    part = f"/{wanted.casefold()}/"
    return [name for name in dict.fromkeys(known) if wanted and part in f"/{name.casefold()}/"]


def the_name_meant(wanted: str, known: Iterable[str], what: str, *, remedy: str = "") -> str:
    """Return the one name that is meant; ``what`` they are names of in the singular: ``rule``.

    A ConfigurationError for several or none, with what is near and the remedy.
    """
    every = sorted(set(known))
    meant = names_meant(wanted, every)
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise ConfigurationError(
            f"more than one {what} has this name", found=wanted, expected=listed_names(meant, "or")
        )
    expected = near_or_all(wanted, every)
    raise ConfigurationError(f"no such {what}", found=wanted, expected=expected, remedy=remedy)


def near_names(wanted: str, known: Iterable[str], most: int = NEAR_MAX) -> list[str]:
    """Return the names that begin with, contain or look like the one asked for, nearest first.

    Of a path each part counts too, the last one before the others.
    """
    every = list(dict.fromkeys(known))
    folded = wanted.casefold()
    if not folded:
        return []
    paths = {name: name.casefold().split(SERIES_SEPARATOR) for name in reversed(every)}
    by_folded = {part: name for name, parts in paths.items() for part in parts}
    by_folded |= {parts[-1]: name for name, parts in paths.items()}
    by_folded |= {name.casefold(): name for name in reversed(every)}
    found = [
        *(name for name in every if name.casefold().startswith(folded)),
        *(name for name in every if folded in name.casefold()),
    ]
    alike = get_close_matches(folded, list(by_folded), _COMPARED_MAX, _ALIKE)
    alike.sort(key=lambda name: (-SequenceMatcher(None, name, folded).ratio(), name))
    return list(dict.fromkeys([*found, *(by_folded[name] for name in alike)]))[:most]


def near_or_all(wanted: str, known: Iterable[str]) -> str:
    """Return the near names, and without any a list of all; empty where there is none at all."""
    every = list(known)
    return " or ".join(near_names(wanted, every)) or listed_names(every)


def listed_names(names: Iterable[str], last: str = "") -> str:
    """Return the first names, and how many more there are; ``last`` is a word before the last."""
    every = list(names)
    rest = len(every) - NAMED_MAX
    if rest > 0:
        return f"{', '.join(every[:NAMED_MAX])} and {rest} more"
    if last and len(every) > 1:
        return f"{', '.join(every[:-1])} {last} {every[-1]}"
    return ", ".join(every)


class ColumnKind(Enum):
    """Type of the cells of a column; any cell may be absent."""

    text = str
    number = float
    day = date


class ExportColumn(NamedTuple):
    """A column of an exported file."""

    kind: ColumnKind
    meaning: str


Columns = Mapping[str, ExportColumn]
"""Columns by name, in their order."""


text: Final = partial(ExportColumn, ColumnKind.text)
number: Final = partial(ExportColumn, ColumnKind.number)
day: Final = partial(ExportColumn, ColumnKind.day)
