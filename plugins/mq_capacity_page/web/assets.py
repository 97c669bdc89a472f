"""Scripts and styles, all from this server: own files, and those in ``vendored``."""

from __future__ import annotations

import base64
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parents[1]
STATIC: Final = PACKAGE / "static"
TEMPLATES: Final = PACKAGE / "templates"
ERROR_STYLE: Final = TEMPLATES / "error.css"
"""Part of the error page itself: a reader who is not signed in may not fetch a file."""
VENDORED: Final = PACKAGE / "vendored"
PLOTLY: Final = "plotly-basic.min.js"
"""The basic bundle of plotly.js: lines, bars and pies, a quarter of the whole library."""
_STYLE_ID: Final = re.compile(rb'getElementById\("([0-9a-f]{64})"\)')
MEDIA_TYPES: Final = {
    "page.css": "text/css",
    "theme.js": "text/javascript",
    "figure.js": "text/javascript",
    "chart.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "icon-dark.svg": "image/svg+xml",
    PLOTLY: "text/javascript",
}
"""Every file that is served; any other name is not found."""


def asset_path(name: str) -> Path | None:
    """Return the path of a file of ``MEDIA_TYPES``, ``None`` for every other name."""
    if name not in MEDIA_TYPES:
        return None
    if name == PLOTLY:
        return VENDORED / name
    return STATIC / name


@cache
def asset_version(name: str) -> str:
    """Return a short content hash, part of the address so that a changed file is fetched anew."""
    path = asset_path(name)
    return sha256(path.read_bytes()).hexdigest()[:12] if path else ""


def asset_link(name: str) -> str:
    """Return the relative address of a file, unique to its content."""
    return f"static/{name}?v={asset_version(name)}"


@cache
def error_style() -> str:
    """Return the style of the error page, as the page embeds it."""
    return ERROR_STYLE.read_text(encoding="utf-8")


def inline_source(text: str) -> str:
    """Return the source of a content security policy that allows exactly this inline text."""
    digest = base64.b64encode(sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


@cache
def held_style_ids() -> tuple[str, ...]:
    """Return the ids of styles that Plotly adds to a page unless an element has the id.

    They belong to maps, which are not used here; the content security policy forbids them.
    """
    path = asset_path(PLOTLY)
    names = _STYLE_ID.findall(path.read_bytes()) if path else []
    return tuple(sorted({name.decode() for name in names}))
