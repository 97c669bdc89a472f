"""Result of a check of the installation: fine, or what to do."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from mqcap.domain.errors import CapacityError


class CheckState(StrEnum):
    """Whether something must be done."""

    fine = "fine"
    optional = "optional"
    """Not there, and everything else works without it."""
    to_do = "to do"


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    state: CheckState
    what: str
    found: str
    remedy: str = ""
    """What to do, or the command to type; empty where it is fine."""

    @property
    def lines(self) -> list[str]:
        """The lines that are printed; the remedy is one line, so that a command can be copied."""
        first = f"{self.state:8}  {self.what}: {self.found}"
        return [first, f"{'':8}  {self.remedy}"] if self.remedy else [first]


def fine(what: str, found: str) -> Check:
    """Return a check that nothing must be done about."""
    return Check(CheckState.fine, what, found)


def optional(what: str, found: str, remedy: str) -> Check:
    """Return a check of what everything else works without."""
    return Check(CheckState.optional, what, found, remedy)


def to_do(what: str, found: str, remedy: str) -> Check:
    """Return a check that something must be done about."""
    return Check(CheckState.to_do, what, found, remedy)


def checked(what: str, look: Callable[[], Check | None]) -> Check | None:
    """Return a check; an error of ours becomes what is to be done."""
    try:
        return look()
    except CapacityError as error:
        found = error.problem + (f"; found {error.found}" if error.found else "")
        expected = f"Expected {error.expected}. " if error.expected else ""
        return Check(CheckState.to_do, what, found, f"{expected}{error.remedy}".strip())


def is_fine(checks: Iterable[Check]) -> bool:
    """Return true if nothing must be done."""
    return all(check.state is not CheckState.to_do for check in checks)
