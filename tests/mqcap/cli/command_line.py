"""Running the command line inside the test process."""

from __future__ import annotations

from typer.testing import CliRunner, Result

from mqcap.cli.app import app


def invoked(*arguments: str) -> Result:
    """Return the result of a command that may fail, its output on wide lines."""
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "300"})


def output_of(*arguments: str) -> str:
    """Return what a command prints that must succeed."""
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output
