"""Hours of the week as a map of shades: when a figure is high."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

from markupsafe import Markup

from mqcap.presentation.quantities import quantity

DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
HOURS: Final = 24
SHADES: Final = 9
_CELL: Final = 22
_LEFT: Final = 34
_TOP: Final = 16


def heat_svg(hours: Mapping[tuple[int, int], float], unit: str) -> Markup:
    """Return a row a day and a column an hour; empty without any hour. Not measured is blank."""
    if not hours:
        return Markup("")
    top = max(hours.values())
    cells = []
    for (day, hour), value in sorted(hours.items()):
        shade = round(SHADES * value / top) if top > 0 else 0
        words = f"{DAYS[day]} {hour:02}:00: {quantity(value, unit)}"
        cells.append(
            f'<rect class="heat-{max(shade, 0)}" x="{_LEFT + _CELL * hour}" '
            f'y="{_TOP + _CELL * day}" width="{_CELL - 1}" height="{_CELL - 1}">'
            f"<title>{escape(words)}</title></rect>"
        )
    names = [
        f'<text x="0" y="{_TOP + _CELL * place + 15}">{name}</text>'
        for place, name in enumerate(DAYS)
    ]
    marks = [
        f'<text x="{_LEFT + _CELL * hour}" y="11">{hour:02}</text>' for hour in range(0, HOURS, 3)
    ]
    size = f"0 0 {_LEFT + _CELL * HOURS} {_TOP + _CELL * len(DAYS)}"
    busiest = max(hours, key=lambda key: hours[key])
    words = f"Highest on {DAYS[busiest[0]]} {busiest[1]:02}:00: {quantity(top, unit)}"
    return Markup(  # noqa: S704 - texts are escaped
        f'<svg class="heat-map" viewBox="{size}" role="img" aria-label="{escape(words)}">'
        f"{''.join([*names, *marks, *cells])}</svg>"
    )
