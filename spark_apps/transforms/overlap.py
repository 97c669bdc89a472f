"""Whether files can hold the same section twice: only then must rows be compared.

Most dumps follow one another without overlap. Telling that from the manifests is cheap;
sorting all rows of a history by their key is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.lake.layout import Manifest


def may_repeat(dataset: str, sources: Iterable[Manifest]) -> bool:
    """Whether two of the files, or one by itself, may hold a row of ``dataset`` twice.

    Two files may when they tell of the same system and their times touch. A file without
    known times may overlap with any other.
    """
    holders = [source for source in sources if source.rows.get(dataset)]
    if any(dataset in source.repeated for source in holders):
        return True
    if len(holders) < 2:
        return False
    if any(source.first_interval_utc is None for source in holders):
        return True
    spans: dict[str, list[tuple[datetime, datetime]]] = {}
    for source in holders:
        first, last = source.first_interval_utc, source.last_interval_utc
        for smfid in source.smfids or ("",):
            if first is not None and last is not None:
                spans.setdefault(smfid, []).append((first, last))
    touching = dataset == CONSOLE_EVENT.name
    return any(_overlap(sorted(of_system), touching) for of_system in spans.values())


def _overlap(spans: list[tuple[datetime, datetime]], touching: bool) -> bool:
    """Whether a span starts before the end of an earlier one; for instants, or on it."""
    end = spans[0][1]
    for first, last in spans[1:]:
        if first < end or (touching and first == end):
            return True
        end = max(end, last)
    return False
