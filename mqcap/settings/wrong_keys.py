"""Errors of keys as one text, in which the same error of several entries stands once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

_ANY: Final = "*"
"""Stands for the number of an entry in the path of a key."""
_NAMES: Final = ("name", "sysplex", "site")


class WrongKey(NamedTuple):
    """An error of one key."""

    path: Sequence[str | int]
    text: str
    """Without the key."""


def joined(errors: Iterable[WrongKey], document: Any) -> str:
    """Return the errors with their keys, the same of several entries with the entries' names.

    Args:
        errors: In their order.
        document: The settings file, from which the names of entries are taken; where it has none,
            they are named by their numbers.
    """
    groups: dict[tuple[str, str], list[Sequence[str | int]]] = {}
    for error in errors:
        general = ".".join(_ANY if isinstance(part, int) else part for part in error.path)
        groups.setdefault((general, error.text), []).append(error.path)
    return "; ".join(
        ": ".join(filter(None, (".".join(map(str, paths[0])), text)))
        if len(paths) == 1
        else f"{general} of {', '.join(_entry(path, document) for path in paths)}: {text}"
        for (general, text), paths in groups.items()
    )


def _entry(path: Sequence[str | int], document: Any) -> str:
    """Return the name of the innermost entry of a list that a path leads through."""
    name = ""
    for part in path:
        is_list = isinstance(document, list) and isinstance(part, int) and part < len(document)
        inside = document.get(part) if isinstance(document, Mapping) else None
        document = document[part] if is_list else inside
        if isinstance(part, int):
            own = document if isinstance(document, Mapping) else {}
            name = next((str(own[key]) for key in _NAMES if key in own), str(part))
    return name
