"""Scripts and styles, all of them our own files from this server."""

import base64
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parents[1]
STATIC: Final = PACKAGE / "static"
TEMPLATES: Final = PACKAGE / "templates"
ERROR_STYLE: Final = TEMPLATES / "error.css"
"""Part of the error page itself: a reader who is not signed in may not fetch a file."""
MEDIA_TYPES: Final = {
    "page.css": "text/css",
    "theme.js": "text/javascript",
    "page.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "icon-dark.svg": "image/svg+xml",
}
"""Every file that is served; any other name is not found."""


def asset_path(name: str) -> Path | None:
    """Return the path of a file of ``MEDIA_TYPES``, ``None`` for every other name."""
    return STATIC / name if name in MEDIA_TYPES else None


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
