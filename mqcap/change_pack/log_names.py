"""Names of active log data sets: those of today, and new ones that go on with their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

_NUMBERED: Final = re.compile(r"(?P<stem>.*?)(?P<number>\d+)$")
_WIDTH: Final = 2
"""Digits of a number in new names where the old ones are not known."""


def new_names(
    stated: Sequence[str], queue_manager: str, copies: Sequence[int], existing: int, count: int
) -> list[tuple[int, str]]:
    """Return copy and name of new data sets, both copies alternately.

    Where the known names end in numbers and have one beginning for each copy, the new ones go on
    after the highest number of all copies, so that none exists already. Otherwise the beginning is
    for the site to fill in, and the numbers go on after the number of logs of today.

    Args:
        stated: Names of today's data sets, those of copy 1 first.
        queue_manager: Name for placeholders.
        copies: Numbers of the copies.
        existing: Logs in each copy today.
        count: New data sets in each copy.
    """
    numbered = [match for name in stated if (match := _NUMBERED.match(name))]
    stems = list(dict.fromkeys(match["stem"] for match in numbered))
    if len(numbered) != len(stated) or len(stems) != len(copies):
        stems = [f"++HLQ++.{queue_manager}.LOGCOPY{copy}.DS" for copy in copies]
    width = max((len(match["number"]) for match in numbered), default=_WIDTH)
    last = max([existing, *(int(match["number"]) for match in numbered)])
    return [
        (copy, f"{stem}{number:0{width}}")
        for number in range(last + 1, last + 1 + count)
        for copy, stem in zip(copies, stems, strict=True)
    ]


def old_names(stated: Sequence[str], copies: Sequence[int], existing: int) -> Iterator[str]:
    """Yield the names of today's data sets, with a placeholder for each that is not known."""
    yield from stated
    for number in range(len(stated) + 1, existing * len(copies) + 1):
        yield f"++OLD-ACTIVE-LOG-{number}++"
