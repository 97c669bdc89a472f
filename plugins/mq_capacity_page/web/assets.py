"""Scripts and styles, all from this machine: our own files and Plotly's installed bundle."""

from __future__ import annotations

import base64
import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Final

OWN_FOLDER: Final = Path(__file__).with_name("static")
ERROR_STYLE: Final = Path(__file__).with_name("templates") / "error.css"
"""Stands in the page of an error itself: who is not signed in may not fetch a file."""
PLOTLY: Final = "plotly.min.js"
_STYLE_ID: Final = re.compile(rb'getElementById\("([0-9a-f]{64})"\)')
MEDIA_TYPES: Final = {
    "page.css": "text/css",
    "theme.js": "text/javascript",
    "chart.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "icon-dark.svg": "image/svg+xml",
    PLOTLY: "text/javascript",
}
"""Every file that may be asked for; any other name is not found."""


def asset_path(name: str) -> Path | None:
    """Where a file of ``MEDIA_TYPES`` stands, ``None`` for every other name."""
    if name not in MEDIA_TYPES:
        return None
    if name == PLOTLY:
        return Path(str(files("plotly") / "package_data" / PLOTLY))
    return OWN_FOLDER / name


@cache
def asset_version(name: str) -> str:
    """Short content hash: part of the address, so that a changed file is fetched anew."""
    path = asset_path(name)
    return sha256(path.read_bytes()).hexdigest()[:12] if path else ""


def asset_link(name: str) -> str:
    """Relative address of a file, unique to its content."""
    return f"static/{name}?v={asset_version(name)}"


@cache
def error_style() -> str:
    """The style of the page of an error, as it stands in it."""
    return ERROR_STYLE.read_text(encoding="utf-8")


def inline_source(text: str) -> str:
    """What a content security policy says to allow one inline text, to the byte, and no other."""
    digest = base64.b64encode(sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


@cache
def held_style_ids() -> tuple[str, ...]:
    """Ids of the styles that Plotly would put into the page unless an element has the id.

    They belong to maps, of which we have none, and the content security policy forbids them.
    """
    path = asset_path(PLOTLY)
    found = _STYLE_ID.findall(path.read_bytes()) if path else []
    return tuple(sorted({name.decode() for name in found}))
