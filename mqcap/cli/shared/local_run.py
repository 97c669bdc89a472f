"""Settings of a command: those of the environment, else of the local run of this folder.

``make run`` writes ``var/mqcap.env``. In that checkout, and in folders below it, commands take its
variables where the environment has none, start its PostgreSQL when it is down, and say so once.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mqcap.progress.json_log import json_line, json_wanted

if TYPE_CHECKING:
    from mqcap.settings import Settings

LOCAL_FILE: Final = Path("var") / "mqcap.env"
PLACES: Final = ("MQCAP_SETTINGS_FILE", "MQCAP_LAKE", "MQCAP_STORE__URL")
"""Who names one of these, even as empty, does not work on the local run."""
_SERVER: Final = "devtools.local.postgres"


def site_settings(*, with_store: bool = True) -> Settings:
    """Return the settings of this command.

    Without ``with_store`` the command opens no store, and no PostgreSQL is started.

    Raises:
        ConfigurationError: a settings file, or the file of the local run, is wrong.
        ServiceUnavailable: the PostgreSQL of the local run does not start.
    """
    from mqcap.settings import load_settings  # noqa: PLC0415 - slower than most dumps

    file = local_file(Path.cwd(), os.environ)
    if file is not None:
        _use(file, with_store=with_store)
    return load_settings()


def local_file(folder: Path, environment: Mapping[str, str]) -> Path | None:
    """Return the file of the local run of a folder or of the nearest one above it.

    ``None`` without such a file, and when the environment names settings, lake or store itself.
    """
    if any(name in environment for name in PLACES):
        return None
    found = (parent / LOCAL_FILE for parent in (folder, *folder.parents))
    return next((candidate for candidate in found if candidate.is_file()), None)


def _use(file: Path, *, with_store: bool) -> None:
    """Set the variables of the file that the environment lacks; not those of another user."""
    shown = os.path.relpath(file)
    if file.stat().st_uid not in _trusted():
        _say(f"Settings: the defaults; {shown} is another user's.")
        os.environ[PLACES[0]] = ""
        return
    from mqcap.settings.loader import read_environment_file  # noqa: PLC0415 - imports the settings

    variables = read_environment_file(file)
    _say(f"Settings of the local run: {shown}")
    for name, value in variables.items():
        os.environ.setdefault(name, value)
    data = file.parent / "postgres"
    if with_store and data.is_dir() and find_spec(_SERVER) is not None:
        from devtools.local.postgres import STORE_DATABASE, shared_postgres  # noqa: PLC0415 - only for the local run

        stack = ExitStack()
        server = stack.enter_context(shared_postgres(data))
        atexit.register(stack.close)
        os.environ["MQCAP_STORE__URL"] = server.url(STORE_DATABASE, "psycopg2")


def _trusted() -> set[int]:
    """Return the users whose files may set variables here."""
    return {os.geteuid(), 0}


def _say(text: str) -> None:
    sys.stderr.write(f"{json_line('info', text) if json_wanted() else text}\n")
