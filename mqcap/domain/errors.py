"""Errors for operators: the problem, what was found and expected, and the remedy.

::

    CapacityError
    ├── InputError            a file or record does not have its declared form; no retry
    ├── ConfigurationError    a setting is missing or contradicts another
    └── ServiceUnavailable    a service did not answer; a retry may help
        └── OutcomeUnknown    it had the request and did not confirm; a retry could repeat it
"""

from __future__ import annotations

from mqcap.domain.shown_text import harmless, masked, without_credentials


def _shown(text: str) -> str:
    return harmless(masked(text))


class CapacityError(Exception):
    """Root of every error that this product raises on purpose.

    The text is written to logs, emails and the store: credentials in addresses are masked, and
    control characters in foreign names are replaced.
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
    """A file or record does not have the form that it declares.

    What was found there is text of the file: values of credentials in it are masked too.
    """

    def __init__(  # noqa: PLR0913 - the facts of one corrupt place, all keyword-only
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
        super().__init__(
            f"{where}{problem}",
            found=without_credentials(found),
            expected=expected,
            remedy=remedy,
        )


class ConfigurationError(CapacityError):
    """A setting is missing, unknown, or contradicts another."""


class ServiceUnavailable(CapacityError):  # noqa: N818 - names the event, which is no fault of this program
    """A database, mail server or tracker did not answer; a retry may help."""


class OutcomeUnknown(ServiceUnavailable):
    """A service had the complete request and did not confirm it: a retry could repeat it."""
