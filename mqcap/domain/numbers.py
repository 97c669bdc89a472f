"""The number format of the product: every channel prints a figure with these functions.

Four significant digits below 100, one decimal up to 10,000, none above: enough to redo a sum.
"""

import math
import re
from decimal import Decimal
from functools import lru_cache
from typing import Final

from mqcap.domain.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE

ABSENT: Final = "\N{EN DASH}"
"""Printed in place of a figure that does not exist or was not measured."""
UNBOUNDED: Final = "unbounded"

KEPT_TEXTS: Final = 16_384
"""Texts that a process keeps, some 3 MB: a day prints most of its figures many times (ours)."""
_LEAST_PROBABILITY: Final = 0.01
"""No forecast is surer than this; 0 % and 100 % would say so (ours)."""
_LEAST_SHARE: Final = 0.0001
_PLURAL: Final = re.compile(r"([a-z]{3,}?)(?:(ie)s|s)\b")
"""A plural noun at the beginning of a unit; symbols are shorter."""
_NO_THINGS: Final = frozenset({"days", "points"})
_MANY: Final = 1_000
"""From so many things on they have no decimals; 99.6 of 100 are not 100 (ours)."""
_SPANS: Final = {"h": "an hour", "s": "a second", "day": "a day"}


def figure(value: float | None, *, signed: bool = False) -> str:
    """Return ``9,396``, ``123.5`` or ``27.46``; ``None`` and NaN give ``ABSENT``."""
    if value is None or math.isnan(value):
        return ABSENT
    if math.isinf(value):
        return UNBOUNDED
    sign = "+" if signed and value >= 0 else ""
    return sign + _digits(value)


def decimals(value: float) -> int:
    """Return how many digits ``figure`` prints after the decimal point of a finite value."""
    return len(_digits(value).partition(".")[2])


def percent(ratio: float | None, *, signed: bool = False) -> str:
    """Return a ratio of 0.2746 as ``27.46 %``; ``None`` gives ``ABSENT``."""
    return quantity(None if ratio is None else 100 * ratio, "%", signed=signed)


def share(ratio: float) -> str:
    """Return a part of a total as a percentage: 0 % and 100 % only for exactly none and all."""
    if ratio in {0.0, 1.0}:
        return percent(ratio)
    return percent(min(1 - _LEAST_SHARE, max(_LEAST_SHARE, ratio)))


def probability(ratio: float | None) -> str:
    """Return a probability as a whole percentage, from ``under 1 %`` to ``over 99 %``."""
    if ratio is None:
        return ABSENT
    if ratio < _LEAST_PROBABILITY:
        return f"under {percent(_LEAST_PROBABILITY)}"
    if ratio > 1 - _LEAST_PROBABILITY:
        return f"over {percent(1 - _LEAST_PROBABILITY)}"
    return f"{100 * ratio:.0f} %"


def quantity(value: float | None, unit: str, *, signed: bool = False) -> str:
    """Return a figure with its unit: ``30.25 MiB/s``, ``27.46 %``, ``12 an hour``."""
    text = figure(None if value is None else whole_things(value, unit), signed=signed)
    return text if text == ABSENT else f"{text} {beside(text, unit_words(unit))}".rstrip()


def whole_things(value: float, unit: str) -> float:
    """Return many things without decimals: ``8,772 channels``; all else as it is."""
    is_of_things = _PLURAL.fullmatch(unit) is not None and unit not in _NO_THINGS
    return float(round(value)) if is_of_things and _MANY <= abs(value) < math.inf else value


def unit_words(unit: str) -> str:
    """Return a unit as it is printed: ``count`` has none, ``count/h`` is ``an hour``."""
    counted_unit, _, span = unit.partition("/")
    return _SPANS.get(span, "") if counted_unit == "count" else unit


def beside(text: str, unit: str) -> str:
    """Return a unit as it stands beside a printed figure: ``1 adapter``, ``1 entry``."""
    if text.lstrip("+-") != "1" or (word := _PLURAL.match(unit)) is None:
        return unit
    one = f"{word[1]}y" if word[2] else word[1]
    return f"{one}{unit[word.end() :]}"


def duration(seconds: float) -> str:
    """Return seconds, minutes or hours with at most one decimal, whichever reads best."""
    if seconds < 2 * SECONDS_PER_MINUTE:
        return f"{_tenths(seconds)} s"
    if seconds < 2 * SECONDS_PER_HOUR:
        return f"{_tenths(seconds / SECONDS_PER_MINUTE)} min"
    return f"{_tenths(seconds / SECONDS_PER_HOUR)} h"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, whose plural may be other than with ``s``: ``12 logs``."""
    return f"{figure(number)} {noun}" if number == 1 else f"{figure(number)} {plural or noun + 's'}"


@lru_cache(maxsize=KEPT_TEXTS)
def _digits(value: float) -> str:
    if value == int(value):
        return f"{int(value):,}"
    if abs(value) < 100:
        return f"{Decimal(f'{value:.4g}'):f}"
    return _tenths(value) if abs(value) < 10_000 else f"{value:,.0f}"


def _tenths(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0")
