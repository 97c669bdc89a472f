"""What was found for inputs of rules: the states that a search compares share most of them."""

from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

T = TypeVar("T")
_MADE_MAX: Final = 4_096
"""Things made that are kept, the oldest left out first: a day of the sample makes a thousand, while
a page that compares scenarios with a day would keep those of all scenarios (ours)."""


class Same:
    """A thing that is equal to itself alone: for what is shared and expensive to compare."""

    __slots__ = ("_of",)

    def __init__(self, of: object) -> None:
        self._of = of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self._of is other._of

    def __hash__(self) -> int:
        return id(self._of)


class Known:
    """Results of one day, each by what it depends on beside settings and store, named first."""

    def __init__(self) -> None:
        self._kept: Final[dict[Hashable, Any]] = {}
        self._made: Final[dict[Hashable, Any]] = {}

    def kept(self, basis: Hashable, made: Callable[[], T]) -> T:
        """Return what is made of a basis, where it is not known; it is kept for the day."""
        return _known(self._kept, basis, made)

    def once(self, basis: Hashable, made: Callable[[], T]) -> T:
        """Return what is made of a basis, where it is not known; the oldest is left out."""
        if len(self._made) >= _MADE_MAX and basis not in self._made:
            del self._made[next(iter(self._made))]
        return _known(self._made, basis, made)


def _known(known: dict[Hashable, Any], basis: Hashable, made: Callable[[], T]) -> T:
    if (found := known.get(basis)) is None:
        found = known[basis] = made()
    result: T = found
    return result
