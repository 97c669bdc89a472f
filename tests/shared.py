"""Where the project's reference data stands, if it stands beside the checkout."""

from __future__ import annotations

from pathlib import Path


def shared_dir() -> Path | None:
    """The ``shared`` folder beside the checkout, or ``None`` on a machine without it."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    return folder if folder.is_dir() else None
