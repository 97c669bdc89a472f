"""Local times of headings, as the locale of the process prints them.

A date with slashes may have the day or the month first: a number above 12, or AM and PM, decide
for the whole log, and where nothing does the date is not known. Where both ends of a date have two
digits, the year is the one that differs less often within the log; of equals the last one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

_FORM: Final = re.compile(
    r"(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})\.?,?\s+(\d{1,2})[:.](\d\d)[:.](\d\d)\s*([AaPp])?"
)
_YEAR_FIRST: Final = re.compile(
    r"(?:西元)?(\d{4})[年년]\s?(\d{1,2})[月월]\s?(\d{1,2})[日일]\s?(?:\(\w\)|\w曜日|星期\w|\w요일)?\s*"
    r"(午前|上午|오전|午後|下午|오후)?\s?(\d{1,2})[:時时시]\s?(\d\d)[:分분]\s?(\d\d)"
)
"""Of Chinese, Japanese and Korean."""
_HALVES: Final = dict.fromkeys(("午前", "上午", "오전"), "AM") | dict.fromkeys(
    ("午後", "下午", "오후"), "PM"
)
_HOURS_OF_HALF: Final = 12
_MONTHS: Final = 12
_CENTURY: Final = 100
_MILLENNIUM: Final = 2_000
_SHORT_YEAR: Final = 2
"""Digits."""


@dataclass
class LocalTimes:
    """What the headings of a log have shown of the order of their dates."""

    day_is_first: bool | None = None
    _ends: tuple[set[str], set[str]] = field(default_factory=lambda: (set(), set()))
    """First and last numbers of dates with two digits for the year."""

    def learn(self, text: str) -> None:
        """Take a heading into account."""
        found = _FORM.match(text)
        if found is None:
            return
        if _has_short_year(found):
            self._ends[0].add(found[1])
            self._ends[1].add(found[4])
        if found[2] != "/" or self.day_is_first is not None:
            return
        if int(found[1]) > _MONTHS or int(found[3]) > _MONTHS or found[8]:
            self.day_is_first = int(found[1]) > _MONTHS

    def moment(self, text: str, *, is_last: bool = False) -> datetime | None:
        """Return the local time; ``None`` where the order of the date is not known yet.

        ``is_last`` says that all headings are known. Raises ValueError for what is no time.
        """
        found = _FORM.match(_YEAR_FIRST.sub(_in_digits, text))
        if found is None:
            raise ValueError(f"its heading has no date and time that is known ({text[:30]})")
        first, second, third = (int(found[place]) for place in (1, 3, 4))
        hour, minute, second_of_minute = (int(found[place]) for place in (5, 6, 7))
        if found[8]:
            hour = hour % _HOURS_OF_HALF + _HOURS_OF_HALF * (found[8] in "Pp")
        has_short_year = _has_short_year(found)
        if has_short_year and not is_last:
            return None
        if first > _CENTURY:
            year, month, day = first, second, third
        elif has_short_year and len(self._ends[1]) > len(self._ends[0]):
            year, month, day = _MILLENNIUM + first, second, third
        else:
            day_is_first = self.day_is_first if found[2] == "/" else True
            if day_is_first is None:
                return None
            day, month = (first, second) if day_is_first else (second, first)
            year = third if third >= _CENTURY else _MILLENNIUM + third
        return datetime(year, month, day, hour, minute, second_of_minute)  # noqa: DTZ001 - local


def _has_short_year(found: re.Match[str]) -> bool:
    """Return whether either end of a date may be the year: AM and PM stand behind months first."""
    return len(found[1]) == len(found[4]) == _SHORT_YEAR and not found[8]


def _in_digits(found: re.Match[str]) -> str:
    year, month, day, half, *clock = found.groups()
    return f"{year}-{month}-{day} {':'.join(clock)} {_HALVES.get(half, '')}"
