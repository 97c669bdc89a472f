"""Counts of findings, plans, checks and feeds: the same words in email, page, reports, terminal."""

from __future__ import annotations

from collections.abc import Iterable

from mqcap.domain.feed import FeedDay
from mqcap.domain.numbers import counted


def data_words(findings: Iterable[FeedDay]) -> str:
    """Return how many feeds lack records, and how many figures two sources have differently.

    ``2 feeds of records incomplete, 1 figure differs between two sources``; empty without any.
    """
    kinds = [finding.is_incomplete for finding in findings]
    missing, differing = kinds.count(True), kinds.count(False)
    verb = "differs" if differing == 1 else "differ"
    parts = [
        f"{counted(missing, 'feed')} of records incomplete" if missing else "",
        f"{counted(differing, 'figure')} {verb} between two sources" if differing else "",
    ]
    return ", ".join(filter(None, parts))
