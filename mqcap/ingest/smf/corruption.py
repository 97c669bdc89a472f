"""Kinds of corrupt ranges in a dump: what a range shows about the way that the file took."""

from __future__ import annotations

from enum import StrEnum


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
    """A whole record has a value, or a clock, that no record of a running system has."""
    too_short = "too_short"
    """A record ends before parts that it refers to."""
