"""Settings and sizes that a change can give another value: range, default, unit, restart.

One table, ``tables/operands.csv``, for what-if scenarios, for feasible values of recommended
changes and for the page on operands. Each row has its source; a site's own figure has none but the
place where it is looked up.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import NamedTuple

from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from sizing.table import number, rows


class ValueForm(StrEnum):
    """Kind of value."""

    number = "number"
    whole = "whole"
    switch = "switch"
    """``true`` or ``false``."""


class Restart(StrEnum):
    """Component that must be restarted for a new value to take effect."""

    none = "none"
    channel_initiator = "channel_initiator"
    queue_manager = "queue_manager"


class RangeCertainty(StrEnum):
    """Certainty of a range."""

    A = "A"
    """Read in documentation of IBM."""
    B = "B"
    """Read in documentation of another platform or release, or of a third party."""
    C = "C"
    """Found in no document: to be checked before use."""
    site = "site"
    """A figure of the site, which no document bounds."""


class OperandRange(NamedTuple):
    """One setting of one kind of subject; the key carries the unit where it has one."""

    key: str
    subject_kind: SubjectKind
    operand: str
    """Statement and operand, such as ``ALTER QMGR CHIADAPS``; empty: several or none."""
    form: ValueForm
    low: float | None
    """Lowest value; ``None``: more than 0."""
    high: float | None
    """Highest value; ``None``: no limit is known."""
    default: str
    """As the documents print it; empty: none is known."""
    unit: str
    restart: Restart
    certainty: RangeCertainty
    source: str
    remark: str

    @property
    def span(self) -> str:
        """Range without unit, such as ``10 to 1,000``."""
        if self.form is ValueForm.switch:
            return "true or false"
        if self.high is None:
            return "more than 0" if self.low is None else f"{figure(self.low)} or more"
        if self.low is None:
            return f"more than 0, up to {figure(self.high)}"
        return f"{figure(self.low)} to {figure(self.high)}"

    @property
    def range_text(self) -> str:
        """Range with unit, such as ``whole number, 10 to 1,000 volumes``."""
        whole = "whole number, " if self.form is ValueForm.whole else ""
        return f"{whole}{self.span} {self.unit}".rstrip()

    def refusal(self, value: object) -> str:
        """Return why a value is not feasible, with range and source; empty when it is."""
        if self._fits(value):
            return ""
        shown = (
            figure(value)
            if isinstance(value, float | int) and not _is_switch(value)
            else f"{value}"
        )
        return (
            f"{self.key} is out of range: found {shown}, expected {self.range_text} ({self.source})"
        )

    def _fits(self, value: object) -> bool:
        if self.form is ValueForm.switch:
            return isinstance(value, bool)
        if not isinstance(value, int | float) or _is_switch(value):
            return False
        if self.form is ValueForm.whole and value != int(value):
            return False
        above = value > 0 if self.low is None else value >= self.low
        return above and (self.high is None or value <= self.high)


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


@cache
def operand_ranges() -> tuple[OperandRange, ...]:
    """Return all rows of the table in its order."""
    return tuple(
        OperandRange(
            row["key"],
            SubjectKind(row["subject_kind"]),
            row["operand"],
            ValueForm(row["form"]),
            _bound(row["low"]),
            _bound(row["high"]),
            row["default"],
            row["unit"],
            Restart(row["restart"]),
            RangeCertainty(row["certainty"]),
            row["source"],
            row["remark"],
        )
        for row in rows("operands")
    )


def operand_range(kind: SubjectKind, key: str) -> OperandRange | None:
    """Return the range of a key of a kind of subject; ``None`` when the table has none."""
    return _by_key().get((kind, key))


def lowest(kind: SubjectKind, key: str) -> int:
    """Return the lowest value of an operand, in its unit.

    Raises ValueError for a key that the table does not have or does not bound from below.
    """
    found = operand_range(kind, key)
    if found is None or found.low is None:
        raise ValueError(
            f"{key} of a {kind.value} has no lowest value: expected one in tables/operands.csv"
        )
    return int(found.low)


def highest(kind: SubjectKind, key: str) -> int:
    """Return the highest value of an operand, in its unit.

    Raises ValueError for a key that the table does not have or does not bound from above.
    """
    found = operand_range(kind, key)
    if found is None or found.high is None:
        raise ValueError(
            f"{key} of a {kind.value} has no highest value: expected one in tables/operands.csv"
        )
    return int(found.high)


@cache
def _by_key() -> dict[tuple[SubjectKind, str], OperandRange]:
    return {(each.subject_kind, each.key): each for each in operand_ranges()}


def _bound(cell: str) -> float | None:
    return number(cell) if cell else None
