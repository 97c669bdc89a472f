"""The application ``mqcap``: its command groups, ``--version``, and errors as exit codes."""

import atexit
import os
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final

import typer

from mqcap.cli.common import ExitCode, err, exit_code_of, print_error, print_status
from mqcap.cli.lazy_group import LazyGroup
from mqcap.domain.errors import CapacityError, file_error
from mqcap.installation.extras import missing_extra
from mqcap.progress.json_log import json_wanted, records_on_stderr
from mqcap.progress.shown import shown_on

app = typer.Typer(
    cls=LazyGroup, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None
)


def _use_utc(asked: bool) -> None:
    if asked:
        from mqcap.presentation import display_units  # noqa: PLC0415 - reads the settings model

        display_units.use(display_units.DisplayZones(always_utc=True))


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"mqcap {version('mqcap')}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
    _utc: Annotated[
        bool,
        typer.Option(
            "--utc",
            callback=_use_utc,
            help="Print times in UTC; default: the time zone of each sysplex, else of the site.",
        ),
    ] = False,
) -> None:
    """Forecast the capacity of IBM MQ: the steps of the daily DAG without Airflow."""
    choose_drawing_folder()
    context.with_resource(records_on_stderr())
    context.with_resource(shown_on(err, print_status if json_wanted() else None))


def main() -> None:
    """Run the command line; print a CapacityError as one line and exit with its code.

    The same for an extra of the package that is not installed, a full disk, a refused permission.
    """
    try:
        app()
    except (CapacityError, OSError, ModuleNotFoundError) as error:
        shown: CapacityError | str | None = None
        match error:
            case CapacityError():
                shown = error
            case OSError():
                shown = file_error(error, "the command")
            case ModuleNotFoundError():
                shown = missing_extra(error)
        if shown is None:
            raise
        print_error(shown)
        sys.exit(exit_code_of(shown) if isinstance(shown, CapacityError) else ExitCode.failed)


VARIABLE: Final = "MPLCONFIGDIR"
"""Names the folder in which matplotlib keeps its list of fonts."""


def choose_drawing_folder() -> None:
    """Name a temporary folder where matplotlib could not write, so that it prints nothing of it.

    It is removed when this process ends. Processes that it starts use it too.
    """
    if VARIABLE in os.environ or _can_write_settings():
        return
    folder = tempfile.mkdtemp(prefix="mqcap-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ[VARIABLE] = folder


def _can_write_settings() -> bool:
    """Return whether matplotlib's own folder can be written, or made in the first one above it."""
    below = os.environ.get("XDG_CONFIG_HOME")
    try:
        folder = Path(below) if below else Path.home() / ".config"
    except RuntimeError:  # without a home
        return False
    there = next((parent for parent in (folder, *folder.parents) if os.path.lexists(parent)), None)
    return there is not None and there.is_dir() and os.access(there, os.W_OK | os.X_OK)
