"""Checks of folders and addresses that the settings name."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from mqcap.installation.check import Check, CheckState

_GIB: Final = 2**30
_CONNECT_SECONDS: Final = 10.0
"""Time to wait for a connection (ours)."""
_PORTS: Final = {"http": 80, "https": 443}


def folder_check(what: str, folder: Path, key: str) -> Check:
    """Return whether a folder, or the one in which it would be made, can be written to."""
    place = _nearest(folder.absolute())
    shown = str(folder.absolute())
    if not place.is_dir():
        remedy = f"Correct {key}, or remove {place}."
        return Check(CheckState.to_do, what, f"{shown}: {place} is no folder", remedy)
    if not os.access(place, os.W_OK | os.X_OK):
        remedy = f"Let the user of this command write to {place}, or correct {key}."
        return Check(CheckState.to_do, what, f"{shown}: {place} cannot be written to", remedy)
    free_gib = shutil.disk_usage(place).free / _GIB
    if free_gib <= 0:
        remedy = f"Make room, or correct {key}."
        return Check(CheckState.to_do, what, f"{shown}: no space left", remedy)
    made = "" if folder.is_dir() else ", made when it is needed"
    return Check(CheckState.fine, what, f"{shown}{made}; {free_gib:.1f} GiB free")


def address_check(what: str, address: str, key: str) -> Check:
    """Return whether a server listens at an address such as ``https://host/path``."""
    parts = urlsplit(address)
    host, port = parts.hostname, parts.port or _PORTS.get(parts.scheme)
    if not host or port is None:
        return Check(CheckState.to_do, what, "no address of a server", f"Correct {key}.")
    try:
        socket.create_connection((host, port), _CONNECT_SECONDS).close()
    except OSError as error:
        found = f"{host}:{port} does not answer: {error.strerror or error}"
        return Check(CheckState.to_do, what, found, f"Start the server, or correct {key}.")
    return Check(CheckState.fine, what, f"{host}:{port} answers; its login is not tried")


def inbox_check(folder: Path, key: str) -> Check:
    """Return whether the files of a folder can be listed; one that is not there is to be made."""
    what, shown = "inbox", str(folder.absolute())
    if not folder.is_dir():
        return folder_check(what, folder, key)
    if not os.access(folder, os.R_OK | os.X_OK):
        remedy = f"Let the user of this command list and read it, or correct {key}."
        return Check(CheckState.to_do, what, f"{shown} cannot be read", remedy)
    return Check(CheckState.fine, what, shown)


def _nearest(folder: Path) -> Path:
    """Return the folder itself, else the nearest one above it that exists."""
    return next(each for each in (folder, *folder.parents) if each.exists())
