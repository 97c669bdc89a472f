"""Figures with units in the units of the reader: the same text in every channel."""

from typing import Final

from pydantic import BaseModel

from mqcap.domain.numbers import ABSENT, beside, figure, percent, unit_words, whole_things
from mqcap.domain.units import SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE
from mqcap.presentation import display_units

_SPAN_SECONDS: Final = {
    "s": 1,
    "min": SECONDS_PER_MINUTE,
    "h": SECONDS_PER_HOUR,
    "days": SECONDS_PER_DAY,
}
"""Seconds in each unit of time in which spans are stored and printed."""
_SPAN_BEGINS: Final = (
    ("days", 3 * SECONDS_PER_DAY),
    ("h", 1.5 * SECONDS_PER_HOUR),
    ("min", 2 * SECONDS_PER_MINUTE),
)
"""The seconds from which on a span is printed in this unit (ours); shorter ones are in seconds."""
_TENTHS_BELOW: Final = 10


class Quantity(BaseModel, frozen=True):
    """A figure as it is printed."""

    text: str
    """The figure, aligned right in a table."""
    unit: str = ""
    note: str = ""
    """The same figure in a second unit, or what it is (``allowed``); else empty."""
    value: float | None = None
    """The figure itself, in ``unit``; ``None`` for what is absent."""

    def __str__(self) -> str:
        """Return figure and unit in one line, without the note."""
        return f"{self.text} {self.shown_unit}".rstrip()

    @property
    def shown_unit(self) -> str:
        """The unit beside this figure: ``adapter`` of one, else ``adapters``."""
        return beside(self.text, self.unit)

    @property
    def full(self) -> str:
        """The quantity for a sentence: ``9,396 MB/hour (2.61 MiB/s)``."""
        return f"{self} ({self.note})" if self.note else str(self)


def quantity(value: float | None, unit: str, *, signed: bool = False) -> Quantity:
    """Return a stored value as it is printed; ``None`` as ``ABSENT`` without a unit.

    MiB/s becomes MB/hour with MiB/s as note; a time is in seconds, minutes, hours or days with at
    most one decimal, whichever reads best. ``signed`` puts ``+`` before what is not negative.
    """
    if value is None:
        return Quantity(text=ABSENT)
    if unit in _SPAN_SECONDS:
        seconds = value * _SPAN_SECONDS[unit]
        name = next((name for name, begins in _SPAN_BEGINS if abs(seconds) >= begins), "s")
        shown = round(seconds / _SPAN_SECONDS[name], 1)
        return Quantity(text=figure(shown, signed=signed), unit=name, value=shown)
    factor, name = display_units.scale(unit)
    shown = whole_things(value * factor, name)
    note = f"{figure(value, signed=signed)} {unit}" if unit == display_units.STORED_RATE else ""
    text = figure(shown, signed=signed)
    return Quantity(text=text, unit=unit_words(name), note=note, value=shown)


def at_a_glance(value: float | None, unit: str, beside: float | None = None) -> str:
    """Return a stored value as it is read at a glance: whole from ten on, else with one decimal.

    A figure that would read like the one ``beside`` it keeps its digits.
    """
    shown = quantity(value, unit)
    if shown.value is None:
        return shown.text
    text = rounded(shown.value)
    other = None if beside is None or beside == value else quantity(beside, unit).value
    if other is not None and text == rounded(other):
        return str(shown)
    return str(shown.model_copy(update={"text": text}))


def rounded(value: float) -> str:
    """Return a figure whole from ten on, else with one decimal."""
    return figure(round(value, 1) if abs(value) < _TENTHS_BELOW else round(value))


def of_limit(now: str, limit: str) -> str:
    """Return both in one phrase: ``1.9 h of 12 h``, ``462 of 500 channels``, ``73 % of 80 %``.

    A unit that is long is said once. What must not happen at all has its limit beside it: ``8,066
    an hour, limit 0 an hour``. Either text may be empty.
    """
    if not now or not limit:
        return now
    (shown, _, own), (most, _, unit) = now.partition(" "), limit.partition(" ")
    if most == "0":
        return f"{now}, limit {limit}"
    is_said_once = len(unit) > len("days") and own in {unit, beside(shown, unit)}
    return f"{shown if is_said_once else now} of {limit}"


def headroom(ratio: float | None) -> str:
    """Return the share of a limit that is left, as a percentage.

    More than the limit itself, on either side, is not a share: ``under -100 %``, ``over 100 %``.
    ``None`` gives ``ABSENT``.
    """
    if ratio is not None and ratio < -1:
        return f"under {percent(-1)}"
    return f"over {percent(1)}" if ratio is not None and ratio > 1 else percent(ratio)


def growth(value: float | None, unit: str) -> Quantity:
    """Return a difference of two values with its sign; percentages differ by points."""
    return quantity(value, "points" if unit == "%" else unit, signed=True)
