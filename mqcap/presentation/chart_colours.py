"""Colours of charts: the same in pages, emails and reports."""

from __future__ import annotations

from typing import Final

LIGHT: Final = {
    "text": "#3b4252",
    "grid": "#e3e7ee",
    "strong": "#1f5fa8",
    "faint": "#a9bbd3",
    "forecast": "#b45309",
    "option": "#0f766e",
    "option-2": "#7c3aed",
    "limit": "#b42318",
    "option-limit": "#0f766e",
    "event": "#5a6575",
    "part-0": "#1f5fa8",
    "part-1": "#b45309",
    "part-2": "#2e7d32",
    "part-3": "#8e24aa",
    "part-4": "#78909c",
    "part-5": "#c2185b",
}
"""By the kind of a line or sign, on white; ``page.css`` has the same names for both themes."""
