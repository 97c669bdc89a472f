"""Running the command line inside the test process."""

from typing import Any, Final

from click.testing import CliRunner, Result
from typer.main import get_command

from mqcap.cli.app import app
from mqcap.domain.errors import ConfigurationError

COMMAND: Final[Any] = get_command(app)
"""The command line as Click runs it; made once, as in a process of its own."""
_WIDE: Final = "1000"
"""Columns in which no sentence is wrapped, so that a test can look for it."""


def invoked(*arguments: str) -> Result:
    """Return the result of a command that may fail, its output on wide lines."""
    return CliRunner().invoke(COMMAND, list(arguments), env={"COLUMNS": _WIDE})


def output_of(*arguments: str) -> str:
    """Return what a command prints that must succeed, on wide lines."""
    env = {"COLUMNS": _WIDE}
    result = CliRunner().invoke(COMMAND, list(arguments), catch_exceptions=False, env=env)
    assert result.exit_code == 0, result.output
    return result.output


def refusal(*arguments: str) -> ConfigurationError:
    """Return the error of a command that is asked for what it does not have."""
    error = invoked(*arguments).exception
    assert isinstance(error, ConfigurationError), error
    return error
