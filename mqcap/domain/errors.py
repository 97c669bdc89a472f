"""Errors for operators: the problem, what was found and expected, and the remedy.

::

    CapacityError
    ├── InputError            a file or record does not have its declared form; no retry
    ├── ConfigurationError    a setting is missing or contradicts another
    └── ServiceUnavailable    a service did not answer; a retry may help
        └── OutcomeUnknown    it had the request and did not confirm; a retry could repeat it
"""

import errno
import os
from typing import Final

from mqcap.domain.shown_text import harmless, masked, printable, without_credentials

NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS})
_DISKS: Final = "the disks of lake, store, inbox and temporary files (TMPDIR, SPARK_LOCAL_DIRS)"
_NO_PERMISSION: Final = {errno.EACCES, errno.EPERM}
_NO_PLACE: Final = {errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG}


def _shown(text: str) -> str:
    return harmless(masked(text))


class CapacityError(Exception):
    """Root of every error that this product raises on purpose.

    Credentials in addresses are masked, control characters in foreign names are replaced.
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
    """A file or record does not have the form that it declares; credentials in it are masked."""

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
        self.file = printable(file)
        self.record = record
        self.byte_offset = byte_offset
        place = self.file
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


def file_error(error: OSError, who: str) -> CapacityError | None:
    """Return an error of the file system with its remedy; ``None`` for another one.

    ``who`` is the step or command. A disk is unavailable, a permission a matter of configuration.
    """
    path = error.filename2 or error.filename  # of a copy the target is the second one
    name = os.fsdecode(path) if path else ""
    kind: type[CapacityError] = ConfigurationError
    if error.errno in NO_SPACE:
        kind, problem = ServiceUnavailable, f"{who} cannot write {name or 'its result'}"
        if error.errno == errno.EROFS:
            expected = "a disk that can be written"
            remedy = "Mount it for writing, or name a folder elsewhere; then run it again."
        else:
            expected = f"free, writable space on {'the disk' if name else _DISKS}"
            remedy = "Free space (`mqcap store prune` deletes old data), then run it again."
    elif error.errno in _NO_PERMISSION:
        problem = f"{who} may not use {name or 'a file'}"
        expected = "a file or folder that the user of this command may read and write"
        remedy = "Give that user the permission, or name another file or folder."
    elif error.errno in _NO_PLACE:
        problem = f"{who} cannot use {name or 'a file'}"
        expected = "a file in a folder, where nothing else has the name of either"
        remedy = "Name another file or folder."
    else:
        return None
    found = str(error.strerror or error)
    return kind(problem, found=found, expected=expected, remedy=remedy)
