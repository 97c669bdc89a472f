"""What was found for inputs of rules: the states that a search compares share most of them."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final, NamedTuple, TypeVar

from mqcap.domain.crossing import Crossing
from mqcap.domain.finding import Finding
from mqcap.settings import GradePolicy

T = TypeVar("T")
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
        self._made: Final = OrderedDict[Hashable, Any]()

    def finding(self, basis: Hashable, judged: Callable[[], Finding]) -> Finding:
        """Return the finding of a basis, made by ``judged`` where it is not known."""
        if (found := self._findings.get(basis)) is None:
            found = self._findings[basis] = judged()
        return found

    def policy(self, rule_id: str, read: Callable[[str], GradePolicy]) -> GradePolicy:
        """Return the grade policy of a rule, ``read`` from the settings where it is not known."""
        if (found := self._policies.get(rule_id)) is None:
            found = self._policies[rule_id] = read(rule_id)
        return found

    def dated(self, basis: Hashable, dated: Callable[[], Dated]) -> Dated:
        """Return the dated finding of a basis, made by ``dated`` where it is not known."""
        if (found := self._dated.get(basis)) is None:
            found = self._dated[basis] = dated()
        return found

    def once(self, basis: Hashable, made: Callable[[], T]) -> T:
        """Return what is made of a basis, whose first part names it, where it is not known."""
        if (found := self._made.get(basis)) is None:
            if len(self._made) >= _MADE_MAX:
                self._made.popitem(last=False)
            found = self._made[basis] = made()
        result: T = found
        return result
