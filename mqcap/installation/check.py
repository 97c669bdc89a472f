"""Result of a check of the installation: fine, or what to do."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

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


fine = partial(Check, CheckState.fine)
optional = partial(Check, CheckState.optional)
to_do = partial(Check, CheckState.to_do)


def checked(what: str, look: Callable[[], Check | None]) -> Check | None:
    """Return a check; an error of ours becomes what is to be done."""
    try:
        return look()
    except CapacityError as error:
        found = error.problem + (f"; found {error.found}" if error.found else "")
        expected = f"Expected {error.expected}. " if error.expected else ""
        return to_do(what, found, f"{expected}{error.remedy}".strip())


def is_fine(checks: Iterable[Check]) -> bool:
    """Return true if nothing must be done."""
    return all(check.state is not CheckState.to_do for check in checks)
