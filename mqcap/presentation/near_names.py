"""Names that people may have meant, for errors about a subject or a metric that there is not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SERIES_SEPARATOR

NEAR_MAX: Final = 3
NAMED_MAX: Final = 12
"""Names that an error lists (ours)."""


def near_names(wanted: str, known: Sequence[str]) -> str:
    """Return the names that contain or look like the one asked for; empty without any."""
    folded = wanted.casefold()
    holding = [name for name in known if folded in name.casefold()] if wanted else []
    by_folded = {name.casefold(): name for name in known}
    alike = [by_folded[name] for name in get_close_matches(folded, by_folded, NEAR_MAX, 0.6)]
    return " or ".join(list(dict.fromkeys([*holding, *alike]))[:NEAR_MAX])


def listed_names(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    rest = len(names) - NAMED_MAX
    return ", ".join(names[:NAMED_MAX]) + (f" and {rest} more" if rest > 0 else "")


def require_subject(wanted: str, subjects: Iterable[str]) -> None:
    """Do nothing where a subject, what it belongs to, or a part of a path is so named.

    Args:
        wanted: Such as ``PLEX1``, ``PLEX1/CSQ1`` or ``CSQ1``, in any case.
        subjects: Subjects with measured figures; nothing is known without any.

    Raises:
        ConfigurationError: no subject has it in its path.
    """
    parts = [subject.split(SERIES_SEPARATOR) for subject in subjects]
    owners = sorted({SERIES_SEPARATOR.join(names[:2]) for names in parts})
    if not parts or any(_has_path(names, wanted) for names in parts):
        return
    names = sorted({*owners, *(name for each in parts for name in each[:2])})
    near = near_names(wanted, names)
    raise ConfigurationError(
        f"there is no subject {wanted}",
        found=f"figures of {listed_names(owners)}",
        expected=near or "one of these",
    )


def _has_path(names: Sequence[str], wanted: str) -> bool:
    edge = SERIES_SEPARATOR
    path = edge.join(names)
    return f"{edge}{wanted}{edge}".casefold() in f"{edge}{path}{edge}".casefold()
