"""The pinned packages: constraints.txt."""

import re
from pathlib import Path
from typing import Final

from packaging.markers import Marker
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).resolve().parents[1]
_PIN: Final = re.compile(
    r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[A-Za-z0-9.!+_-]+)(?: ; (?P<marker>.+))?"
)


def pins() -> dict[str, str]:
    """Version of each package pinned for this Python, by its canonical name (PEP 503)."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    result = [_PIN.fullmatch(line) for line in lines if line and not line.startswith("#")]
    assert None not in result
    return {
        canonicalize_name(match["name"]): match["version"]
        for match in result
        if match is not None and (match["marker"] is None or Marker(match["marker"]).evaluate())
    }
