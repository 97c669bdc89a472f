"""Units as the names of inputs and figures carry them."""

from __future__ import annotations

from typing import Final

_UNITS: Final = {
    "_mib_per_s": "MiB/s",
    "_mib_per_h": "MiB/h",
    "_mib_per_hour": "MiB/h",
    "_mb_per_s": "MB/s",
    "_bytes_per_s": "bytes/s",
    "_per_s": "per s",
    "_per_h": "per h",
    "_mib": "MiB",
    "_gib": "GiB",
    "_kib": "KiB",
    "_mb": "MB",
    "_gb": "GB",
    "_kb": "KB",
    "_bytes": "bytes",
    "_pages": "pages",
    "_pct": "%",
    "_ratio": "ratio",
    "_us": "us",
    "_ms": "ms",
    "_min": "min",
    "_minutes": "min",
    "_hours": "h",
    "_days": "days",
    "_s": "s",
    "_h": "h",
}
"""Endings, longest of a family first."""


def unit_of(name: str) -> str:
    """Return the unit that a name ends in; empty for counts, switches and words."""
    return next((unit for end, unit in _UNITS.items() if name.lower().endswith(end)), "")
