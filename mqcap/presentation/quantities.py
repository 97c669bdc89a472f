"""Figures with units in the units of the reader: the same text in every channel."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from mqcap.domain.numbers import ABSENT, figure, unit_words
from mqcap.presentation import display_units


class Quantity(BaseModel):
    """A figure as it is printed."""

    model_config = ConfigDict(frozen=True)

    text: str
    """The figure, aligned right in a table."""
    unit: str = ""
    note: str = ""
    """The same figure in a second unit; empty for what is not converted."""

    def __str__(self) -> str:
        """Return figure and unit in one line, without the note."""
        return f"{self.text} {self.unit}".rstrip()

    @property
    def full(self) -> str:
        """The quantity for a sentence: ``9,396 MB/hour (2.61 MiB/s)``."""
        return f"{self} ({self.note})" if self.note else str(self)


def quantity(value: float | None, unit: str, *, signed: bool = False) -> Quantity:
    """Return a stored value as it is printed.

    Args:
        value: The value in the stored unit; ``None`` gives ``ABSENT`` without a unit.
        unit: The stored unit. MiB/s becomes MB/hour with MiB/s as note, or what the reader chose.
        signed: Put ``+`` before what is not negative.
    """
    if value is None:
        return Quantity(text=ABSENT)
    units = display_units.current()
    factor, name = units.scale(unit)
    note = ""
    if unit == display_units.STORED_RATE:
        second = units.other_rate()
        note = f"{figure(value * second.factor, signed=signed)} {second.unit}"
    return Quantity(text=figure(value * factor, signed=signed), unit=unit_words(name), note=note)


def growth(value: float | None, unit: str) -> Quantity:
    """Return a difference of two values with its sign; percentages differ by points."""
    return quantity(value, "points" if unit == "%" else unit, signed=True)
