"""Errors that read to an operator: what we did, found, expected, and what to do.

::

    CapacityError
    ├── InputError            a file or record is not what it claims; retry is useless
    ├── ConfigurationError    a setting is missing or contradicts another
    └── ServiceUnavailable    something did not answer; retry may help
        └── OutcomeUnknown    it had everything and gave no answer; a retry could do it twice
"""

from __future__ import annotations

from mqcap.domain.printable import harmless
from mqcap.domain.secrets import masked


def _shown(text: str) -> str:
    return harmless(masked(text))


class CapacityError(Exception):
    """Root of every error that this product raises on purpose.

    It ends up in logs, mails and the store, so addresses in it lose user and
    password, and names of others their control characters.
    """

    def __init__(
        self, problem: str, *, found: str = "", expected: str = "", remedy: str = ""
    ) -> None:
        problem, found, expected = _shown(problem), _shown(found), _shown(expected)
        self.problem = problem
        self.found = found
        self.expected = expected
        self.remedy = remedy
        parts = [problem.rstrip(".")]
        if found:
            parts.append(f"found {found}")
        if expected:
            parts.append(f"expected {expected}")
        sentence = "; ".join(parts) + "."
        super().__init__(f"{sentence} {remedy}".strip())


class InputError(CapacityError):
    """A file or record is not what it claims to be."""

    def __init__(  # noqa: PLR0913 - the facts of one damaged place, all keyword-only
        self,
        problem: str,
        *,
        file: str = "",
        record: int | None = None,
        byte_offset: int | None = None,
        found: str = "",
        expected: str = "",
        remedy: str = "",
    ) -> None:
        self.file = file
        self.record = record
        self.byte_offset = byte_offset
        place = file
        if record is not None:
            place += f" record {record}"
        if byte_offset is not None:
            place += f" at byte {byte_offset}"
        where = f"{place.strip()}: " if place.strip() else ""
        super().__init__(f"{where}{problem}", found=found, expected=expected, remedy=remedy)


class ConfigurationError(CapacityError):
    """A setting is missing, unknown, or contradicts another."""


class ServiceUnavailable(CapacityError):  # noqa: N818 - says what happened, not a fault of ours
    """A database, mail server or tracker did not answer; a retry may help."""


class OutcomeUnknown(ServiceUnavailable):
    """A service had all that it needed to act and gave no answer: a retry could act twice."""
