"""Scripts and styles, all of them our own files from this server."""

import base64
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parents[1]
STATIC: Final = PACKAGE / "static"
TEMPLATES: Final = PACKAGE / "templates"
ERROR_STYLE: Final = (TEMPLATES / "error.css").read_text(encoding="utf-8")
"""Part of the error page itself: a reader who is not signed in may not fetch a file."""
MEDIA_TYPES: Final = {
    "page.css": "text/css",
    "theme.js": "text/javascript",
    "page.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "icon-dark.svg": "image/svg+xml",
}
"""Every file that is served; any other name is not found."""


@cache
def asset_link(name: str) -> str:
    """Return the relative address of a file, with a hash of its content: a changed one is new."""
    return f"static/{name}?v={sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"


def inline_source(text: str) -> str:
    """Return the source of a content security policy that allows exactly this inline text."""
    digest = base64.b64encode(sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
