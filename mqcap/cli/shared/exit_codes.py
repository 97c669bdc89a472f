"""Exit codes of every command."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from mqcap.domain.errors import CapacityError, ConfigurationError, ServiceUnavailable


class ExitCode(IntEnum):
    """What the end of a command means to the program that called it."""

    done = 0
    failed = 1
    usage = 2
    unavailable = 3
    interrupted = 130


MEANINGS: Final[Mapping[ExitCode, str]] = {
    ExitCode.done: "done; what was asked for is there, even when it is over its limit",
    ExitCode.failed: "an input, a setting or a name is wrong, there is no answer, or a check found "
    "something; an error is one line on standard error with what was found, what was expected and "
    "what to do",
    ExitCode.usage: "the command line is wrong: an unknown command, option or value",
    ExitCode.unavailable: "a database, object store, mail server or tracker did not answer, or "
    "refused: the same command may succeed later",
    ExitCode.interrupted: "interrupted with Ctrl-C",
}


class UnknownValueError(ConfigurationError):
    """A value that its argument or option does not take."""


def exit_code_of(error: CapacityError) -> ExitCode:
    """Return the exit code of an error."""
    if isinstance(error, UnknownValueError):
        return ExitCode.usage
    return ExitCode.unavailable if isinstance(error, ServiceUnavailable) else ExitCode.failed
