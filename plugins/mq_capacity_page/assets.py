"""Scripts and styles, all from this machine: our own files and Plotly's installed bundle."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Final

OWN_FOLDER: Final = Path(__file__).with_name("static")
PLOTLY: Final = "plotly.min.js"
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
