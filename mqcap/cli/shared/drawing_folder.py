"""Folder of the drawing library, which forecasts and charts import, for users without a home."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

VARIABLE: Final = "MPLCONFIGDIR"
"""Names the folder in which matplotlib keeps its list of fonts."""


def choose_drawing_folder() -> None:
    """Name a temporary folder where matplotlib could not write, so that it prints nothing of it.

    It is removed when this process ends. Processes that it starts use it too.
    """
    if VARIABLE in os.environ or _can_write(_default_folder()):
        return
    folder = tempfile.mkdtemp(prefix="mqcap-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ[VARIABLE] = folder


def _default_folder() -> Path | None:
    """Return the folder that matplotlib would choose below the user's; ``None`` without a home."""
    below = os.environ.get("XDG_CONFIG_HOME")
    try:
        return Path(below) if below else Path.home() / ".config"
    except RuntimeError:
        return None


def _can_write(folder: Path | None) -> bool:
    """Return whether a folder may be written to, or made in the first one above it that exists."""
    if folder is None:
        return False
    there = next((each for each in (folder, *folder.parents) if os.path.lexists(each)), None)
    return there is not None and there.is_dir() and os.access(there, os.W_OK | os.X_OK)
