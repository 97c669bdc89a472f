"""What was found for inputs of rules: the states that a search compares share most of them."""

from collections.abc import Callable, Hashable
from typing import Any, Final, NamedTuple, TypeVar

from mqcap.domain.crossing import Crossing
from mqcap.domain.finding import Finding
from mqcap.settings import GradePolicy

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
_MADE_MAX: Final = 4_096
"""Things made that are kept, the oldest left out first: a day of the sample makes a thousand, while
a page that compares scenarios with a day would keep those of all scenarios (ours)."""


class Dated(NamedTuple):
    """A finding graded with the crossing of its limit; ``None`` without one."""

    finding: Finding
    crossing: Crossing | None


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
    """Results of one day, each by everything that it depends on beside settings and store."""

    def __init__(self) -> None:
        self._findings: Final[dict[Hashable, Finding]] = {}
        self._dated: Final[dict[Hashable, Dated]] = {}
        self._policies: Final[dict[str, GradePolicy]] = {}
        self._made: Final[dict[Hashable, Any]] = {}

    def finding(self, basis: Hashable, judged: Callable[[], Finding]) -> Finding:
        """Return the finding of a basis, made by ``judged`` where it is not known."""
        return _kept(self._findings, basis, judged)

    def policy(self, rule_id: str, read: Callable[[str], GradePolicy]) -> GradePolicy:
        """Return the grade policy of a rule, ``read`` from the settings where it is not known."""
        return _kept(self._policies, rule_id, lambda: read(rule_id))

    def dated(self, basis: Hashable, dated: Callable[[], Dated]) -> Dated:
        """Return the dated finding of a basis, made by ``dated`` where it is not known."""
        return _kept(self._dated, basis, dated)

    def once(self, basis: Hashable, made: Callable[[], T]) -> T:
        """Return what is made of a basis, whose first part names it, where it is not known."""
        if len(self._made) >= _MADE_MAX and basis not in self._made:
            del self._made[next(iter(self._made))]
        found: T = _kept(self._made, basis, made)
        return found


def _kept(known: dict[K, T], key: K, made: Callable[[], T]) -> T:
    if (found := known.get(key)) is None:
        found = known[key] = made()
    return found
