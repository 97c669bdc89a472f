"""Kinds of corrupt ranges in a dump: what a range shows about the way that the file took."""

from enum import StrEnum
from typing import Final


class Corruption(StrEnum):
    """Signs of a corrupt range; a range may show several, or none of these."""

    truncated = "truncated"
    """The file ends inside a record or block."""
    lost_segment = "lost_segment"
    """Segments of a spanned record are missing, or do not belong together."""
    wrong_length = "wrong_length"
    """A record or block does not end where the next one begins."""
    wrong_content = "wrong_content"
    """A record of the right length has bytes that its fields cannot have."""
    impossible_value = "impossible_value"
    """A whole record has a value that no record of a running system has."""
    wrong_clock = "wrong_clock"
    """A whole record is from before 2000 or from the future, or its times are apart."""
    too_short = "too_short"
    """A record ends before parts that it refers to."""


OF_WHOLE_RECORDS: Final = frozenset({Corruption.impossible_value, Corruption.wrong_clock})
"""Signs of a record that came as it was written: they say nothing against the others."""
