"""Budget of a row of what is to be decided, wherever it is shown."""

from __future__ import annotations

import re
from typing import Final

ROW_WORDS: Final = 45
ROW_NUMBERS: Final = 8
_NUMBER: Final = re.compile(r"\d+ [A-Z][a-z]{2} \d{4}|(?<![\w-])\d[\d,.]*(?![\d,.-])")
"""A date is one number; digits of a name such as ``CSQ1``, or ``31-bit``, are none."""


def count_numbers(text: str) -> int:
    """Return how many numbers a reader sees."""
    return len(_NUMBER.findall(text))
